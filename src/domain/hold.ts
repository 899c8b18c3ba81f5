/** How transitions of a replacing order change its held points. docs/spec/checkout.md#held-points */
import type { Failure } from './failures.ts'
import type { Uuid } from './ids.ts'
import type { LedgerFact } from './ledger.ts'
import type { PointsMovement } from './order.ts'
import { asPoints, type Points } from './points.ts'

/** What `movePoints` needs to know of an order. */
export interface HeldOrder {
  readonly order_uuid: Uuid
  /** The account id of the merchant. */
  readonly merchant: Uuid
  /** The customer's wallet and its available points; null while the order has no customer. */
  readonly wallet: { readonly account_id: Uuid; readonly available: Points } | null
  /** The points that the customer chose; kept after the hold ends, so that it can be made again. */
  readonly chosen_points: Points
  /** The open hold; null if there was none or it has expired. */
  readonly hold: { readonly hold_id: Uuid; readonly points: Points } | null
  /** Points that the money part earns when the order is paid. */
  readonly money_part_points: Points
}

/** A hold after a transition. */
export interface HoldOutcome {
  readonly hold_id: Uuid
  readonly points: Points
  readonly state: 'open' | 'posted' | 'released'
  /** True for a hold that this transition makes. */
  readonly made: boolean
}

export interface PointsMove {
  readonly kind: 'points move'
  /** In the order of posting. */
  readonly facts: readonly LedgerFact[]
  /** Null when no hold changes. */
  readonly hold: HoldOutcome | null
  readonly earned_points: Points
}

const nothing: PointsMove = { kind: 'points move', facts: [], hold: null, earned_points: asPoints(0) }

/**
 * Takes an order and what a transition does to its points; gives the facts to post. An expired hold is made again under
 * `fresh_hold_id`, or fails with `insufficient_points`. docs/spec/checkout.md#held-points
 */
export function movePoints(
  order: HeldOrder,
  movement: Extract<PointsMovement, 'settle' | 'keep held' | 'release held'>,
  fresh_hold_id: Uuid,
): PointsMove | Failure {
  const { wallet, hold } = order
  if (wallet === null) return nothing
  if (movement === 'release held') return hold === null ? nothing : release(hold, wallet.account_id)
  const missing = hold === null ? order.chosen_points : 0
  // An order without chosen points succeeds even if the wallet is below 0.
  if (missing > 0 && missing > wallet.available) return { kind: 'insufficient_points' }
  const held = hold ?? { hold_id: fresh_hold_id, points: order.chosen_points }
  const again = holdAgain(hold, held, wallet.account_id)
  if (movement === 'settle') return settle(order, { held, again }, wallet.account_id)
  if (again.length === 0) return nothing
  return { ...nothing, facts: again, hold: { ...held, state: 'open', made: true } }
}

function release(hold: { readonly hold_id: Uuid; readonly points: Points }, wallet: Uuid): PointsMove {
  const facts = [{ kind: 'release', cause: hold.hold_id, points: hold.points, wallet }] as const
  return { ...nothing, facts, hold: { ...hold, state: 'released', made: false } }
}

type Held = NonNullable<HeldOrder['hold']>

function holdAgain(hold: Held | null, held: Held, wallet: Uuid): readonly LedgerFact[] {
  if (hold !== null || held.points === 0) return []
  return [{ kind: 'hold', cause: held.hold_id, points: held.points, wallet }]
}

/** Posts the held points, and earns for the money part. docs/spec/checkout.md#money-part */
function settle(
  order: HeldOrder,
  { held, again }: { readonly held: Held; readonly again: readonly LedgerFact[] },
  wallet: Uuid,
): PointsMove {
  const { merchant, order_uuid, money_part_points } = order
  const facts: LedgerFact[] = [...again]
  if (held.points > 0) facts.push({ kind: 'post', cause: held.hold_id, points: held.points, wallet, merchant })
  if (money_part_points > 0) {
    facts.push({ kind: 'earn', cause: order_uuid, points: money_part_points, wallet, merchant })
  }
  const hold = held.points === 0 ? null : { ...held, state: 'posted' as const, made: again.length > 0 }
  return { kind: 'points move', facts, hold, earned_points: money_part_points }
}
