import { type Check, check, rowsOf } from './check.ts'

/** Complete reports in the order of their boundaries. Entries before the nth boundary have lower places than n. */
const reports = `reports as (
    select r.day, r.until, r.owed_points - r.receivable_points as outstanding, r.owed_points as owed, r.held_points as held,
      row_number() over (order by r.until, r.day) as place
    from liability_report r where r.program_id = $1 and r.step is null
  ), bounds as (select array_agg(until order by until, day) as list from reports)`

/** Stored reports of what a program owes its customers. */
export const liabilityChecks: readonly Check[] = [
  check(
    'liability_report',
    rowsOf('liability_report'),
    `with ${reports}, moved as (
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
]
