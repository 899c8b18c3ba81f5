/** The events that merchants receive, and the `order` object of each payload. docs/spec/webhooks.md#events */

import type { Locale, LocalText } from './locale.ts'
import { type Halalas, toSar } from './money.ts'
import {
  type OrderState,
  type OrderType,
  orderEvents,
  type PaymentStatus,
  paymentStatus,
  type ShippingStatus,
  shippingLabel,
} from './order.ts'
import type { Points } from './points.ts'
import type { Refund } from './refund.ts'

export const eventNames = [...orderEvents, 'shipping_status_updated'] as const

export type EventName = (typeof eventNames)[number]

/** `reason` of an order cancelled without one. docs/spec/orders.md#cancel */
export const DEFAULT_CANCEL_REASON = 'Order cancelled via API'

/** `reason` of every automatic reversal. docs/spec/payments.md#automatic-reversal */
export const AUTO_REFUND_REASON = 'auto_refund_missing_transaction'

/** The order at the time of the event. Timestamps are ISO 8601 in UTC with `Z`. docs/spec/webhooks.md#snapshot */
export interface OrderSnapshot {
  readonly uuid: string
  readonly reference_number: string | null
  readonly order_number: string
  readonly type: OrderType
  readonly state: OrderState
  readonly was_authorized: boolean
  readonly total_halalas: Halalas
  /** The total less what points pay; 0 for an earning order. */
  readonly due_halalas: Halalas
  readonly total_points: Points
  readonly metadata: object | null
  readonly created_at: string
  readonly updated_at: string
}

/** The input of each event besides the order. */
export interface EventExtras {
  readonly approved: Record<never, never>
  readonly authorized: Record<never, never>
  readonly captured: Record<never, never>
  readonly completed: Record<never, never>
  readonly cancelled: { readonly reason: string }
  readonly shipping_status_updated: {
    readonly status: ShippingStatus
    readonly custom_status: LocalText | null
    /** The program's language. */
    readonly locale: Locale
  }
  readonly refunded: { readonly refund: Refund; readonly reason: string | null }
  readonly auto_refunded: { readonly refund: Refund }
}

/** The fields of `order` in every payload. Money is in SAR. docs/spec/webhooks.md#payload */
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
  /** Points reversed of an earning order, or returned of a replacing order. */
  readonly refund_points: number
  /** Replacing orders only: points earned on the money part and taken back. */
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
  /** The reason is null in what is sent again after an erasure. */
  readonly cancelled: OrderPayload & { readonly reason: string | null }
  readonly shipping_status_updated: OrderPayload & ShippingFields
  readonly refunded: OrderPayload & RefundedFields
  readonly auto_refunded: OrderPayload & AutoRefundedFields
}

type Builders = {
  readonly [Name in EventName]: (order: OrderSnapshot, extras: EventExtras[Name]) => EventPayloads[Name]
}

/** Builds the payload of each event. docs/spec/webhooks.md#payload-extras */
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

/** Takes an event name, the order at that time, and the input of the event; gives the `order` object of the payload. */
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
