import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import type { MoneyKind, PointKind } from '../../domain/settlement.ts'
import { refundedFrom } from '../merchants/boundary-queries.ts'

/** A period of a merchant's account; `from` null begins with its first entry. What counts from `until` on is `later`. */
export interface Period {
  readonly merchant_id: number
  readonly account_id: Uuid
  readonly from: Date | null
  readonly until: Date
}

/** `$2` to `$5` as a row. */
const period = `(select $2::bigint as merchant_id, $3::uuid as account_id, coalesce($4::timestamptz, '-infinity') as begins,
     $5::timestamptz as ends offset 0) p`

function valuesOf(program_id: number, { merchant_id, account_id, from, until }: Period): unknown[] {
  return [program_id, merchant_id, account_id, from, until]
}

/** Entries of a merchant's account from its period on. Points are a text: they may exceed a bigint. */
export interface PointRow {
  /** Null in entries of older versions: their transfers know it. */
  readonly kind: PointKind | null
  readonly micro_sar_per_point: MicroSarPerPoint | null
  readonly later: boolean
  readonly entries: number
  readonly points: string
}

const pointsText = prepared<PointRow>(
  'settlement.points',
  `select e.*
   from ${period}
   cross join lateral (
     select e.kind, e.micro_sar_per_point, e.created_at >= p.ends as later, count(*) as entries, abs(sum(e.amount))::text as points
     from entry e
     where e.program_id = $1 and e.account_id = p.account_id and e.created_at >= p.begins and e.account_version is null
     group by 1, 2, 3
   ) e`,
)

/** Sums the entries of a period and after it, from the index of accounts alone. */
export function sumPoints(program_id: number, of: Period): Statement<PointRow> {
  return pointsText(...valuesOf(program_id, of))
}

const oldPointsText = prepared<PointRow>(
  'settlement.old_points',
  `select e.*
   from ${period}
   cross join lateral (
     select t.kind, e.micro_sar_per_point, e.created_at >= p.ends as later, count(*) as entries, abs(sum(e.amount))::text as points
     from entry e
     cross join lateral (
       select t.kind from transfer t where t.program_id = $1 and t.transfer_id = e.transfer_id
         and (t.program_id, t.transfer_id) >= ($1, e.transfer_id) limit 1
     ) t
     where e.program_id = $1 and e.account_id = p.account_id and e.created_at >= p.begins and e.account_version is null
       and e.kind is null
     group by 1, 2, 3
   ) e`,
)

/** The same for entries without a kind of their own. */
export function sumOldPoints(program_id: number, of: Period): Statement<PointRow> {
  return oldPointsText(...valuesOf(program_id, of))
}

/** An entry of an order that is left out, or was until the period began. */
export interface ExcludedEntry {
  readonly kind: PointKind
  readonly micro_sar_per_point: MicroSarPerPoint | null
  readonly points: string
  readonly created_at: Date
  /** When the order is taken in again; null while it is left out. */
  readonly included_at: Date | null
}

/** The merchant's entries of an order `x`, found by the references of their transfers. */
export const entriesOfOrder = `
     select t.transfer_id, t.kind, e.micro_sar_per_point, e.amount, e.created_at
     from (
       select 'earn:' || x.order_uuid as reference
       union all
       select 'hold-end:' || h.hold_id from (
         select h.hold_id from hold h where h.program_id = $1 and h.order_uuid = x.order_uuid
           and (h.program_id, h.order_uuid) >= ($1, x.order_uuid) offset 0
       ) h
       union all
       select k.prefix || r.refund_uuid from (
         select r.refund_uuid from order_refund r where r.program_id = $1 and r.order_uuid = x.order_uuid
           and (r.program_id, r.order_uuid) >= ($1, x.order_uuid) offset 0
       ) r cross join (values ('reverse:'), ('return:')) as k(prefix)
     ) cause
     cross join lateral (
       select t.transfer_id, t.kind from transfer t where t.program_id = $1 and t.reference = cause.reference
         and (t.program_id, t.reference) >= ($1, cause.reference) limit 1
     ) t
     cross join lateral (
       select e.micro_sar_per_point, e.amount, e.created_at from entry e
       where e.program_id = $1 and e.transfer_id = t.transfer_id and e.account_id = p.account_id
         and (e.program_id, e.transfer_id) >= ($1, t.transfer_id) limit 1
     ) e`

