/** The order table, the statuses that follow from it, and the shipping status. docs/spec/orders.md#transitions */
import type { Failure } from './failures.ts'
import type { Locale, LocalText } from './locale.ts'
import type { Halalas } from './money.ts'

export const orderStates = [
  'new',
  'approved',
  'authorized',
  'captured',
  'cancelled',
  'fully_refunded',
  'partially_refunded',
] as const

export type OrderState = (typeof orderStates)[number]

/** `type` 1 and 2 of the API. */
export type OrderType = 'earning' | 'replacing'

/** Takes the type as it is stored and as the API numbers it; gives its name. */
export function orderType(number: 1 | 2): OrderType {
  return number === 1 ? 'earning' : 'replacing'
}

/**
 * The actions on an order. `award` completes the creation of an earning order. `pay`: the hosted checkout is paid, or
 * confirmed with nothing left to pay. A refund is `refund_all` if it takes all that is left, else `refund_part`.
 */
export const orderActions = [
  'award',
  'pay',
  'complete',
  'authorize',
  'capture',
  'cancel',
  'refund_all',
  'refund_part',
  'auto_refund',
] as const

export type OrderAction = (typeof orderActions)[number]

/**
 * What a transition does to points. `earn`: the customer gets the order's points. `settle`: held points are posted, and
 * the money part earns. `keep held`, `release held`: the hold stays, or is released. `give back`: see `refund.ts`.
 */
export type PointsMovement = 'earn' | 'settle' | 'keep held' | 'release held' | 'give back'

/** The events of transitions. docs/spec/webhooks.md#events */
export const orderEvents = [
  'approved',
  'authorized',
  'captured',
  'cancelled',
  'completed',
  'refunded',
  'auto_refunded',
] as const

export type OrderEvent = (typeof orderEvents)[number]

export interface Move {
  readonly by: OrderType | 'both'
  readonly to: OrderState
  readonly points: PointsMovement
  readonly events: readonly OrderEvent[]
}

type OrderTable = Readonly<Record<OrderState, Readonly<Partial<Record<OrderAction, Move>>>>>

/** Every allowed transition, by state and action. Any other pair is refused. docs/spec/orders.md#transitions */
// biome-ignore format: one row per move, to be read as a table
export const orderTable = {
  new: {
    award:       { by: 'earning',   to: 'approved',           points: 'earn',         events: ['approved'] },
    pay:         { by: 'replacing', to: 'approved',           points: 'settle',       events: ['approved'] },
    complete:    { by: 'replacing', to: 'approved',           points: 'settle',       events: ['approved', 'completed'] },
    authorize:   { by: 'replacing', to: 'authorized',         points: 'keep held',    events: ['authorized'] },
    cancel:      { by: 'replacing', to: 'cancelled',          points: 'release held', events: ['cancelled'] },
  },
  authorized: {
    capture:     { by: 'replacing', to: 'captured',           points: 'settle',       events: ['captured'] },
    cancel:      { by: 'replacing', to: 'cancelled',          points: 'release held', events: ['cancelled'] },
  },
  approved: {
    refund_all:  { by: 'both',      to: 'fully_refunded',     points: 'give back',    events: ['refunded'] },
    refund_part: { by: 'both',      to: 'partially_refunded', points: 'give back',    events: ['refunded'] },
    auto_refund: { by: 'replacing', to: 'fully_refunded',     points: 'give back',    events: ['auto_refunded'] },
  },
  captured: {
    refund_all:  { by: 'replacing', to: 'fully_refunded',     points: 'give back',    events: ['refunded'] },
    refund_part: { by: 'replacing', to: 'partially_refunded', points: 'give back',    events: ['refunded'] },
    auto_refund: { by: 'replacing', to: 'fully_refunded',     points: 'give back',    events: ['auto_refunded'] },
  },
  partially_refunded: {
    refund_all:  { by: 'both',      to: 'fully_refunded',     points: 'give back',    events: ['refunded'] },
    refund_part: { by: 'both',      to: 'partially_refunded', points: 'give back',    events: ['refunded'] },
  },
  fully_refunded: {},
  cancelled: {},
} as const satisfies OrderTable

/**
 * The states in which an order of each type is stored. An earning order is awarded as it is created, so it is never
 * `new`.
 */
export const storedStates = {
  earning: ['approved', 'fully_refunded', 'partially_refunded'],
  replacing: orderStates,
} as const satisfies Record<OrderType, readonly OrderState[]>

