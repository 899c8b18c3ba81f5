/** Sessions of the hosted checkout: what a link leads to, how long points stay held, and the way back. */
import type { Uuid } from './ids.ts'
import type { Halalas } from './money.ts'
import type { OrderState } from './order.ts'

/**
 * Where a customer stands. `identify`: prove a phone. `onboard`: agree to the terms. `choose`: points, and the rest.
 * `pay`: confirmed, and a provider is to collect the remainder. `reserved`: confirmed, and the merchant is. `finished`:
 * this checkout led to the order as it is. `closed`: the merchant went on without it. `expired` and `cancelled` are over.
 */
export type CheckoutStep =
  | 'identify'
  | 'onboard'
  | 'choose'
  | 'pay'
  | 'reserved'
  | 'finished'
  | 'cancelled'
  | 'closed'
  | 'expired'

/** Who collects what points do not pay: a payment provider in the checkout, or the merchant outside of it. */
export type Collector = 'provider' | 'merchant'

/** A session with its order, as the browser that asks may see it. */
export interface CheckoutFacts {
  readonly session_state: 'open' | 'ended'
  readonly order_status: OrderState
  readonly expires_at: Date
  readonly confirmed_at: Date | null
  /** When what was confirmed is let go; null once it has been, or when the order has moved. */
  readonly release_at: Date | null
  /** Null where nothing remained to be collected. */
  readonly collector: Collector | null
  /** When somebody went on without points; such a checkout belongs to whoever has its link. */
  readonly continued_at: Date | null
  /** A phone was proven in this very browser. */
  readonly proven: boolean
  /** That phone is an active customer's. */
  readonly active: boolean
}

/** Takes a session and the business time; gives where its customer stands in this browser. Decisions §6. */
export function checkoutStep(facts: CheckoutFacts, now: Date): CheckoutStep {
  const confirmed = facts.confirmed_at !== null
  if (facts.order_status === 'cancelled') return 'cancelled'
  if (facts.order_status !== 'new') return confirmed ? 'finished' : 'closed'
  if (facts.session_state === 'ended') return 'closed'
  const ends_at = confirmed ? facts.release_at : facts.expires_at
  if (ends_at === null || now.getTime() >= ends_at.getTime()) return 'expired'
  if (!facts.proven && facts.continued_at === null) return 'identify'
  if (confirmed) return facts.collector === 'merchant' ? 'reserved' : 'pay'
  return facts.active ? 'choose' : 'onboard'
}

/**
 * Whether somebody may go on without points and without a code. An order of nothing is approved after a code alone, and what
 * is confirmed has to be taken back first.
 */
export function mayContinue(facts: { readonly total_halalas: Halalas; readonly confirmed_at: Date | null }): boolean {
  return facts.total_halalas > 0 && facts.confirmed_at === null
}

/** How long points stay reserved for a merchant who collects the remainder (decisions §6). */
const MERCHANT_HOLD_MS = 7 * 86_400_000

/**
 * Gives when what is confirmed at `now` is let go: with the session where a provider collects, after seven days where the
 * merchant does. Decisions §6.
 */
export function releaseAt(collector: Collector, session: { readonly expires_at: Date }, now: Date): Date {
  return collector === 'provider' ? session.expires_at : new Date(now.getTime() + MERCHANT_HOLD_MS)
}

/** How long a provider that does not answer is asked again before points held for it are let go. */
const PROVIDER_PATIENCE_MS = 10 * 60_000

/**
 * Whether what was to be let go at `release_at` may wait at `now` for a provider that does not say what became of a payment.
 * After that it is let go all the same; money that had come goes back.
 */
export function mayStillWait(release_at: Date, now: Date): boolean {
  return now.getTime() < release_at.getTime() + PROVIDER_PATIENCE_MS
}

/** What the merchant's page is told of the order; it proves nothing, the webhook does (decisions §6). */
export interface ReturningOrder {
  readonly order_uuid: Uuid
  readonly order_number: string
  readonly order_status: OrderState
  readonly reference_number: string
}

/** Gives the merchant's page with the order added to its query; its own query and fragment stay as they are. Decisions §6. */
export function returnTo(callback_url: string, order: ReturningOrder): string {
  const { order_uuid, order_number, order_status, reference_number } = order
  const [, page = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(callback_url) ?? []
  const added = Object.entries({ order_uuid, order_number, order_status, reference_number })
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  const joint = page.includes('?') ? (/[?&]$/.test(page) ? '' : '&') : '?'
  return `${page}${joint}${added}${fragment}`
}

/** Strips one leading `#`, and the blanks around what is left, off an order number. Spec, "Checkout"; decisions §6. */
export function stripHash(order_number: string): string {
  return order_number.trim().replace(/^#/, '').trim()
}
