/** Sessions of the hosted checkout: its steps, how long points stay held, and the return to the shop. */
import type { Uuid } from './ids.ts'
import type { Halalas } from './money.ts'
import type { OrderState } from './order.ts'
import type { Points } from './points.ts'
import { after, day_ms, minute_ms } from './spans.ts'

/**
 * The step of a checkout. `identify`: prove a phone. `onboard`: agree to the terms. `choose`: choose points. `pay`:
 * confirmed, a provider collects the rest. `reserved`: confirmed, the merchant collects the rest. `finished`: the order
 * came out of this checkout. `closed`: the merchant moved the order on without it. docs/spec/checkout.md#steps
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

/** Collector of the money part: a payment provider in the checkout, or the merchant outside it. */
export type Collector = 'provider' | 'merchant'

/** A session with its order, as the requesting browser may see it. */
export interface CheckoutFacts {
  readonly session_state: 'open' | 'ended'
  readonly order_status: OrderState
  readonly expires_at: Date
  readonly confirmed_at: Date | null
  /** When the confirmed points are released; null after that, or when the order has moved on. */
  readonly release_at: Date | null
  /** Null if points paid everything. */
  readonly collector: Collector | null
  /** When the customer continued without points. Anybody with the link may then use the checkout. */
  readonly continued_at: Date | null
  /** This browser has proven a phone for the session. */
  readonly proven: boolean
  /** That phone belongs to an active customer. */
  readonly active: boolean
}

/** Takes a session and the business time; gives its step in this browser. docs/spec/checkout.md#steps */
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
 * True if the customer may continue without points and without a code: the order costs something, and nothing is
 * confirmed. docs/spec/checkout.md#without-points
 */
export function mayContinue(facts: { readonly total_halalas: Halalas; readonly confirmed_at: Date | null }): boolean {
  return facts.total_halalas > 0 && facts.confirmed_at === null
}

/**
 * True if the customer must first agree to the terms: points are used, and an earning made the customer active without
 * asking. docs/spec/customers.md#terms
 */
export function mustAgree({ consented }: { readonly consented: boolean }, points: Points): boolean {
  return points > 0 && !consented
}

/** How long points stay held when the merchant collects the rest. docs/spec/checkout.md#merchant-hold */
const MERCHANT_HOLD_MS = 7 * day_ms

/**
 * Gives when points confirmed at `now` are released: when the session expires if a provider collects, after seven days
 * if the merchant does. docs/spec/checkout.md#expiry
 */
export function releaseAt(collector: Collector, session: { readonly expires_at: Date }, now: Date): Date {
  return collector === 'provider' ? session.expires_at : after(now, MERCHANT_HOLD_MS)
}

/** How long an expired payment waits for a silent provider before its points are released. */
const PROVIDER_GRACE_MS = 10 * minute_ms

/**
 * True while the release due at `release_at` may still wait for a provider that does not report the outcome of a
 * payment. After that the points are released, and money that arrived is paid back. docs/spec/payments.md#late-payments
 */
export function mayStillWait(release_at: Date, now: Date): boolean {
  return now.getTime() < release_at.getTime() + PROVIDER_GRACE_MS
}

/** The query parameters added to `callback_url`. They prove nothing; the webhook does. docs/spec/checkout.md#return */
export interface ReturningOrder {
  readonly order_uuid: Uuid
  readonly order_number: string
  readonly order_status: OrderState
  readonly reference_number: string
}

/**
 * Takes `callback_url` and the order; gives the URL with the order in its query, in place of fields of the same names. The
 * rest of the URL is unchanged.
 */
export function returnTo(callback_url: string, order: ReturningOrder): string {
  const { order_uuid, order_number, order_status, reference_number } = order
  const fields = { order_uuid, order_number, order_status, reference_number }
  const [, page = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(callback_url) ?? []
  const kept = (query ?? '').split('&').filter((field) => !isNamedIn(fields, field))
  const added = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  const own = kept.join('&')
  const joint = own === '' || own.endsWith('&') ? '' : '&'
  return `${page}?${own}${joint}${added}${fragment}`
}

function isNamedIn(fields: object, field: string): boolean {
  return [...new URLSearchParams(field).keys()].some((name) => Object.hasOwn(fields, name))
}

/** Removes one leading `#` and surrounding blanks from an order number. docs/spec/checkout.md#open-fields */
export function stripHash(order_number: string): string {
  return order_number.trim().replace(/^#/, '').trim()
}