export interface Transition extends Move {
  readonly kind: 'transition'
  readonly from: OrderState
  readonly action: OrderAction
}

/** The key of an order in the order table. */
export interface OrderPosition {
  readonly type: OrderType
  readonly state: OrderState
}

/**
 * Takes type and state of an order and an action; gives the transition, or the failure: `not_a_replacing_order` and
 * `order_already_paid` take precedence over the `cannot_…` of the action. docs/spec/orders.md#move-rules
 */
export function decideTransition(order: OrderPosition, action: OrderAction): Transition | Failure {
  const move = moveOf(order.state, action)
  if (move === undefined || (move.by !== 'both' && move.by !== order.type)) return refusal(order, action)
  return { kind: 'transition', from: order.state, action, ...move }
}

function moveOf(state: OrderState, action: OrderAction): Move | undefined {
  const moves: Partial<Record<OrderAction, Move>> = orderTable[state]
  return moves[action]
}

function refusal(order: OrderPosition, action: OrderAction): Failure {
  switch (action) {
    case 'award':
      return { kind: 'unexpected' } // unreachable: only the earning path awards, and only new orders
    case 'pay':
    case 'complete':
      return unpayable(order)
    case 'authorize':
      return { kind: 'cannot_authorize' }
    case 'capture':
      return { kind: 'cannot_capture' }
    case 'cancel':
      return { kind: 'cannot_cancel' }
    case 'refund_all':
    case 'refund_part':
    case 'auto_refund':
      return { kind: 'cannot_refund' }
  }
}

function unpayable(order: OrderPosition): Failure {
  if (order.type === 'earning') return { kind: 'not_a_replacing_order' }
  const paid = order.state === 'approved' || order.state === 'captured'
  return { kind: paid ? 'order_already_paid' : 'cannot_complete' }
}

export type SettlementStatus = 'pending' | 'settled'

/**
 * Takes an order's state and whether a settlement contains it; gives `settlement_status`, null while nothing is owed.
 * docs/spec/orders.md#settlement-status
 */
export function settlementStatus(order: { state: OrderState; settled: boolean }): SettlementStatus | null {
  if (order.settled) return 'settled'
  const owed = order.state === 'approved' || order.state === 'captured' || order.state === 'partially_refunded'
  return owed ? 'pending' : null
}

export type PaymentStatus = 'partially_paid' | 'fully_paid'

export interface PaymentFacts {
  readonly state: OrderState
  /** True if the order has ever been `authorized`. */
  readonly was_authorized: boolean
  /** The total less what points pay. */
  readonly due_halalas: Halalas
}

/** Gives `payment_status`: `partially_paid` while money is still to be paid. docs/spec/webhooks.md#payment-status */
export function paymentStatus(order: PaymentFacts): PaymentStatus {
  const unpaid = order.state === 'new' || (order.state === 'cancelled' && !order.was_authorized)
  return unpaid && order.due_halalas > 0 ? 'partially_paid' : 'fully_paid'
}

/**
 * The shipping status is independent of the order state; any value may follow any. docs/spec/orders.md#shipping-status
 */
export const shippingStatuses = [
  'new',
  'license_in_progress',
  'ready_shipping',
  'delivery_is_in_progress',
  'delivered',
  'cancelled',
] as const

export type ShippingStatus = (typeof shippingStatuses)[number]

/** The canonical labels. docs/spec/orders.md#shipping-labels */
const shippingLabels: Readonly<Record<ShippingStatus, LocalText>> = {
  new: { en: 'New', ar: 'جديد' },
  license_in_progress: { en: 'License in progress', ar: 'الترخيص قيد الإجراء' },
  ready_shipping: { en: 'Ready for shipping', ar: 'جاهز للشحن' },
  delivery_is_in_progress: { en: 'Out for delivery', ar: 'قيد التوصيل' },
  delivered: { en: 'Delivered', ar: 'تم التوصيل' },
  cancelled: { en: 'Cancelled', ar: 'ملغي' },
}

/**
 * Gives `status_label` in a locale: the custom label if one is set, else the canonical one.
 * docs/spec/orders.md#status-label
 */
export function shippingLabel(status: ShippingStatus, custom: LocalText | null, locale: Locale): string {
  return (custom ?? shippingLabels[status])[locale]
}
