import { readableJson } from '../../db/readable-json.ts'
import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import { first_uuid, type Uuid } from '../../domain/ids.ts'
import type { TransferKind, Wallet } from '../../domain/ledger.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { OrderKey } from './order.ts'
import { type LockedRow, orderColumns } from './queries.ts'

/** An order with all that its page shows, from its row and the rows that belong to it. */
export interface DetailRow extends LockedRow {
  readonly shipping_halalas: Halalas | null
  readonly tax_halalas: Halalas | null
  readonly discount_halalas: Halalas | null
  readonly shipping_address: object | null
  readonly payment_method: string | null
  readonly reason: string | null
  readonly settled_at: Date | null
  readonly customer_name: string | null
  readonly customer_status: 'invited' | 'active' | null
  readonly erased_at: Date | null
  /** The customer into whom this one was merged. */
  readonly merged_into: Uuid | null
  readonly phone: Phone | null
  readonly posted: Points | null
  readonly held: Points | null
  readonly product_name: string | null
  readonly rating: number | null
  readonly comment: string | null
}

// A settlement of an older version has no end of its own: an order of the very millisecond in which it was made is in it.
const findDetailText = prepared<DetailRow>(
  'orders.detail',
  `select o.*, s.created_at as settled_at, c.name as customer_name, c.status as customer_status, c.phone,
     c.erased_at, a.merged_into, a.posted, a.held, r.product_name, r.rating, r.comment
   from (
     select ${orderColumns}, o.program_id, o.customer_id, o.earned_points, o.redeemed_halalas, o.refunded_halalas,
       o.returned_points, o.reversed_points, o.authorized_at, o.paid_at, o.shipping_halalas, o.tax_halalas,
       o.discount_halalas, o.shipping_address, o.payment_method, o.reason, o.micro_sar_per_point,
       coalesce(o.booked_at, o.paid_at) as counts_at
     from orders o
     where o.program_id = $1 and o.order_uuid = $2 and o.merchant_id is not distinct from $3
       and (o.program_id, o.order_uuid) >= ($1, $2)
     limit 1
   ) o
   left join lateral (
     select s.created_at from settlement s
     where o.settled and s.program_id = $1 and s.merchant_id = o.merchant_id
       and coalesce(s.until_at, s.created_at) > o.counts_at - interval '1 millisecond'
       and (s.until_at is null or s.until_at > o.counts_at)
       and (s.program_id, s.merchant_id) >= ($1, o.merchant_id)
     order by s.program_id, s.merchant_id, coalesce(s.until_at, s.created_at) limit 1
   ) s on true
   left join lateral (
     select c.name, c.status, c.phone, c.erased_at from customer c where c.program_id = $1 and c.customer_id = o.customer_id
       and (c.program_id, c.customer_id) >= ($1, o.customer_id) limit 1
   ) c on true
   left join lateral (
     select a.posted, a.held, a.merged_into from account a where a.program_id = $1 and a.account_id = o.customer_id
       and (a.program_id, a.account_id) >= ($1, o.customer_id) limit 1
   ) a on true
   left join lateral (
     select r.product_name, r.rating, r.comment from order_rating r where r.program_id = $1 and r.order_uuid = o.order_uuid
       and (r.program_id, r.order_uuid) >= ($1, o.order_uuid) limit 1
   ) r on true`,
)

/** A merchant's order with its settlement, its customer, the wallet and the rating. */
export function findDetail({
  program_id,
  merchant_id,
  order_uuid,
}: OrderKey & { readonly merchant_id: number }): Statement<DetailRow> {
  return findDetailText(program_id, order_uuid, merchant_id)
}

/** What a wallet has. */
export type WalletPoints = Pick<Wallet, 'posted' | 'held'>

const findWalletText = prepared<WalletPoints>(
  'orders.wallet_now',
  `select w.posted, w.held
   from (
     select coalesce(a.merged_into, a.account_id) as account_id from account a
     where a.program_id = $1 and a.account_id = $2 and (a.program_id, a.account_id) >= ($1, $2) limit 1
   ) a
   cross join lateral (
     select w.posted, w.held from account w
     where w.program_id = $1 and w.account_id = a.account_id and (w.program_id, w.account_id) >= ($1, a.account_id) limit 1
   ) w`,
)

/** The wallet that an order's points go to by now: the customer's, or that into which it was merged. */
export function findWalletNow(program_id: number, customer_id: Uuid): Statement<WalletPoints> {
  return findWalletText(program_id, customer_id)
}

/** Points that an order moved into (above 0) or out of a bucket of its customer's wallet. */
export interface WalletEntry {
  readonly transfer_id: Uuid
  readonly kind: TransferKind
  readonly reason: string | null
  readonly created_at: Date
  readonly bucket: 'available' | 'held'
  readonly points: Points
  /** The points of the bucket after it. */
  readonly balance_after: Points
}

