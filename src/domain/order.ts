/** THE ORDER TABLE, and what follows from it. Spec, "States and transitions"; decisions §3, §6, §7, §8, §10 and §12. */
import type { Failure } from './failures.ts'
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

/** `type` 1 and 2 of the interface. */
export type OrderType = 'earning' | 'replacing'

/**
 * What can be done to an order. `award` ends the creation of an earning order; `pay` is the hosted checkout paid, or
 * confirmed with nothing left to pay; a refund is `refund_all` when it takes all that is left, else `refund_part`.
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
 * How a move treats points. `earn`: the order's points to the customer. `settle`: held points are posted, and the money
 * part earns. `keep held`, `release held`: the hold stays, or ends. `give back`: see `refund.ts`.
 */
export type PointsMovement = 'earn' | 'settle' | 'keep held' | 'release held' | 'give back'

/** The events that moves fire. Spec, "Events". */
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

/** Every move an order can make; a pair that is not here is refused. Spec, "Financial state"; decisions §6–8, §12. */
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

/** The states in which an order of a type is ever stored: an earning order is awarded as it is created. Decisions §6. */
export const storedStates = {
  earning: ['approved', 'fully_refunded', 'partially_refunded'],
  replacing: orderStates,
} as const satisfies Record<OrderType, readonly OrderState[]>

/** The states from which an action is possible, for some type of order. Decisions §7. */
export function allowedFrom(action: OrderAction): readonly OrderState[] {
  return orderStates.filter((state) => moveOf(state, action) !== undefined)
}

export interface Transition extends Move {
  readonly kind: 'transition'
  readonly from: OrderState
  readonly action: OrderAction
}

/** What the order table needs to know of an order. */
export interface OrderPosition {
  readonly type: OrderType
  readonly state: OrderState
}

/**
 * Takes where an order stands and an action; gives the transition, or why it is refused: `not_a_replacing_order` and
 * `order_already_paid` before the `cannot_…` of the action. Spec, rules 1–6 under "Financial state"; decisions §7.
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
      return { kind: 'unexpected' } // only the earning path awards, and only what it has just created
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
 * Takes an order's state and whether a closed settlement contains it; gives `settlement_status`, null while nothing is
 * owed. Decisions §3, "settlement_status".
 */
export function settlementStatus(order: { state: OrderState; settled: boolean }): SettlementStatus | null {
  if (order.settled) return 'settled'
  const owed = order.state === 'approved' || order.state === 'captured' || order.state === 'partially_refunded'
  return owed ? 'pending' : null
}

export type PaymentStatus = 'partially_paid' | 'fully_paid'

export interface PaymentFacts {
  readonly state: OrderState
  /** Whether the order has ever been `authorized`: tells a cancellation from `new` from one after it. */
  readonly was_authorized: boolean
  /** What points do not pay. */
  readonly remainder_halalas: Halalas
}

/** Gives `payment_status`: `partially_paid` while money is still to be paid. Decisions §10. */
export function paymentStatus(order: PaymentFacts): PaymentStatus {
  const unpaid = order.state === 'new' || (order.state === 'cancelled' && !order.was_authorized)
  return unpaid && order.remainder_halalas > 0 ? 'partially_paid' : 'fully_paid'
}
