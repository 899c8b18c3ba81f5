/** What is announced to merchants, and the `order` of each announcement. Spec, "Events"; decisions §10. */

import type { Locale, LocalText } from './locale.ts'
import { type Halalas, toSar } from './money.ts'
import { type OrderState, type OrderType, orderEvents, type PaymentStatus, paymentStatus } from './order.ts'
import type { Points } from './points.ts'
import type { Refund } from './refund.ts'
import { type ShippingStatus, shippingLabel } from './shipping.ts'

export const eventNames = [...orderEvents, 'shipping_status_updated'] as const

export type EventName = (typeof eventNames)[number]

/** `reason` of an order cancelled without one (spec, "POST /v1/orders/{orderUuid}/cancel"). */
export const DEFAULT_CANCEL_REASON = 'Order cancelled via API'

/** `reason` of every automatic reversal (decisions §12). */
export const AUTO_REFUND_REASON = 'auto_refund_missing_transaction'

/** The order as it is at the event. Instants are ISO 8601 in UTC with `Z`. */
export interface OrderSnapshot {
  readonly uuid: string
  readonly reference_number: string | null
  readonly order_number: string
  readonly type: OrderType
  readonly state: OrderState
  readonly was_authorized: boolean
  readonly total_halalas: Halalas
  /** What points do not pay: 0 for an earning order. */
  readonly remainder_halalas: Halalas
  readonly total_points: Points
  readonly metadata: object | null
  readonly created_at: string
  readonly updated_at: string
}

/** What an event needs beyond the order. */
export interface EventExtras {
  readonly approved: Record<never, never>
  readonly authorized: Record<never, never>
  readonly captured: Record<never, never>
  readonly completed: Record<never, never>
  readonly cancelled: { readonly reason: string }
  readonly shipping_status_updated: {
    readonly status: ShippingStatus
    readonly custom_status: LocalText | null
    /** The program's. */
    readonly locale: Locale
  }
  readonly refunded: { readonly refund: Refund; readonly reason: string | null }
  readonly auto_refunded: { readonly refund: Refund }
}

/** Fields of every payload's `order`. Money is in SAR. */
export interface OrderPayload {
  readonly id: string
  readonly reference_number: string | null
  readonly order_number: string
  readonly type: OrderType
  readonly total_price: number
  readonly total_points: number
  readonly payment_status: PaymentStatus
  readonly order_status: OrderState
  readonly metadata: object | null
  readonly created_at: string
  readonly updated_at: string
}

export interface ShippingFields {
  readonly status: ShippingStatus
  readonly status_label: string
  readonly custom_status: LocalText | null
}

export interface RefundedFields {
  readonly reason: string | null
  readonly refund_amount: number
  /** Reversed of an earning order, returned of a replacing one. */
  readonly refund_points: number
  /** Only of a replacing order: earned on its money part, and taken back. */
  readonly reversed_points?: number
  readonly left_points: number
  readonly left_amount: number
}

export interface AutoRefundedFields {
  readonly reason: string
  readonly refund_amount: number
  readonly refund_points: number
}

/** The `order` object of each event. */
export interface EventPayloads {
  readonly approved: OrderPayload
  readonly authorized: OrderPayload
  readonly captured: OrderPayload
  readonly completed: OrderPayload
  readonly cancelled: OrderPayload & { readonly reason: string }
  readonly shipping_status_updated: OrderPayload & ShippingFields
  readonly refunded: OrderPayload & RefundedFields
  readonly auto_refunded: OrderPayload & AutoRefundedFields
}

type Builders = {
  readonly [Name in EventName]: (order: OrderSnapshot, extras: EventExtras[Name]) => EventPayloads[Name]
}

/** What each event says beyond the order's own fields (decisions §10, "Payload `order`"). */
const builders: Builders = {
  approved: orderPayload,
  authorized: orderPayload,
  captured: orderPayload,
  completed: orderPayload,
  cancelled: (order, { reason }) => ({ ...orderPayload(order), reason }),
  shipping_status_updated: (order, { status, custom_status, locale }) => ({
    ...orderPayload(order),
    status,
    status_label: shippingLabel(status, custom_status, locale),
    custom_status,
  }),
  refunded: (order, { refund, reason }) => ({
    ...orderPayload(order),
    reason,
    refund_amount: toSar(refund.refund_halalas),
    refund_points: refundPoints(order.type, refund),
    ...(order.type === 'replacing' && { reversed_points: refund.reversed_points }),
    left_points: refund.left_points,
    left_amount: toSar(refund.left_halalas),
  }),
  auto_refunded: (order, { refund }) => ({
    ...orderPayload(order),
    reason: AUTO_REFUND_REASON,
    refund_amount: toSar(refund.refund_halalas),
    refund_points: refundPoints(order.type, refund),
  }),
}

/** Takes an event, the order as it is at it, and what the event adds; gives the payload's `order`. Decisions §10. */
export function eventPayload<Name extends EventName>(
  name: Name,
  order: OrderSnapshot,
  extras: EventExtras[Name],
): EventPayloads[Name] {
  return builders[name](order, extras)
}

function orderPayload(order: OrderSnapshot): OrderPayload {
  return {
    id: order.uuid,
    reference_number: order.reference_number,
    order_number: order.order_number,
    type: order.type,
    total_price: toSar(order.total_halalas),
    total_points: order.total_points,
    payment_status: paymentStatus(order),
    order_status: order.state,
    metadata: order.metadata,
    created_at: order.created_at,
    updated_at: order.updated_at,
  }
}

function refundPoints(type: OrderType, refund: Refund): Points {
  return type === 'earning' ? refund.reversed_points : refund.returned_points
}
