import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, preparedRows, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { MicroSarPerPoint, Points } from '../../domain/points.ts'
import type { HoldOutcome } from '../../domain/redemption.ts'
import { inSettlement } from '../merchants/boundary-queries.ts'
import type { LockedOrder, Order, OrderKey } from './order.ts'

/** Whether a settlement contains the order `o`. docs/spec/settlement.md#settlement-status */
export const settled = `exists (
       select from earning_lock l where l.program_id = $1 and l.merchant_id = o.merchant_id
         and (l.program_id, l.merchant_id) >= ($1, o.merchant_id) and coalesce(o.booked_at, o.paid_at) < l.settled_to
     ) and ${inSettlement}`

export const orderColumns = `o.id, o.order_uuid, o.merchant_id, o.type, o.source, o.reference_number, o.order_number, o.order_status,
     o.total_halalas, o.total_points, o.metadata, o.items, o.shipping_status, o.label_ar, o.label_en,
     ${settled} as settled, o.created_at, o.updated_at`

const findOrdersText = preparedRows<Order>(
  'orders.find',
  (rows) => `select ${orderColumns}
   from ${rows('$2::uuid[], $3::bigint[]', 'k(order_uuid, merchant_id)')}
   cross join lateral (
     select o.* from orders o
     where o.program_id = $1 and o.order_uuid = k.order_uuid and o.merchant_id is not distinct from k.merchant_id
       and (o.program_id, o.order_uuid) >= ($1, k.order_uuid)
     limit 1
   ) o`,
)

/** The orders that belong to the merchant who asks, all of one program. Missing and foreign orders are left out. */
export function findOrders(
  program_id: number,
  asked: readonly { readonly order_uuid: Uuid; readonly merchant_id: number }[],
): Statement<Order> {
  return findOrdersText(
    program_id,
    asked.map(({ order_uuid }) => order_uuid),
    asked.map(({ merchant_id }) => merchant_id),
  )
}

/** An order of one merchant. */
export interface OrderOfMerchant extends OrderKey {
  readonly merchant_id: number
}

export type LockedRow = Omit<LockedOrder, 'wallet' | 'hold' | 'closing_to' | 'closed' | 'last_queued'>

const lockOrderText = prepared<LockedRow>(
  'orders.lock',
  `select ${orderColumns}, o.program_id, o.customer_id, o.earned_points, o.redeemed_halalas, o.refunded_halalas,
     o.returned_points, o.reversed_points, o.authorized_at, o.paid_at, o.micro_sar_per_point
   from orders o
   where o.program_id = $1 and o.order_uuid = $2 and o.merchant_id is not distinct from $3 and (o.program_id, o.order_uuid) >= ($1, $2)
   for no key update`,
)

/** Locks an order until the transaction ends. Always lock the order before the wallet. */
export function lockOrder({ program_id, order_uuid, merchant_id }: OrderOfMerchant): Statement<LockedRow> {
  return lockOrderText(program_id, order_uuid, merchant_id)
}

/** A locked wallet. Only an `invited` customer may have earnings that wait. */
export type LockedWallet = Omit<NonNullable<LockedOrder['wallet']>, 'waiting'> & { readonly invited: boolean }

/** `merged`: it was merged into another while the lock was waited for. Lock that one. */
export type LockedWalletNow = LockedWallet & { readonly merged: boolean }

const lockWalletText = prepared<LockedWalletNow>(
  'orders.wallet',
  `select a.account_id, a.posted, a.held, a.version, a.blocked, a.erased, a.merged, c.status = 'invited' as invited
   from (
     select coalesce((
       select m.merged_into from account m
       where m.program_id = $1 and m.account_id = o.customer_id and (m.program_id, m.account_id) >= ($1, o.customer_id)
       limit 1
     ), o.customer_id) as customer_id
     from orders o
     where o.program_id = $1 and o.order_uuid = $2 and o.merchant_id is not distinct from $3 and (o.program_id, o.order_uuid) >= ($1, $2)
     limit 1
   ) o
   cross join lateral (
     select a.account_id, a.posted, a.held, a.version, a.blocked_at is not null or a.erased_at is not null as blocked,
       a.erased_at is not null as erased, a.merged_into is not null as merged from account a
     where a.program_id = $1 and a.account_id = o.customer_id and (a.program_id, a.account_id) >= ($1, o.customer_id)
     for no key update
   ) a
   cross join lateral (
     select c.status from customer c
     where c.program_id = $1 and c.customer_id = o.customer_id and (c.program_id, c.customer_id) >= ($1, o.customer_id)
     limit 1
   ) c`,
)

/** Locks the wallet of an order's customer, or that into which it was merged. */
export function lockWalletOf({ program_id, order_uuid, merchant_id }: OrderOfMerchant): Statement<LockedWalletNow> {
  return lockWalletText(program_id, order_uuid, merchant_id)
}

const findHoldText = prepared<NonNullable<LockedOrder['hold']>>(
  'orders.hold',
  `select hold_id, points from hold where program_id = $1 and order_uuid = $2 and state = 'open'
     and (program_id, order_uuid) >= ($1, $2)`,
)

/** The open hold of an order. It changes only under the order's lock. */
export function findOpenHold({ program_id, order_uuid }: OrderKey): Statement<NonNullable<LockedOrder['hold']>> {
  return findHoldText(program_id, order_uuid)
}

/** A hold, with the transfers that made and ended it. */
export interface HoldRow extends HoldOutcome {
  readonly program_id: number
  readonly order_uuid: Uuid
  readonly account_id: Uuid
  readonly hold_transfer_id: Uuid | undefined
  readonly end_transfer_id: Uuid | undefined
}

