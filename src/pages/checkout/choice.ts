import { asHalalas, type Halalas, scaleDecimal } from '../../domain/money.ts'
import {
  asPoints,
  MAX_SAR_PER_POINT,
  MIN_SAR_PER_POINT,
  NO_POINTS,
  type Points,
  pointsNeeded,
} from '../../domain/points.ts'
import { decideRedemption, type PointsChoice, type Redemption, type RedemptionFacts } from '../../domain/redemption.ts'
import { plainAmount } from '../../domain/text.ts'

/** A choice of points as a form or a link of the checkout writes it: `use`, and for a part `amount` and `unit`. */

type Fields = Readonly<Record<string, string>>

export type ChoiceUnit = 'points' | 'sar'

export type ChoiceError = TypedError | 'terms' | 'other_terms'

type TypedError = 'missing' | 'not_whole' | 'not_amount' | 'too_few' | 'too_many'

export type ChoiceField = 'use' | 'amount' | 'terms'

/** The field that an error is about. */
export function fieldOf(error: ChoiceError): ChoiceField {
  if (error === 'terms' || error === 'other_terms') return 'terms'
  return error === 'missing' ? 'use' : 'amount'
}

/** Gives what a choice uses and leaves to pay, or what is wrong with it. */
export function decideChoice(facts: RedemptionFacts, fields: Fields): Redemption | { readonly error: TypedError } {
  const choice = readChoice(facts, fields)
  if (typeof choice === 'object') return choice
  if (typeof choice === 'number' && choice > mostTyped(facts)) return { error: 'too_many' }
  const redemption = decideRedemption(facts, choice)
  if (redemption.kind === 'buys_nothing') return { error: 'too_few' }
  return redemption.kind === 'redemption' ? redemption : { error: 'too_many' }
}

/** The points that a choice is taken to use when it cannot be read: a wrong amount still means some points. */
export function intendedPoints(error: TypedError): Points {
  return error === 'missing' ? NO_POINTS : asPoints(1)
}

/** The unit of a typed amount. */
export function unitOf({ unit }: Fields): ChoiceUnit {
  return unit === 'sar' ? 'sar' : 'points'
}

/** The most that may be typed: all points of the wallet, or all that the order needs. */
export function mostTyped({ available_points, total_halalas, value }: RedemptionFacts): Points {
  return asPoints(Math.max(0, Math.min(available_points, pointsNeeded(total_halalas, value))))
}

/** The choice as a query, so that a page shows it again. */
export function choiceQuery({ use, amount, unit }: Fields): Record<string, string> {
  if (use === undefined) return {}
  if (use !== 'part') return { use }
  return { use, amount: amount ?? '', unit: unitOf(unit === undefined ? {} : { unit }) }
}

function readChoice(facts: RedemptionFacts, fields: Fields): PointsChoice | { readonly error: TypedError } {
  const { use, amount = '' } = fields
  if (use === 'none' || use === 'all') return use
  if (use !== 'part') return { error: 'missing' }
  if (unitOf(fields) === 'points') return readPoints(amount) ?? { error: 'not_whole' }
  const halalas = readSar(amount)
  if (halalas === null) return { error: 'not_amount' }
  return halalas > facts.total_halalas ? { error: 'too_many' } : pointsNeeded(halalas, facts.value)
}

/** Reads a whole number from 1, in any digits, with thousands separators and spaces. Null for anything else. */
function readPoints(typed: string): Points | null {
  const digits = plainAmount(typed)
  const count = /^\d{1,15}$/.test(digits) ? Number(digits) : 0
  return count >= 1 ? asPoints(count) : null
}

/** Reads riyals with at most two decimals, more than 0. Null for anything else. */
function readSar(typed: string): Halalas | null {
  const text = plainAmount(typed)
  const scaled = /^\d{1,12}(\.\d{1,2})?$/.test(text) ? scaleDecimal(text, 2) : null
  return scaled === null || scaled.units === 0n ? null : asHalalas(Number(scaled.units))
}

/** What the page showed when the customer chose, in a hidden field of its form (docs/decisions/0016-redemption.md). */
export function writeShown(facts: RedemptionFacts): string {
  return [mostTyped(facts), facts.total_halalas, facts.value].join('.')
}

/** Reads it back. Null for anything that no page of ours wrote. */
export function readShown(text: string | undefined): RedemptionFacts | null {
  const [, most, total, digits] = /^(\d{1,15})\.(\d{1,12})\.(\d{1,10})$/.exec(text ?? '') ?? []
  const value = Number(digits) as RedemptionFacts['value'] // compared with the program's rate under the order's lock
  // Of a value below all rates, an order needs more points than are exact.
  if (!(value >= MIN_SAR_PER_POINT && value <= MAX_SAR_PER_POINT)) return null
  return { available_points: asPoints(Number(most)), total_halalas: asHalalas(Number(total)), value }
}
