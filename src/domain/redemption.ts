/** How points pay for a replacing order. docs/spec/checkout.md#points-choice */
import type { Failure } from './failures.ts'
import { asHalalas, type Halalas } from './money.ts'
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
  readonly remainder_halalas: Halalas
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
    remainder_halalas: asHalalas(facts.total_halalas - value_halalas),
  }
}
