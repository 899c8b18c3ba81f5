import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Month } from '../../domain/day.ts'
import type { Uuid } from '../../domain/ids.ts'
import { monthSums, type ReportMonth } from '../../domain/liability.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import type { ReportKey } from './queries.ts'

const monthAt = (at: string): string => `date_trunc('month', ${at} at time zone 'Asia/Riyadh')::date`

/** The `$3`th transfer after `$2`, where a part of the ledger ends; nothing if there are fewer. */
export const findEndOfLedger = prepared<{ readonly transfer_id: Uuid }>(
  'liability.end_of_ledger',
  `select t.transfer_id from transfer t where t.program_id = $1 and t.transfer_id > $2
     and (t.program_id, t.transfer_id) > ($1, $2) order by t.transfer_id offset $3 limit 1`,
)

export interface FlowRow {
  readonly month: Month
  readonly kind: string
  /** What the wallets got, by the accounts of merchants and of the program. */
  readonly added_points: string
  /** Entries of wallets, before the boundary or not. */
  readonly wallet_entries: number
}

/**
 * What transfers from after `$2` up to `$3` moved before the instant `$4`, by month and kind. The time is that of the transfer,
 * as in the wallet: an account of a merchant may book it later.
 */
export const sumLedger = prepared<FlowRow>(
  'liability.ledger',
  `select ${monthAt('t.created_at')} as month, t.kind, count(e.account_version) as wallet_entries,
     coalesce(-sum(e.amount) filter (where e.account_version is null and t.created_at < $4), 0)::text as added_points
   from transfer t
   cross join lateral (
     select e.amount, e.account_version from entry e
     where e.program_id = $1 and e.transfer_id = t.transfer_id and (e.program_id, e.transfer_id) >= ($1, t.transfer_id)
     offset 0
   ) e
   where t.program_id = $1 and t.transfer_id > $2 and t.transfer_id <= $3 and (t.program_id, t.transfer_id) > ($1, $2)
   group by 1, 2`,
)

/** The `$3` wallets after `$2`, with the number of their entries. */
export const findWallets = prepared<{ readonly account_id: Uuid; readonly version: number }>(
  'liability.wallets',
  `select a.account_id, a.version from account a
   where a.program_id = $1 and a.account_id > $2 and (a.program_id, a.account_id) > ($1, $2) and a.kind = 'customer'
   order by a.account_id limit $3`,
)

/** What a wallet got and gave in a month at one value of a point. */
export interface LotRow {
  readonly account_id: Uuid
  readonly month: Month
  readonly micro_sar_per_point: MicroSarPerPoint
  readonly kept_points: string
  readonly returned_points: string
  readonly posted_points: string
  readonly held_points: string
  /** Points moved by a merge are among them. */
  readonly merged: boolean
}

/**
 * The entries of the wallets `$2` before the instant `$3`, with the time at which they count as `at`: a reversal counts at
 * the time of its earning. `other_id` is the other transfer of a merge, which names this one.
 */
const moves = `
     select e.account_id, e.account_version, t.kind, e.transfer_id, e.amount as posted,
       case e.bucket when 'held' then e.amount else 0 end as held,
       case t.kind when 'reverse' then coalesce(o.created_at, e.created_at) else e.created_at end as at,
       case t.kind when 'adjust' then o.transfer_id end as other_id, coalesce(e.micro_sar_per_point, $4::bigint) as micro_sar_per_point
     from ${rowsOfLists('$2::uuid[]', 'w(account_id)')}
     cross join lateral (
       select e.* from entry e where e.program_id = $1 and e.account_id = w.account_id and e.created_at < $3
         and e.account_version is not null and (e.program_id, e.account_id) >= ($1, w.account_id) offset 0
     ) e
     cross join lateral (
       select t.kind, case t.kind when 'reverse' then 'earn:' || t.order_uuid when 'adjust' then 'adjust:' || t.transfer_id end as named
       from transfer t
       where t.program_id = $1 and t.transfer_id = e.transfer_id and (t.program_id, t.transfer_id) >= ($1, e.transfer_id) limit 1
     ) t
     left join lateral (
       select o.transfer_id, o.created_at from transfer o where t.named is not null and o.program_id = $1 and o.reference = t.named
         and (o.program_id, o.reference) >= ($1, t.named) limit 1
     ) o on true`

