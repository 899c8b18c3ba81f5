/** How points pay for a replacing order. Decisions §2, §6 and §8. */
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

/** The most points that may be used: what the order needs, or what is available; 0 for a negative wallet. */
export function redeemablePoints(facts: RedemptionFacts): Points {
  const available = Math.max(0, facts.available_points)
  return asPoints(Math.min(available, pointsNeeded(facts.total_halalas, facts.value)))
}

/**
 * Takes the facts and the customer's choice; gives the redemption, or `insufficient_points`. More points than the order
 * needs are cut to what it needs; a choice below 0 throws a RangeError. Decisions §6, "The customer … chooses".
 */
export function decideRedemption(facts: RedemptionFacts, choice: PointsChoice): Redemption | Failure {
  const most = redeemablePoints(facts)
  if (choice === 'none') return redemptionOf(facts, NO_POINTS)
  if (choice === 'all') return redemptionOf(facts, most)
  if (choice < 0) throw new RangeError(`negative points chosen: ${choice}`)
  const wanted = Math.min(choice, pointsNeeded(facts.total_halalas, facts.value))
  return wanted > most ? { kind: 'insufficient_points' } : redemptionOf(facts, asPoints(wanted))
}

/** What a number of points stands for on an order: rounded down, and never more than the total. Decisions §2. */
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
