import { asPoints, type Points } from '../../domain/points.ts'
import { decideRedemption, type PointsChoice, type Redemption, type RedemptionFacts } from '../../domain/redemption.ts'
import { foldDigits } from '../../domain/text.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import type { OtpPeeked } from '../../features/otp/service.ts'

/** Which screen of the checkout a link shows: a step of the session and, within it, what the query says. Decisions §6. */

export type Query = Readonly<Record<string, string>>

export type ChoiceMistake = 'missing' | 'not whole' | 'too few' | 'too many'

export type Screen =
  /** `given`: the store's number is offered before another is asked for. */
  | { readonly name: 'number'; readonly given: boolean }
  | { readonly name: 'code'; readonly code: OtpPeeked }
  | { readonly name: 'onboard' }
  /** Before going on without points: somebody new may join. */
  | { readonly name: 'join' }
  | { readonly name: 'choose'; readonly facts: RedemptionFacts; readonly mistake: ChoiceMistake | null }
  /** `typed` are the points that the customer entered, where fewer buy the same. */
  | { readonly name: 'confirm'; readonly redemption: Redemption; readonly typed: Points | null }
  | { readonly name: 'pay' | 'failed' | 'waiting' }
  | { readonly name: 'reserved' | 'finished' | 'expired' | 'closed' | 'cancelled' }

/** `code` is the one that was sent last for the session; it matters to the step `identify` alone. */
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
  // The same for every number: nobody learns whether it is known.
  if (query['at'] === 'join' && may_continue && given_phone !== null) return { name: 'join' }
  const asks_another = query['at'] === 'number'
  if (code !== null && !asks_another) return { name: 'code', code }
  return { name: 'number', given: given_phone !== null && !asks_another }
}

/** What a choice rests on. */
function factsOf({ customer, total_halalas, micro_sar_per_point }: CheckoutView): RedemptionFacts {
  return { available_points: customer?.available ?? asPoints(0), total_halalas, value: micro_sar_per_point }
}

function choose(facts: RedemptionFacts, query: Query): Screen {
  if (query['use'] === undefined || query['at'] === 'choose') return { name: 'choose', facts, mistake: null }
  const choice = readChoice(query)
  if (typeof choice === 'object') return { name: 'choose', facts, mistake: choice.mistake }
  const redemption = decideRedemption(facts, choice)
  if (redemption.kind === 'buys_nothing') return { name: 'choose', facts, mistake: 'too few' }
  if (redemption.kind !== 'redemption') return { name: 'choose', facts, mistake: 'too many' }
  const more = typeof choice === 'number' && choice > redemption.points
  return { name: 'confirm', redemption, typed: more ? choice : null }
}

function readChoice({ use, points }: Query): PointsChoice | { readonly mistake: ChoiceMistake } {
  if (use === 'none' || use === 'all') return use
  if (use !== 'part') return { mistake: 'missing' }
  const count = readPoints(points ?? '')
  return count ?? { mistake: 'not whole' }
}

/** A whole number from 1, as people type it: in any digits, with separators of thousands and spaces. Null for anything else. */
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