const insertHoldText = prepared<never>(
  'transitions.new_hold',
  `insert into hold
     (program_id, hold_id, order_uuid, account_id, points, state, hold_transfer_id, end_transfer_id, created_at, ended_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

const endHoldText = prepared<never>(
  'transitions.end_hold',
  `update hold set state = $3, end_transfer_id = $4, ended_at = $5
   where program_id = $1 and hold_id = $2 and state = $6 and (program_id, hold_id) >= ($1, $2)`,
)

/** Inserts a hold, open or already ended, or ends one that was open. */
export function writeHold(hold: HoldRow, now: Date): Statement<never> {
  const { program_id, hold_id, state, end_transfer_id = null } = hold
  if (!hold.made) return endHoldText(program_id, hold_id, state, end_transfer_id, now, 'open')
  const begin = [hold.order_uuid, hold.account_id, hold.points, state, hold.hold_transfer_id]
  return insertHoldText(program_id, hold_id, ...begin, end_transfer_id, now, state === 'open' ? null : now)
}

/** Columns that a change of an order may write. */
export type OrderChanges = Partial<
  Pick<
    LockedOrder,
    | 'order_status'
    | 'customer_id'
    | 'total_points'
    | 'redeemed_halalas'
    | 'authorized_at'
    | 'paid_at'
    | 'micro_sar_per_point'
    | 'earned_points'
    | 'refunded_halalas'
    | 'returned_points'
    | 'reversed_points'
    | 'shipping_status'
    | 'label_ar'
    | 'label_en'
  > & {
    readonly payment_method: string | null
    readonly reason: string
    /** When a paid order counts in its merchant's account, if later. */
    readonly booked_at: Date | null
    /** It is refunded in full after its period was closed. */
    readonly refunded_late: boolean
  }
>

/** Changes a locked order. */
export function updateOrder(order: LockedRow, changes: OrderChanges, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('orders')
    .set({ ...changes, updated_at: now })
    .where('program_id', '=', order.program_id)
    .where('order_uuid', '=', order.order_uuid)
    .compile()
}

/** Lets a locked order count at an instant; with null at none, until it is booked again. */
export function bookOrder({ program_id, order_uuid }: OrderKey, at: Date | null): Statement<never> {
  return {
    text: "update orders set booked_at = coalesce($3::timestamptz, 'infinity') where program_id = $1 and order_uuid = $2",
    values: [program_id, order_uuid, at],
  }
}

/** The pending earnings of a customer: their points and their number. */
export interface Waiting {
  readonly customer_id: Uuid
  readonly points: Points
  readonly earnings: number
}

const sumWaitingText = prepared<Waiting>(
  'earning.waiting',
  `select k.customer_id, least(sum(p.total_points), ${Number.MAX_SAFE_INTEGER})::bigint as points, count(*) as earnings
   from (select distinct n.customer_id from ${rowsOfLists('$2::uuid[]', 'n(customer_id)')}) k
   cross join lateral (
     select p.total_points from pending_earning p
     where p.program_id = $1 and p.customer_id = k.customer_id and p.order_uuid is null
       and (p.program_id, p.customer_id) >= ($1, k.customer_id)
     offset 0
   ) p
   group by k.customer_id`,
)

/** What waits for these customers. The caller has locked their wallets, so that nothing is added meanwhile. */
export function sumWaiting(program_id: number, ids: readonly Uuid[]): Statement<Waiting> {
  return sumWaitingText(program_id, ids)
}

/** A payment that a provider has collected. */
export interface PaidPayment {
  readonly payment_uuid: Uuid
  readonly amount_halalas: Halalas
}

const findPaidText = prepared<PaidPayment>(
  'refunds.paid',
  `select payment_uuid, amount_halalas from order_payment
   where program_id = $1 and order_uuid = $2 and state in ('paid', 'authorized')
     and (program_id, order_uuid) >= ($1, $2)`,
)

/**
 * The payment that a provider has collected for a captured or approved order; there is at most one, and it changes only
 * under the order's lock. One that is still `authorized` is being captured, and its refund waits for that.
 */
export function findPaid({ program_id, order_uuid }: OrderKey): Statement<PaidPayment> {
  return findPaidText(program_id, order_uuid)
}

const findEarnedValueText = prepared<{ value: MicroSarPerPoint | null }>(
  'refunds.earned_value',
  `select e.micro_sar_per_point as value
   from (
     select t.transfer_id from transfer t
     where t.program_id = $1 and t.reference = $2 and (t.program_id, t.reference) >= ($1, $2)
     limit 1
   ) t
   cross join lateral (
     select e.micro_sar_per_point from entry e
     where e.program_id = $1 and e.transfer_id = t.transfer_id and (e.program_id, e.transfer_id) >= ($1, t.transfer_id) limit 1
   ) e`,
)

/** The value of a point with which an order earned. */
export function findEarnedValue({ program_id, order_uuid }: OrderKey): Statement<{ value: MicroSarPerPoint | null }> {
  return findEarnedValueText(program_id, `earn:${order_uuid}`)
}

export interface RefundRow extends OrderKey {
  readonly refund_uuid: Uuid
  readonly refund_halalas: number
  readonly reversed_points: number
  readonly returned_points: number
  readonly provider_halalas: number
  readonly payment_uuid: Uuid | null
  readonly reason: string | null
}

/** Writes a refund. A provider that collected the money still has to pay it back (`provider_state`). */
export function insertRefund(refund: RefundRow, now: Date): CompiledQuery<unknown> {
  const provider_state = refund.provider_halalas === 0 ? 'none' : 'due'
  return builder
    .insertInto('order_refund')
    .values({ ...refund, provider_state, created_at: now })
    .compile()
}