const findEntriesText = prepared<WalletEntry>(
  'orders.entries',
  `select t.transfer_id, t.kind, t.reason, t.created_at, e.bucket, e.amount as points, e.balance_after
   from (
     select 'earn:' || $2::uuid as reference
     union all
     select p.prefix || h.hold_id from (
       select h.hold_id from hold h where h.program_id = $1 and h.order_uuid = $2
         and (h.program_id, h.order_uuid) >= ($1, $2) offset 0
     ) h cross join (values ('hold:'), ('hold-end:')) as p(prefix)
     union all
     select p.prefix || r.refund_uuid from (
       select r.refund_uuid from order_refund r where r.program_id = $1 and r.order_uuid = $2
         and (r.program_id, r.order_uuid) >= ($1, $2) offset 0
     ) r cross join (values ('reverse:'), ('return:')) as p(prefix)
   ) cause
   cross join lateral (
     select t.* from transfer t where t.program_id = $1 and t.reference = cause.reference
       and (t.program_id, t.reference) >= ($1, cause.reference) limit 1
   ) t
   cross join lateral (
     select e.line, e.bucket, e.amount, e.balance_after from entry e
     where e.program_id = $1 and e.transfer_id = t.transfer_id and e.balance_after is not null
       and (e.program_id, e.transfer_id) >= ($1, t.transfer_id)
     offset 0
   ) e
   order by t.transfer_id desc, e.line limit $3`,
)

/** The entries of an order in its customer's wallet, the newest first. */
export function findWalletEntries({ program_id, order_uuid }: OrderKey, limit: number): Statement<WalletEntry> {
  return findEntriesText(program_id, order_uuid, limit)
}

/** An event of an order, with what its payload says beyond the order. */
export interface OrderEventRow {
  readonly event_id: Uuid
  readonly name: string
  readonly created_at: Date
  readonly status: string | null
  readonly label_ar: string | null
  readonly label_en: string | null
}

/**
 * The events of an order that are still kept, the newest first. Planned anew each time: of a month that was empty, a kept plan
 * would read all events.
 */
export function findEventsOf({ program_id, order_uuid }: OrderKey, limit: number): Statement<OrderEventRow> {
  return {
    text: `select e.event_id, e.name, e.created_at, p.payload->>'status' as status,
        p.payload->'custom_status'->>'ar' as label_ar, p.payload->'custom_status'->>'en' as label_en
      from (select e.* from event e where e.program_id = $1 and e.order_uuid = $2 offset 0) e
      cross join lateral (select ${readableJson('e.payload')} as payload) p
      order by e.event_id desc limit $3`,
    values: [program_id, order_uuid, limit],
  }
}

/** A delivery of one of an order's events. */
export interface OrderDelivery {
  readonly delivery_id: Uuid
  readonly event_id: Uuid
  readonly webhook_uuid: Uuid
  readonly webhook_name: string | null
  readonly state: 'due' | 'delivered' | 'failed'
  readonly attempts: number
  readonly due_at: Date | null
  readonly ended_at: Date | null
}

const findDeliveriesText = prepared<OrderDelivery>(
  'orders.deliveries',
  `select d.*, w.name as webhook_name
   from (
     (select q.delivery_id, q.event_id, q.webhook_uuid, 'due' as state, q.attempts, q.due_at, null::timestamptz as ended_at
      from delivery_queue q
      where q.program_id = $1 and q.order_uuid = $2 and (q.program_id, q.order_uuid) <= ($1, $2)
      order by q.delivery_id desc limit $5)
     union all
     select d.delivery_id, d.event_id, d.webhook_uuid, d.state, d.attempts, null, d.ended_at
     from ${rowsOfLists('$3::uuid[], $4::uuid[]', 'e(first_id, last_id)')}
     cross join lateral (
       select d.* from delivery d
       where d.program_id = $1 and d.delivery_id >= e.first_id and d.delivery_id <= e.last_id
         and (d.program_id, d.delivery_id) >= ($1, e.first_id) and (d.program_id, d.delivery_id) >= ($1, '${first_uuid}')
       order by d.program_id, d.delivery_id offset 0
     ) d
   ) d
   left join lateral (
     select w.name from webhook w where w.program_id = $1 and w.webhook_uuid = d.webhook_uuid
       and (w.program_id, w.webhook_uuid) >= ($1, d.webhook_uuid) limit 1
   ) w on true
   order by d.delivery_id desc limit $5`,
)

/** The deliveries of these events of an order, the newest first. A delivery has the id of its event but for the last byte. */
export function findDeliveriesOf(
  { program_id, order_uuid }: OrderKey,
  event_ids: readonly Uuid[],
  limit: number,
): Statement<OrderDelivery> {
  const withLastByte = (byte: string) => event_ids.map((event_id) => event_id.slice(0, 34) + byte)
  return findDeliveriesText(program_id, order_uuid, withLastByte('00'), withLastByte('ff'), limit)
}

/** A refund with its money leg. */
export interface RefundLine {
  readonly refund_uuid: Uuid
  readonly refund_halalas: Halalas
  readonly reversed_points: Points
  readonly returned_points: Points
  readonly provider_halalas: Halalas
  readonly provider_state: 'none' | 'due' | 'done' | 'refused'
  readonly provider_refund_reference: string | null
  readonly reason: string | null
  readonly created_at: Date
}

const findRefundsText = prepared<RefundLine>(
  'orders.refunds',
  `select r.refund_uuid, r.refund_halalas, r.reversed_points, r.returned_points, r.provider_halalas, r.provider_state,
     r.provider_refund_reference, r.reason, r.created_at
   from (
     select r.* from order_refund r
     where r.program_id = $1 and r.order_uuid = $2 and (r.program_id, r.order_uuid) >= ($1, $2) offset 0
   ) r
   order by r.refund_uuid desc limit $3`,
)

/** The refunds of an order, the newest first. */
export function findRefundsOf({ program_id, order_uuid }: OrderKey, limit: number): Statement<RefundLine> {
  return findRefundsText(program_id, order_uuid, limit)
}
