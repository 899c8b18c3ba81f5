import type { Database } from '../../db/pool.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { availablePoints } from '../../domain/ledger.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import { type OrderOptions, optionsOf } from '../../domain/order-options.ts'
import { asPoints, type Points, proportion } from '../../domain/points.ts'
import { decideRefund } from '../../domain/refund.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  type DetailRow,
  findDeliveriesOf,
  findDetail,
  findEventsOf,
  findRefundsOf,
  findWalletEntries,
  findWalletNow,
  type OrderDelivery,
  type OrderEventRow,
  type RefundLine,
  type WalletEntry,
  type WalletPoints,
} from './dashboard-detail-queries.ts'
import { type Happening, timelineOf } from './dashboard-timeline.ts'
import { findPaymentsOf, type PaymentOfOrder } from './list-queries.ts'
import { findPaid } from './queries.ts'
import { refundFacts } from './refund.ts'
import { findSessionOf, type SessionRow } from './session-queries.ts'

/** How much of an order's past its page shows. */
const most_entries = 200
const most_refunds = 200
const most_events = 100
const most_deliveries = 200

/** Everything that is known of an order. */
export interface OrderDetail {
  readonly order: DetailRow
  readonly options: OrderOptions
  readonly timeline: readonly Happening[]
  readonly entries: readonly WalletEntry[]
  readonly refunds: readonly RefundLine[]
  readonly payments: readonly PaymentOfOrder[]
  readonly events: readonly OrderEventRow[]
  readonly deliveries: readonly OrderDelivery[]
  readonly session: SessionRow | undefined
}

/**
 * Reads an order of this merchant with all that belongs to it.
 * @throws DomainError `order_not_found`
 */
export async function readOrderDetail(
  db: Database,
  clock: Clock,
  merchant: Merchant,
  order_uuid: Uuid,
): Promise<OrderDetail> {
  const key = { program_id: merchant.program_id, order_uuid }
  // Nothing else is read of an order of others.
  const order = await readDetail(db, merchant, order_uuid)
  const deliveriesOf = async (events: Promise<OrderEventRow[]>) => {
    const ids = (await events).map(({ event_id }) => event_id)
    return db.run(findDeliveriesOf(key, ids, most_deliveries))
  }
  const reading = db.run(findEventsOf(key, most_events))
  const [paid, entries, refunds, payments, session, deliveries, events] = await Promise.all([
    db.one(findPaid(key)),
    db.run(findWalletEntries(key, most_entries)),
    db.run(findRefundsOf(key, most_refunds)),
    db.run(findPaymentsOf(key.program_id, order_uuid)),
    order.type === 2 ? db.one(findSessionOf(key.program_id, order_uuid)) : undefined,
    deliveriesOf(reading),
    reading,
  ])
  const options = optionsOf(refundFacts(merchant, order, paid, null), clock.now().getTime())
  const timeline = timelineOf(order, refunds, events)
  return { order, options, timeline, entries, refunds, payments, events, deliveries, session }
}

async function readDetail(db: Database, merchant: Merchant, order_uuid: Uuid): Promise<DetailRow> {
  const { program_id, merchant_id } = merchant
  const order = await db.one(findDetail({ program_id, merchant_id, order_uuid }))
  if (order === undefined) throw new DomainError({ kind: 'order_not_found' })
  return order
}

/** What a refund would do: both legs, the wallet and the order after it. */
export interface RefundPreview {
  readonly refund_halalas: Halalas
  /** Through the provider that collected it. */
  readonly provider_halalas: Halalas
  /** The rest of the money, which the merchant gives back. */
  readonly merchant_halalas: Halalas
  readonly reversed_points: Points
  readonly returned_points: Points
  /** Null where the order has no customer. */
  readonly wallet: { readonly before: WalletAt; readonly after: WalletAt } | null
  readonly order_status: OrderState
  readonly left_halalas: Halalas
  readonly left_points: Points
}

interface WalletAt {
  readonly posted: Points
  readonly available: Points
}

/**
 * Decides a refund as the refund itself does, and changes nothing.
 * @param amount null for all that is left
 * @throws DomainError `order_not_found`, or as `decideRefund` refuses
 */
export async function previewRefund(
  db: Database,
  clock: Clock,
  { merchant, order_uuid, amount }: { merchant: Merchant; order_uuid: Uuid; amount: Halalas | null },
): Promise<RefundPreview> {
  const { program_id } = merchant
  const order = await readDetail(db, merchant, order_uuid)
  const [paid, wallet] = await Promise.all([
    db.one(findPaid({ program_id, order_uuid })),
    order.customer_id === null ? undefined : db.one(findWalletNow(program_id, order.customer_id)),
  ])
  const facts = refundFacts(merchant, order, paid, wallet ?? null)
  const refund = decideRefund(facts, amount, clock.now().getTime())
  if (refund.kind !== 'refund') throw new DomainError(refund)
  const { refund_halalas, provider_refund_halalas: provider_halalas, reversed_points, returned_points } = refund
  return {
    refund_halalas,
    provider_halalas,
    merchant_halalas: paid === undefined ? moneyBack(order, refund_halalas) : NO_MONEY,
    reversed_points,
    returned_points,
    wallet: wallet === undefined ? null : walletAround(wallet, asPoints(returned_points - reversed_points)),
    order_status: refund.transition.to,
    left_halalas: refund.left_halalas,
    left_points: refund.left_points,
  }
}

/** The part of a refund that was paid with money: the points' part comes back as points. */
function moneyBack({ total_halalas, redeemed_halalas, refunded_halalas }: DetailRow, refund: Halalas): Halalas {
  if (total_halalas === 0) return NO_MONEY
  const money = asHalalas(total_halalas - redeemed_halalas)
  const share = (refunded: number) => proportion(money, asHalalas(refunded), total_halalas)
  return asHalalas(share(refunded_halalas + refund) - share(refunded_halalas))
}

function walletAround({ posted, held }: WalletPoints, points: Points): NonNullable<RefundPreview['wallet']> {
  const at = (now: Points): WalletAt => ({ posted: now, available: availablePoints({ posted: now, held }) })
  return { before: at(posted), after: at(asPoints(posted + points)) }
}