const excludedText = prepared<ExcludedEntry>(
  'settlement.excluded',
  `select e.kind, e.micro_sar_per_point, abs(e.amount)::text as points, e.created_at, x.included_at
   from ${period}
   cross join lateral (
     select x.order_uuid, x.included_at from settlement_exclusion x
     where x.program_id = $1 and x.merchant_id = p.merchant_id and (x.included_at is null or x.included_at >= p.begins)
     offset 0
   ) x
   cross join lateral (${entriesOfOrder}) e`,
)

/** The entries that count at another time than they were written, because their orders are or were left out. */
export function findExcluded(program_id: number, of: Period): Statement<ExcludedEntry> {
  return excludedText(...valuesOf(program_id, of))
}

/** Provider money of a merchant's period, or after it. */
export interface MoneyRow {
  readonly kind: MoneyKind
  readonly later: boolean
  readonly entries: number
  readonly halalas: string
}

const moneyText = prepared<MoneyRow>(
  'settlement.money',
  `select m.*
   from ${period}
   cross join lateral (
     select m.kind, m.counts_at >= p.ends as later, count(*) as entries, sum(m.amount_halalas)::text as halalas
     from (
       select m.kind, m.amount_halalas, m.booked_at as counts_at from provider_money m
       where m.program_id = $1 and m.merchant_id = p.merchant_id and m.booked_at >= p.begins and not exists (
         select from settlement_exclusion x where x.program_id = $1 and x.order_uuid = m.order_uuid
           and (x.program_id, x.order_uuid) >= ($1, m.order_uuid) and (x.included_at is null or x.included_at >= p.begins)
       )
       union all
       select m.kind, m.amount_halalas, greatest(m.booked_at, x.included_at)
       from (
         select x.order_uuid, x.included_at from settlement_exclusion x
         where x.program_id = $1 and x.merchant_id = p.merchant_id and x.included_at >= p.begins offset 0
       ) x
       cross join lateral (
         select m.kind, m.amount_halalas, m.booked_at from provider_money m
         where m.program_id = $1 and m.order_uuid = x.order_uuid
           and (m.program_id, m.order_uuid) >= ($1, x.order_uuid) offset 0
       ) m
     ) m
     group by 1, 2
   ) m`,
)

/** Sums the provider money of a period and after it. Neither contains the money of orders left out. */
export function sumMoney(program_id: number, of: Period): Statement<MoneyRow> {
  return moneyText(...valuesOf(program_id, of))
}

/** How many more orders a period has than earnings, below 0 for fewer. */
export interface MoreOrders {
  readonly more: number
}

const moreText = prepared<MoreOrders>(
  'settlement.more_orders',
  `select (apart.more - refunded.orders)::bigint as more
   from ${period}
   cross join lateral (
     select coalesce(sum((o.earned_points = 0 and counts.it)::integer - (o.earned_points > 0 and not counts.it)::integer), 0) as more
     from orders o cross join lateral (
       select o.order_status <> 'fully_refunded' or o.refunded_late or ${refundedFrom('p.ends')} as it offset 0
     ) counts
     where o.program_id = $1 and o.merchant_id = p.merchant_id and coalesce(o.booked_at, o.paid_at) >= p.begins
       and coalesce(o.booked_at, o.paid_at) < p.ends
       and o.paid_at is not null and (o.type = 2 or o.booked_at is not null or o.earned_points = 0)
   ) apart
   cross join lateral (
     select count(*) as orders from orders o
     where o.program_id = $1 and -o.merchant_id = -p.merchant_id and o.type = 1
       and o.order_status = 'fully_refunded' and o.created_at >= p.begins and o.created_at < p.ends
       and o.booked_at is null and o.earned_points > 0 and not o.refunded_late
       and not ${refundedFrom('p.ends')}
   ) refunded`,
)

/**
 * Compares orders with earnings, of which most orders have exactly one in the period: those without points have none, and those
 * refunded in full before its end are not counted.
 */
export function countMoreOrders(program_id: number, of: Period): Statement<MoreOrders> {
  return moreText(...valuesOf(program_id, of))
}

/** The points of a program's wallets, and those that its own account gave. */
export function findOutstanding(
  program_id: number,
): Statement<{ readonly outstanding: string; readonly adjusted: string }> {
  return {
    text: `select
        (select coalesce(sum(a.posted), 0) from account a where a.program_id = $1 and a.kind = 'customer')::text as outstanding,
        (select coalesce(-sum(e.amount), 0) from program g join entry e on e.program_id = g.program_id and e.account_id = g.account_id
         where g.program_id = $1 and e.account_version is null)::text as adjusted`,
    values: [program_id],
  }
}
