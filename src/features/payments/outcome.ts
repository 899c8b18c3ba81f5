import type { PaymentProblem } from '../checkout/view.ts'
import type { PaymentRow } from '../orders/payment-queries.ts'

/**
 * Where a confirmed checkout goes on. `reserved`: the merchant collects. `payment`: the customer is to be sent to the
 * provider's page. `no more payments`: as many were begun for the order as may be. `wait`: too many were begun from this
 * address without a code. `changed`: balance, order or session is not what was shown. `over`: the checkout has ended.
 */
export type PaymentOutcome =
  | { readonly kind: 'approved' }
  | { readonly kind: 'reserved' }
  | { readonly kind: 'payment'; readonly url: string }
  | { readonly kind: 'payment failed'; readonly error: PaymentProblem }
  | { readonly kind: 'no more payments' }
  | { readonly kind: 'wait'; readonly retry_at: Date }
  | { readonly kind: 'changed' }
  | { readonly kind: 'over' }

/** The outcome that a payment stands for; null while it has no page yet. */
export function outcomeOf({ state, page_url, error }: PaymentRow): PaymentOutcome | null {
  if (state === 'created') return page_url === null ? null : { kind: 'payment', url: page_url }
  if (state === 'paid' || state === 'authorized') return { kind: 'approved' }
  if (state === 'failed') return { kind: 'payment failed', error: error ?? 'unknown' }
  return { kind: 'changed' }
}

const rank = (state: PaymentRow['state']): number =>
  state === 'paid' || state === 'authorized' ? 2 : state === 'created' ? 1 : 0

/** The payment that counts for an order: the one that pays, else the one under way, else the latest. */
export function currentOf(payments: readonly PaymentRow[]): PaymentRow | undefined {
  return [...payments].sort((one, other) => rank(one.state) - rank(other.state)).at(-1)
}
