import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/pool.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentProviders, PaymentRequest } from '../../providers/payment/port.ts'
import type { PaymentProblem } from '../checkout/view.ts'
import { letPaymentGo } from '../orders/payment-cancel.ts'
import { endLease, findPayment, leasePayment, type NewPayment, writePage } from '../orders/payment-queries.ts'
import { changeOrder } from '../orders/service.ts'
import { outcomeOf, type PaymentOutcome } from './outcome.ts'
import type { AskProvider } from './settle.ts'

/** Longer than asking a provider twice takes, by the machine's clock. */
export const page_lease_ms = 75_000
/** How long one who finds another asking waits for the page. */
const patience_ms = 20_000
const poll_ms = 150

/** What the provider is told besides the payment. */
export interface PageAsked {
  /** Of the checkout's link, to which the customer comes back. */
  readonly token: string
  readonly locale: Locale
  readonly merchant: Merchant
  readonly order_number: string
}

/** `leased`: the caller has just written the payment, so that nobody has asked for its page yet. */
export type OpenPage = (payment: NewPayment, asked: PageAsked, leased: boolean) => Promise<PaymentOutcome>

export interface OpenPageParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  readonly askProvider: AskProvider
  /** Without a trailing slash. */
  readonly public_url: string
}

/**
 * Gives the page of a payment that has been committed, from its provider or as it was kept. One asks at a time, and after an
 * answer that was lost the provider is asked first what it knows. Decisions §6.
 */
export function createOpenPage(parts: OpenPageParts): OpenPage {
  const { db } = parts
  return async (payment, asked, leased) => {
    if (leased) return createPage(parts, payment, asked)
    const until_ms = Date.now() + patience_ms
    for (;;) {
      const found = await db.one(findPayment(payment.program_id, payment.payment_uuid))
      const outcome = found === undefined ? { kind: 'over' as const } : outcomeOf(found)
      if (outcome !== null) return outcome
      const now = new Date()
      const lease = await db.one(leasePayment(payment, now, new Date(now.getTime() + page_lease_ms)))
      if (lease !== undefined) return createAgain(parts, payment, asked)
      if (Date.now() > until_ms) return { kind: 'payment failed', error: 'unknown' }
      await sleep(poll_ms)
    }
  }
}

/** Somebody may have asked already: what the provider knows comes first. */
async function createAgain(parts: OpenPageParts, payment: NewPayment, asked: PageAsked): Promise<PaymentOutcome> {
  const settled = await parts.askProvider(payment.program_id, payment.payment_uuid)
  const outcome = settled === null ? null : outcomeOf(settled.payment)
  if (outcome !== null) return outcome
  if (settled?.answer !== 'nothing') return createPage(parts, payment, asked)
  await parts.db.run(endLease(payment))
  return { kind: 'payment failed', error: 'unknown' }
}

async function createPage(parts: OpenPageParts, payment: NewPayment, asked: PageAsked): Promise<PaymentOutcome> {
  const provider = await parts.payments.of(asked.merchant, payment.provider)
  const answer = await provider?.create(requestOf(parts.public_url, payment, asked))
  if (answer === undefined) return fail(parts, payment, asked, 'unavailable')
  if (answer.kind === 'collected_by_merchant') return fail(parts, payment, asked, 'unsupported')
  if (answer.kind === 'unknown') {
    await parts.db.run(endLease(payment))
    return { kind: 'payment failed', error: 'unknown' }
  }
  if (answer.kind !== 'page') return fail(parts, payment, asked, answer.kind)
  const page = { provider_reference: answer.provider_reference, page_url: answer.url }
  const kept = await parts.db.one(writePage(payment, page))
  // Let go meanwhile: nobody is sent to a page that is being ended.
  return kept === undefined ? { kind: 'changed' } : { kind: 'payment', url: answer.url }
}

/** The provider does not begin this payment. It is let go, in case that it has begun after all. */
async function fail(
  { db, clock }: OpenPageParts,
  payment: NewPayment,
  { merchant }: PageAsked,
  error: PaymentProblem,
): Promise<PaymentOutcome> {
  return changeOrder(db, merchant, payment.order_uuid, async (tx, order) => {
    const found = await tx.one(findPayment(payment.program_id, payment.payment_uuid))
    if (found?.state === 'created') letPaymentGo(tx, order, error, clock.now())
    return { kind: 'payment failed', error }
  })
}

function requestOf(public_url: string, payment: NewPayment, asked: PageAsked): PaymentRequest {
  const { program_id, payment_uuid, provider, amount_halalas, kind } = payment
  return {
    program_id,
    payment_uuid,
    amount_halalas,
    kind,
    locale: asked.locale,
    description: `${asked.merchant.name} · ${asked.order_number}`,
    return_url: `${public_url}/checkout/${asked.token}/return`,
    callback_url: `${public_url}/payments/${provider}/${program_id}/${payment_uuid}/callback`,
  }
}
