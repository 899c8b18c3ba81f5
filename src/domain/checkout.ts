import type { OrderState } from './order.ts'

/** Sessions of the hosted checkout. Decisions §6. */

/** What a session's link leads to: the checkout, or a page that says why there is none. */
export type SessionStage = 'open' | 'expired' | 'over'

export interface SessionFacts {
  readonly session_state: 'open' | 'ended'
  readonly order_status: OrderState
  readonly expires_at: Date
}

/**
 * Takes a session and the business time; gives its stage. An order that has left `new`, or that the API has ended the
 * session of, is `over` whatever the time; else the session lasts until the instant of its expiry. Decisions §6.
 */
export function sessionStage({ session_state, order_status, expires_at }: SessionFacts, now: Date): SessionStage {
  if (session_state === 'ended' || order_status !== 'new') return 'over'
  return now.getTime() < expires_at.getTime() ? 'open' : 'expired'
}

/** Strips one leading `#`, and the blanks around what is left, off an order number. Spec, "Checkout"; decisions §6. */
export function stripHash(order_number: string): string {
  return order_number.trim().replace(/^#/, '').trim()
}
