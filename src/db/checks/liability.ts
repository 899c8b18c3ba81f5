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

/**
 * What wallets got and gave by place, month and value of a point. A reversal counts at the time of its earning, and the points of
 * a merge were issued before.
 */
const lots = `lots as materialized (
    select m.account_id, m.place, date_trunc('month', m.at at time zone 'Asia/Riyadh')::date as month, m.value, min(m.at) as first_at,
      sum(m.amount) as posted, bool_or(m.merged) as merged, coalesce(sum(m.amount) filter (where m.kept), 0) as kept,
      coalesce(sum(m.amount) filter (where m.kind = 'return'), 0) as returned,
      coalesce(sum(m.amount) filter (where m.amount > 0 and (m.kept or m.kind = 'return')), 0) as most
    from (
      select e.account_id, width_bucket(e.created_at, b.list) as place, t.kind, e.amount, t.kind = 'adjust' and o.transfer_id is not null as merged,
        t.kind in ('earn', 'reverse') or (t.kind = 'adjust' and e.amount > 0 and o.transfer_id is null) as kept,
        case t.kind when 'reverse' then coalesce(o.created_at, e.created_at) else e.created_at end as at,
        coalesce(e.micro_sar_per_point, (
          select p.micro_sar_per_point from program_rate p where p.program_id = $1 order by p.begins_on limit 1
        )) as value
      from bounds b
      join entry e on e.program_id = $1 and e.account_version is not null and e.created_at < b.list[cardinality(b.list)]
      join transfer t on t.program_id = $1 and t.transfer_id = e.transfer_id
      left join transfer o on o.program_id = $1 and o.reference = case t.kind when 'reverse' then 'earn:' || t.order_uuid
        when 'adjust' then 'adjust:' || t.transfer_id end
    ) m group by 1, 2, 3, 4
  )`

/**
 * What is left of the lots of each wallet after each place in which it moved: the newest ones, as `leftOf` gives them, up to its
 * first merge. Of a merged wallet no more than it ever got can be left.
 */
const left = `turns as (
    select account_id, place, sum(sum(posted)) over so_far as posted, bool_or(bool_or(merged)) over so_far as merged
    from lots group by 1, 2 window so_far as (partition by account_id order by place)
  ), lots_then as (
    select w.account_id, w.place, w.posted, w.merged, n.month, n.value, min(l.first_at) over so_far as first_at,
      greatest(sum(l.kept) over so_far, 0) as kept, greatest(sum(l.returned) over so_far, 0) as returned, sum(l.most) over so_far as most
    from turns w
    join (select account_id, month, value, min(place) as place from lots group by 1, 2, 3) n on n.account_id = w.account_id and n.place <= w.place
    left join lots l on l.account_id = w.account_id and l.place = w.place and l.month = n.month and l.value = n.value
    window so_far as (partition by w.account_id, n.month, n.value order by w.place)
  ), remaining as (
    select account_id, place, month, value, merged, case when merged then most else 0 end as most, case when merged then 0 else
      least(kept, greatest(posted - (sum(kept) over newest - kept), 0))
        + least(returned, greatest(posted - sum(kept) over (partition by account_id, place) - (sum(returned) over newest - returned), 0))
      end as points
    from lots_then window newest as (partition by account_id, place order by first_at desc, value desc rows unbounded preceding)
  ), changed as (
    select place, month, value, merged, points - lag(points, 1, 0::numeric) over so_far as points, most - lag(most, 1, 0::numeric) over so_far as most
    from remaining window so_far as (partition by account_id, month, value order by place)
  ), totals as materialized (
    select place, month, sum(kept) as kept, 0 as points, 0 as micro_sar, 0 as most, null::bigint as lowest, null::bigint as highest from lots group by 1, 2
    union all
    select place, month, 0, sum(points), sum(points * value), sum(most), min(value) filter (where merged), max(value) filter (where merged)
    from changed group by 1, 2
  )`

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
  // Reports keep sums over all wallets, and a merge makes what is left depend on the order of all uses of both numbers: once
  // there was one, what is left is known within bounds.
  check(
    'liability_ages',
    rowsOf('liability_report'),
    `with ${reports}, ${lots}, ${left}
     select day as id, 'of the points of the month from ' || month || ' on it says that ' || kept || ' were kept and ' || points || ' are left, worth '
       || micro_sar || ' micro-SAR, and the entries ' || found_kept || ', ' || found_points || ' and ' || found_micro_sar
       || case when most > 0 then ', beside what merges moved' else '' end as detail
     from (
       select day, month, coalesce(says.kept_points, 0) as kept, coalesce(says.left_points, 0) as points, coalesce(says.left_micro_sar, 0) as micro_sar,
         coalesce(f.kept, 0) as found_kept, coalesce(f.points, 0) as found_points, coalesce(f.micro_sar, 0) as found_micro_sar,
         coalesce(f.most, 0) as most, coalesce(f.lowest, 0) as lowest, coalesce(f.highest, 0) as highest
       from (
         select r.day, t.month, sum(t.kept) as kept, sum(t.points) as points, sum(t.micro_sar) as micro_sar, sum(t.most) as most,
           min(t.lowest) as lowest, max(t.highest) as highest
         from reports r join totals t on t.place < r.place group by 1, 2
       ) f
       full join (
         select m.* from reports r join liability_month m on m.program_id = $1 and m.day = r.day
       ) says using (day, month)
     ) m
     where kept <> found_kept or points - found_points not between 0 and most
       or micro_sar - found_micro_sar not between (points - found_points) * lowest and (points - found_points) * highest`,
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
