/**
 * How points pay for a replacing order: the customer's choice (docs/spec/checkout.md#points-choice), and how the points held
 * for it move with the order (docs/spec/checkout.md#held-points).
 */
import type { Failure } from './failures.ts'
import type { Uuid } from './ids.ts'
import type { LedgerFact } from './ledger.ts'
import { asHalalas, type Halalas } from './money.ts'
import type { PointsMovement } from './order.ts'
import { asPoints, type MicroSarPerPoint, NO_POINTS, type Points, pointsNeeded, pointsValue } from './points.ts'

/** The wallet's available points, the order's total, and the value of a point. */
export interface RedemptionFacts {
  readonly available_points: Points
  readonly total_halalas: Halalas
  readonly value: MicroSarPerPoint
}

/** No points, as many as the order allows, or a number of points. */
export type PointsChoice = 'none' | 'all' | Points

/** The points used, the money that they pay, and the money still to be paid. */
export interface Redemption {
  readonly kind: 'redemption'
  readonly points: Points
  readonly value_halalas: Halalas
  readonly due_halalas: Halalas
}

/** The chosen points are worth less than one halala. */
export interface BuysNothing {
  readonly kind: 'buys_nothing'
}

/**
 * Gives the most points that an order can use: what it needs, or what is available and pays for something. At least 0.
 */
export function redeemablePoints(facts: RedemptionFacts): Points {
  return fewestPoints(asPoints(Math.max(0, facts.available_points)), facts)
}

/**
 * Takes the facts and the customer's choice; gives the redemption, or `insufficient_points` or `buys_nothing`. Points
 * that pay no further halala, or that the order does not need, stay with the customer. Throws a RangeError for a
 * negative choice.
 */
export function decideRedemption(facts: RedemptionFacts, choice: PointsChoice): Redemption | BuysNothing | Failure {
  if (choice === 'none') return redemptionOf(facts, NO_POINTS)
  if (choice === 'all') return redemptionOf(facts, redeemablePoints(facts))
  if (choice < 0) throw new RangeError(`negative points chosen: ${choice}`)
  const wanted = Math.min(choice, pointsNeeded(facts.total_halalas, facts.value))
  if (wanted > Math.max(0, facts.available_points)) return { kind: 'insufficient_points' }
  const fewest = fewestPoints(asPoints(wanted), facts)
  return fewest === 0 && wanted > 0 ? { kind: 'buys_nothing' } : redemptionOf(facts, fewest)
}

/** Gives the fewest points that pay as many halalas of the order as `points` do. */
function fewestPoints(points: Points, facts: Pick<RedemptionFacts, 'total_halalas' | 'value'>): Points {
  return pointsNeeded(equivalence(points, facts), facts.value)
}

/** Gives the money that points pay on an order: rounded down, at most the total. */
export function equivalence(points: Points, facts: Pick<RedemptionFacts, 'total_halalas' | 'value'>): Halalas {
  if (points >= pointsNeeded(facts.total_halalas, facts.value)) return facts.total_halalas
  return pointsValue(points, facts.value)
}

function redemptionOf(facts: RedemptionFacts, points: Points): Redemption {
  const value_halalas = equivalence(points, facts)
  return {
    kind: 'redemption',
    points,
    value_halalas,
    due_halalas: asHalalas(facts.total_halalas - value_halalas),
  }
}

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

const nothing: PointsMove = { kind: 'points move', facts: [], hold: null, earned_points: NO_POINTS }

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

function release(hold: Held, wallet: Uuid): PointsMove {
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