/** Sums of moves `l`. The points of a merge were issued before. */
const lotSums = `sum(l.posted)::text as posted_points,
     coalesce(sum(l.posted) filter (where l.kind in ('earn', 'reverse')
       or (l.posted > 0 and l.kind not in ('hold', 'post', 'release', 'return') and l.other_id is null)), 0)::text as kept_points,
     coalesce(sum(l.posted) filter (where l.kind = 'return'), 0)::text as returned_points`

/**
 * The lots of the wallets `$2` before the instant `$3`, oldest first. Points taken back from an order belong to the month in
 * which it earned. `$4` is the value of points whose entries record none.
 */
export const findLots = prepared<LotRow>(
  'liability.lots',
  `select l.account_id, ${monthAt('l.at')} as month, l.micro_sar_per_point, ${lotSums}, sum(l.held)::text as held_points,
     bool_or(l.other_id is not null) as merged
   from (${moves}
   ) l group by l.account_id, 2, l.micro_sar_per_point order by l.account_id, min(l.at), l.micro_sar_per_point`,
)

/** The same in one stretch of the history of a wallet, or the points of the merge with which it begins. */
export interface StretchRow extends Omit<LotRow, 'held_points' | 'merged'> {
  /** How many merges into or out of the wallet came before. */
  readonly stretch: number
  /** The wallet that was given up in a merge into this one; null for other entries. */
  readonly from_id: Uuid | null
  /** The points of the merge in which this wallet was given up. */
  readonly given_up: boolean
}

/**
 * The lots of wallets, as `findLots` gives them, cut where a merge moved points into them. The two transfers of a merge name
 * each other, and that out of the wallet that is given up is the first.
 */
export const findStretches = prepared<StretchRow>(
  'liability.stretches',
  `select l.account_id, l.stretch, x.account_id as from_id, coalesce(l.other_id > l.transfer_id, false) as given_up,
     ${monthAt('l.at')} as month, l.micro_sar_per_point, ${lotSums}
   from (
     select l.*, count(l.other_id) over (partition by l.account_id order by l.account_version) as stretch
     from (${moves}
     ) l
   ) l
   left join lateral (
     select x.account_id from entry x where l.other_id < l.transfer_id and x.program_id = $1 and x.transfer_id = l.other_id
       and x.line = 1 and (x.program_id, x.transfer_id) >= ($1, l.other_id) limit 1
   ) x on true
   group by l.account_id, l.stretch, x.account_id, 4, 5, l.micro_sar_per_point
   order by l.account_id, l.stretch, min(l.at), l.micro_sar_per_point`,
)

const addMonthsText = prepared<never>(
  'liability.add_months',
  `insert into liability_month (program_id, day, month, ${monthSums.join(', ')})
   select $1::bigint, $2::date, m.* from unnest($3::date[], ${monthSums.map((_, n) => `$${n + 4}::numeric[]`).join(', ')})
     as m(month, ${monthSums.join(', ')})
   on conflict (program_id, day, month) do update set
     ${monthSums.map((name) => `${name} = liability_month.${name} + excluded.${name}`).join(', ')}`,
)

/** Adds to the months of a report. */
export function addToMonths({ program_id, day }: ReportKey, months: readonly ReportMonth[]): Statement<never> {
  const column = (name: (typeof monthSums)[number]): string[] => months.map((month) => String(month[name]))
  return addMonthsText(program_id, day, ...[months.map(({ month }) => month), ...monthSums.map(column)])
}
