import type { EarningSource } from '../../domain/earning.ts'
import type { OrderSnapshot } from '../../domain/events.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Wallet } from '../../domain/ledger.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import { asHalalas, type Halalas, NO_MONEY, toSar } from '../../domain/money.ts'
import { type OrderState, type ShippingStatus, settlementStatus, shippingLabel } from '../../domain/order.ts'
import type { Points } from '../../domain/points.ts'
import { riyadhDate, riyadhTime, since } from './instants.ts'

/** A product as it was sent; `product_price` in SAR. */
export interface ProductLine {
  readonly product_name: string
  readonly product_price: number
  readonly quantity: number
}

/** An order as it is stored. */
export interface Order {
  readonly id: number
  readonly order_uuid: Uuid
  readonly merchant_id: number
  readonly type: 1 | 2
  readonly source: EarningSource | 'checkout'
  readonly reference_number: string
  readonly order_number: string
  readonly order_status: OrderState
  readonly total_halalas: Halalas
  readonly total_points: Points
  readonly metadata: object | null
  readonly items: readonly ProductLine[] | null
  readonly shipping_status: ShippingStatus
  readonly label_ar: string | null
  readonly label_en: string | null
  readonly settlement_id: Uuid | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** An order whose row is locked, with what its changes rest on. */
export interface LockedOrder extends Order {
  readonly program_id: number
  readonly customer_id: Uuid | null
  readonly earned_points: Points
  readonly redeemed_halalas: Halalas
  readonly refunded_halalas: Halalas
  readonly returned_points: Points
  readonly reversed_points: Points
  readonly authorized_at: Date | null
  readonly paid_at: Date | null
  /** The customer's, locked too, with the points that wait for the customer; null while the order has no customer. */
  readonly wallet: (Wallet & { readonly account_id: Uuid; readonly waiting: Points }) | null
  /** Null when none is open. */
  readonly hold: { readonly hold_id: Uuid; readonly points: Points } | null
}

/** The Order of the interface (spec, "Order"; decisions §3). Money in SAR. */
export interface OrderView {
  readonly id: number
  readonly uuid: string
  readonly reference_number: string
  readonly order_status: OrderState
  readonly status_label: string
  readonly custom_status: LocalText | null
  readonly order_number: string
  readonly type: 1 | 2
  readonly total_price: number
  readonly total_points: number
  readonly metadata: object | null
  readonly date: string
  readonly time: string
  readonly since: string
  readonly settlement_status: 'pending' | 'settled' | null
  readonly status: ShippingStatus
  readonly created_at: string
  readonly updated_at: string
  /** Present only when products were attached. */
  readonly items?: readonly ProductLine[]
}

/** Shapes an order for its merchant, in a locale, at an instant of the business clock. */
export function viewOrder(order: Order, locale: Locale, now: Date): OrderView {
  const custom = customStatus(order)
  const view = {
    id: order.id,
    uuid: order.order_uuid,
    reference_number: order.reference_number,
    order_status: order.order_status,
    status_label: shippingLabel(order.shipping_status, custom, locale),
    custom_status: custom,
    order_number: order.order_number,
    type: order.type,
    total_price: toSar(order.total_halalas),
    total_points: order.total_points,
    metadata: order.metadata,
    date: riyadhDate(order.created_at),
    time: riyadhTime(order.created_at),
    since: since(order.created_at, now, locale),
    settlement_status: settlementStatus({ state: order.order_status, settled: order.settlement_id !== null }),
    status: order.shipping_status,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
  return order.items === null ? view : { ...view, items: order.items }
}

/** The order as its events tell it, for an order whose money is all paid or owed elsewhere. */
export function snapshotOrder(
  order: Order,
  paid: { readonly was_authorized: boolean; readonly remainder_halalas: Halalas } = {
    was_authorized: false,
    remainder_halalas: NO_MONEY,
  },
): OrderSnapshot {
  return {
    uuid: order.order_uuid,
    reference_number: order.reference_number,
    order_number: order.order_number,
    type: order.type === 1 ? 'earning' : 'replacing',
    state: order.order_status,
    ...paid,
    total_halalas: order.total_halalas,
    total_points: order.total_points,
    metadata: order.metadata,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
}

/** The order as its events tell it, once it has been changed. */
export function snapshotChanged(order: LockedOrder): OrderSnapshot {
  const remainder_halalas = asHalalas(order.total_halalas - order.redeemed_halalas)
  const unpaid = order.type === 2 ? remainder_halalas : NO_MONEY
  return snapshotOrder(order, { was_authorized: order.authorized_at !== null, remainder_halalas: unpaid })
}

/** The custom label in both languages, when one was set. */
export function customStatus({ label_ar, label_en }: Pick<Order, 'label_ar' | 'label_en'>): LocalText | null {
  return label_ar === null || label_en === null ? null : { ar: label_ar, en: label_en }
}
