import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { type Merchant, nameIn } from '../../domain/merchant.ts'
import type { Halalas } from '../../domain/money.ts'
import { after } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentProviderName, PaymentProviders, PaymentRequest } from '../../providers/payment/port.ts'
import type { OrderKey } from '../orders/order.ts'
import {
  endLease,
  findPayment,
  insertPayment,
  leasePayment,
  type NewPayment,
  type PaymentProblem,
  type PaymentRow,
  writePage,
} from '../orders/payment-queries.ts'
import { cancelPayment } from '../orders/payment-tasks.ts'
import { changeOrder } from '../orders/service.ts'
import type { AskProvider } from './settle.ts'

/**
 * Where a confirmed checkout goes on. `reserved`: the merchant collects. `payment`: send the customer to the provider's page.
 * `no more payments`: the order has had as many as it may. `wait`: too many payments were begun from this address without
 * a code. `changed`: balance, order or session is not what was shown. `over`: the checkout has ended.
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

/** Gives the outcome of a payment, or null while it has no page yet. */
function outcomeOf({ state, page_url, error }: PaymentRow): PaymentOutcome | null {
  if (state === 'created') return page_url === null ? null : { kind: 'payment', url: page_url }
  if (state === 'paid' || state === 'authorized') return { kind: 'approved' }
  if (state === 'failed') return { kind: 'payment failed', error: error ?? 'unknown' }
  return { kind: 'changed' }
}

const rank = (state: PaymentRow['state']): number =>
  state === 'paid' || state === 'authorized' ? 2 : state === 'created' ? 1 : 0

/** Gives the payment that counts for an order: the one that pays, else the one under way, else the latest. */
export function currentOf(payments: readonly PaymentRow[]): PaymentRow | undefined {
  return [...payments].sort((one, other) => rank(one.state) - rank(other.state)).at(-1)
}

/** How a merchant has money collected. */
export interface PaymentSettings {
  readonly payment_provider: PaymentProviderName
  readonly payment_flow: 'sale' | 'two_step'
}

/** Longer than two requests to a provider take, by the machine's clock. */
const page_lease_ms = 75_000

/**
 * Writes a payment of a locked order in the caller's transaction, before its provider hears of it. The caller holds its
 * lease, and opens its page after the commit.
 */
export function beginPayment(
  tx: Transaction,
  { program_id, order_uuid }: OrderKey,
  { payment_uuid, amount_halalas }: { readonly payment_uuid: Uuid; readonly amount_halalas: Halalas },
  { payment_provider: provider, payment_flow }: PaymentSettings,
  now: Date,
): NewPayment {
  const kind = payment_flow === 'two_step' ? 'auth' : 'sale'
  const payment = { program_id, payment_uuid, order_uuid, provider, amount_halalas, kind } as const
  void tx.run(insertPayment(payment, after(new Date(), page_lease_ms), now))
  return payment
}

/** What the provider needs besides the payment. */
export interface PageDetails {
  /** The token of the checkout's link, to which the customer comes back. */
  readonly token: string
  readonly locale: Locale
  readonly merchant: Merchant & { readonly name_ar: string | null }
  readonly order_number: string
}

/** `leased`: the caller has just written the payment, so that nobody has asked for its page yet. */
export type OpenPage = (payment: NewPayment, details: PageDetails, leased: boolean) => Promise<PaymentOutcome>

export interface OpenPageParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  readonly askProvider: AskProvider
  /** Without a trailing slash. */
  readonly public_url: string
}

/** How long a request waits for the page that another request asks for. */
const patience_ms = 20_000
const poll_ms = 150

/**
 * Gives the page of a committed payment, saved or from its provider. One request asks at a time. After a lost answer, the
 * provider's record is read first (docs/spec/payments.md#provider-record).
 */
export function createOpenPage(parts: OpenPageParts): OpenPage {
  const { db } = parts
  return async (payment, details, leased) => {
    if (leased) return createPage(parts, payment, details)
    const until_ms = Date.now() + patience_ms
    for (;;) {
      const found = await db.one(findPayment(payment.program_id, payment.payment_uuid))
      const outcome = found === undefined ? { kind: 'over' as const } : outcomeOf(found)
      if (outcome !== null) return outcome
      const lease = await db.one(leasePayment(payment, new Date(), page_lease_ms))
      if (lease !== undefined) return createPageAgain(parts, payment, details)
      if (Date.now() > until_ms) return { kind: 'payment failed', error: 'unknown' }
      await sleep(poll_ms)
    }
  }
}

/** An earlier request may have reached the provider: read its record first. */
async function createPageAgain(
  parts: OpenPageParts,
  payment: NewPayment,
  details: PageDetails,
): Promise<PaymentOutcome> {
  const settled = await parts.askProvider(payment.program_id, payment.payment_uuid)
  const outcome = settled === null ? null : outcomeOf(settled.payment)
  if (outcome !== null) return outcome
  if (settled?.answer !== 'nothing') return createPage(parts, payment, details)
  await parts.db.run(endLease(payment))
  return { kind: 'payment failed', error: 'unknown' }
}

async function createPage(parts: OpenPageParts, payment: NewPayment, details: PageDetails): Promise<PaymentOutcome> {
  const provider = await parts.payments.of(details.merchant, payment.provider)
  const answer = await provider?.create(requestOf(parts.public_url, payment, details))
  if (answer === undefined) return fail(parts, payment, details, 'unavailable')
  if (answer.kind === 'collected_by_merchant') return fail(parts, payment, details, 'unsupported')
  if (answer.kind === 'unknown') {
    await parts.db.run(endLease(payment))
    return { kind: 'payment failed', error: 'unknown' }
  }
  if (answer.kind !== 'page') return fail(parts, payment, details, answer.kind)
  const page = { provider_reference: answer.provider_reference, page_url: answer.url }
  const saved = await parts.db.one(writePage(payment, page))
  // Not saved because the payment was cancelled meanwhile: its page is being ended.
  return saved === undefined ? { kind: 'changed' } : { kind: 'payment', url: answer.url }
}

/** The provider did not begin this payment. Cancel it, in case that it began after all. */
async function fail(
  { db, clock }: OpenPageParts,
  payment: NewPayment,
  { merchant }: PageDetails,
  error: PaymentProblem,
): Promise<PaymentOutcome> {
  return changeOrder(db, merchant, payment.order_uuid, async (tx, order) => {
    const found = await tx.one(findPayment(payment.program_id, payment.payment_uuid))
    if (found?.state === 'created') cancelPayment(tx, order, error, clock.now())
    return { kind: 'payment failed', error }
  })
}

function requestOf(public_url: string, payment: NewPayment, details: PageDetails): PaymentRequest {
  const { program_id, payment_uuid, provider, amount_halalas, kind } = payment
  return {
    program_id,
    payment_uuid,
    amount_halalas,
    kind,
    locale: details.locale,
    description: `${nameIn(details.merchant, details.locale)} · ${details.order_number}`,
    return_url: `${public_url}/checkout/${details.token}/return`,
    callback_url: `${public_url}/payments/${provider}/${program_id}/${payment_uuid}/callback`,
  }
}
