import { asPoints, type Points } from '../../domain/points.ts'
import { decideRedemption, type PointsChoice, type Redemption, type RedemptionFacts } from '../../domain/redemption.ts'
import { foldDigits } from '../../domain/text.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import type { OtpPeeked } from '../../features/otp/service.ts'

/** Chooses the screen of a checkout by the session's step and, within the step, by the query (docs/spec/checkout.md#steps). */

export type Query = Readonly<Record<string, string>>

export type ChoiceError = 'missing' | 'not_whole' | 'too_few' | 'too_many'

export type Screen =
  /** `given`: offers the number that the store sent. */
  | { readonly name: 'number'; readonly given: boolean }
  | { readonly name: 'code'; readonly code: OtpPeeked }
  | { readonly name: 'onboard' }
  /** Offers onboarding before a payment without points. */
  | { readonly name: 'join' }
  | { readonly name: 'choose'; readonly facts: RedemptionFacts; readonly error: ChoiceError | null }
  /** `typed`: the points entered, when fewer are worth the same. */
  | { readonly name: 'confirm'; readonly redemption: Redemption; readonly typed: Points | null }
  | { readonly name: 'pay' | 'failed' | 'waiting' }
  | { readonly name: 'reserved' | 'finished' | 'expired' | 'closed' | 'cancelled' }

/** The screen of a checkout. `code` is the session's newest code; only the step `identify` uses it. */
export function screenOf(view: CheckoutView, query: Query, code: OtpPeeked | null): Screen {
  switch (view.step) {
    case 'identify':
      return identify(view, query, code)
    case 'onboard':
      return { name: 'onboard' }
    case 'choose':
      return choose(factsOf(view), query)
    case 'pay':
      return pay(view, query)
    default:
      return { name: view.step }
  }
}

function identify({ given_phone, may_continue }: CheckoutView, query: Query, code: OtpPeeked | null): Screen {
  // The same for every number, so that nobody learns whether it is known.
  if (query['at'] === 'join' && may_continue && given_phone !== null) return { name: 'join' }
  const wants_another = query['at'] === 'number'
  if (code !== null && !wants_another) return { name: 'code', code }
  return { name: 'number', given: given_phone !== null && !wants_another }
}

function factsOf({ customer, total_halalas, micro_sar_per_point }: CheckoutView): RedemptionFacts {
  return { available_points: customer?.available ?? asPoints(0), total_halalas, value: micro_sar_per_point }
}

function choose(facts: RedemptionFacts, query: Query): Screen {
  if (query['use'] === undefined || query['at'] === 'choose') return { name: 'choose', facts, error: null }
  const choice = readChoice(query)
  if (typeof choice === 'object') return { name: 'choose', facts, error: choice.error }
  const redemption = decideRedemption(facts, choice)
  if (redemption.kind === 'buys_nothing') return { name: 'choose', facts, error: 'too_few' }
  if (redemption.kind !== 'redemption') return { name: 'choose', facts, error: 'too_many' }
  const is_more = typeof choice === 'number' && choice > redemption.points
  return { name: 'confirm', redemption, typed: is_more ? choice : null }
}

function readChoice({ use, points }: Query): PointsChoice | { readonly error: ChoiceError } {
  if (use === 'none' || use === 'all') return use
  if (use !== 'part') return { error: 'missing' }
  const count = readPoints(points ?? '')
  return count ?? { error: 'not_whole' }
}

/** Reads a whole number from 1, in any digits, with thousands separators and spaces. Null for anything else. */
function readPoints(typed: string): Points | null {
  const text = foldDigits(typed.replace(/[\p{Zs}\p{Cf}]/gu, ''))
  const isGrouped = /^\d{1,3}([,٬]\d{3})+$/.test(text)
  const digits = isGrouped ? text.replace(/[,٬]/g, '') : text
  const count = /^\d{1,15}$/.test(digits) ? Number(digits) : 0
  return count >= 1 ? asPoints(count) : null
}

function pay({ payment }: CheckoutView, query: Query): Screen {
  if (payment === null || payment.state !== 'created') return { name: payment === null ? 'pay' : 'failed' }
  return { name: query['at'] === 'waiting' && payment.page_url !== null ? 'waiting' : 'pay' }
}
