import { mustAgree } from '../../domain/checkout.ts'
import { asPoints } from '../../domain/points.ts'
import type { RedemptionFacts } from '../../domain/redemption.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import type { OtpPeeked } from '../../features/otp/service.ts'
import { type ChoiceError, decideChoice, intendedPoints } from './choice.ts'

/** Chooses the screen of a checkout by the session's step and, within the step, by the query (docs/spec/checkout.md#steps). */

export type Query = Readonly<Record<string, string>>

export type Screen =
  /** `given`: offers the number that the store sent. */
  | { readonly name: 'number'; readonly given: boolean }
  | { readonly name: 'code'; readonly code: OtpPeeked }
  | { readonly name: 'onboard' }
  /** Offers onboarding before a payment without points. */
  | { readonly name: 'join' }
  /** Chooses and confirms. */
  | { readonly name: 'choose'; readonly facts: RedemptionFacts; readonly errors: readonly ChoiceError[] }
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
      return choose(view, query)
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

/** What the customer chooses by. */
export function factsOf({ customer, total_halalas, micro_sar_per_point }: CheckoutView): RedemptionFacts {
  return { available_points: customer?.available ?? asPoints(0), total_halalas, value: micro_sar_per_point }
}

function choose(view: CheckoutView, query: Query): Screen {
  const facts = factsOf(view)
  const choice = query['use'] === undefined ? null : decideChoice(facts, query)
  const wrong = choice !== null && 'error' in choice ? [choice.error] : []
  return { name: 'choose', facts, errors: [...wrong, ...refusedConsent(view, query, choice)] }
}

/** The missing consent of a choice that was refused: the page in the other language says it too. */
function refusedConsent({ customer }: CheckoutView, { note }: Query, choice: ReturnType<typeof decideChoice> | null) {
  if (customer === null || choice === null || (note !== 'terms' && note !== 'other_terms')) return []
  const points = 'error' in choice ? intendedPoints(choice.error) : choice.points
  return mustAgree(customer, points) ? ([note] as const) : []
}

function pay({ payment }: CheckoutView, query: Query): Screen {
  if (payment === null || payment.state !== 'created') return { name: payment === null ? 'pay' : 'failed' }
  return { name: query['at'] === 'waiting' && payment.page_url !== null ? 'waiting' : 'pay' }
}
