/** How points pay for a replacing order. */
import type { Failure } from './failures.ts'
import { asHalalas, type Halalas } from './money.ts'
import { asPoints, type MicroSarPerPoint, NO_POINTS, type Points, pointsNeeded, pointsValue } from './points.ts'

/** What a redemption rests on: the wallet's `posted - held`, the order's `total_price`, the program's rate. */
export interface RedemptionFacts {
  readonly available_points: Points
  readonly total_halalas: Halalas
  readonly value: MicroSarPerPoint
}

/** None, all that the order allows, or a number of points. */
export type PointsChoice = 'none' | 'all' | Points

/** The points used, the money they stand for, and the money still to be paid. */
export interface Redemption {
  readonly kind: 'redemption'
  readonly points: Points
  readonly value_halalas: Halalas
  readonly remainder_halalas: Halalas
}

/** The points chosen are worth less than one halala: they would be taken for nothing. */
export interface BuysNothing {
  readonly kind: 'buys_nothing'
}

/** The most points that may be used: what the order needs, or what is available and buys something; 0 for a negative wallet. */
export function redeemablePoints(facts: RedemptionFacts): Points {
  return fewestPoints(asPoints(Math.max(0, facts.available_points)), facts)
}

/**
 * Takes the facts and the customer's choice; gives the redemption, or `insufficient_points` or `buys_nothing`. Points that
 * buy no further halala stay with the customer, and so do those beyond what the order needs. A choice below 0 throws a
 * RangeError.
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

/** The fewest points that buy as many halalas of an order as `points` do. */
function fewestPoints(points: Points, facts: Pick<RedemptionFacts, 'total_halalas' | 'value'>): Points {
  return pointsNeeded(equivalence(points, facts), facts.value)
}

/** What a number of points stands for on an order: rounded down, and never more than the total. */
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
