import { flows } from '../../domain/liability.ts'
import { type Check, check, rowsOf } from './check.ts'

/** Complete reports in the order of their boundaries. Entries before the nth boundary have lower places than n. */
const reports = `reports as (
    select r.day, r.until, r.micro_sar_per_point, r.owed_points - r.receivable_points as outstanding, r.owed_points as owed, r.held_points as held,
      row_number() over (order by r.until, r.day) as place
    from liability_report r where r.program_id = $1 and r.step is null
  ), bounds as materialized (select array_agg(until order by until, day) as list from reports)`

/** SQL for each flow of a month, from what transfers of a kind added to the wallets. */
const flowOf: Readonly<Record<(typeof flows)[number], string>> = {
  issued_points: `sum(m.points) filter (where m.kind = 'earn')`,
  returned_points: `sum(m.points) filter (where m.kind = 'return')`,
  redeemed_points: `-sum(m.points) filter (where m.kind = 'post')`,
  reversed_points: `-sum(m.points) filter (where m.kind = 'reverse')`,
  adjusted_points: `sum(m.points) filter (where m.kind not in ('earn', 'return', 'post', 'reverse'))`,
}
const flowsOf = (of: string): string => flows.map((name) => `coalesce(${of}.${name}, 0)`).join(', ')

/** Stored reports of what a program owes its customers. */
export const liabilityChecks: readonly Check[] = [
  check(
    'liability_report',
    rowsOf('liability_report'),
    `with ${reports}, moved as materialized (
       select width_bucket(e.created_at, b.list) as place, sum(e.amount) as posted,
         coalesce(sum(e.amount) filter (where e.bucket = 'held'), 0) as held
       from bounds b
       join entry e on e.program_id = $1 and e.account_version is not null
       where b.list is not null group by 1
     )
     select r.day as id, 'the report says ' || r.outstanding || ' points outstanding and ' || r.held || ' held, and the entries '
       || coalesce(sum(m.posted), 0) || ' and ' || coalesce(sum(m.held), 0) as detail
     from reports r left join moved m on m.place < r.place
     group by r.day, r.outstanding, r.held
     having r.outstanding <> coalesce(sum(m.posted), 0) or r.held <> coalesce(sum(m.held), 0)`,
  ),
  check(
    'liability_month',
    rowsOf('liability_report'),
    `with ${reports}
     select r.day as id, 'its months do not sum to its ' || r.outstanding || ' points outstanding, or of what is left to its '
       || r.owed || ' owed' as detail
     from reports r left join liability_month m on m.program_id = $1 and m.day = r.day
     group by r.day, r.outstanding, r.owed
     having r.outstanding <> coalesce(sum(m.issued_points + m.returned_points - m.redeemed_points - m.reversed_points + m.adjusted_points), 0)
       or r.owed <> coalesce(sum(m.left_points), 0)`,
  ),
  check(
    'liability_flows',
    rowsOf('liability_report'),
    `with ${reports}, moved as materialized (
       select width_bucket(e.created_at, b.list) as place, date_trunc('month', e.created_at at time zone 'Asia/Riyadh')::date as month,
         coalesce(e.kind, t.kind) as kind, sum(e.amount) as points
       from bounds b
       join entry e on e.program_id = $1 and e.account_version is not null
       left join transfer t on e.kind is null and t.program_id = $1 and t.transfer_id = e.transfer_id
       where b.list is not null group by 1, 2, 3
     ), entries_of as (
       select r.day, m.month, ${flows.map((name) => `${flowOf[name]} as ${name}`).join(', ')}
       from reports r join moved m on m.place < r.place group by 1, 2
     )
     select coalesce(f.day, m.day) as id, 'what moved in the month from ' || coalesce(f.month, m.month) || ' on is not what the entries say' as detail
     from entries_of f
     full join (
       select m.* from reports r join liability_month m on m.program_id = $1 and m.day = r.day
     ) m on m.day = f.day and m.month = f.month
     where (${flowsOf('f')}) is distinct from (${flowsOf('m')})`,
  ),
  check(
    'liability_rate',
    rowsOf('liability_report'),
    `with ${reports}
     select r.day as id, 'the report values a point at ' || r.micro_sar_per_point || ' micro-SAR, and at its end it was worth '
       || v.micro_sar_per_point as detail
     from reports r
     cross join lateral (
       select p.micro_sar_per_point from program_rate p where p.program_id = $1
       order by p.begins_on <= r.day desc, case when p.begins_on <= r.day then p.begins_on end desc, p.begins_on limit 1
     ) v
     -- The rate of a day that is not over can be replaced.
     where r.until = (r.day + 1)::timestamp at time zone 'Asia/Riyadh' and v.micro_sar_per_point <> r.micro_sar_per_point`,
  ),
]
