import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { asHalalas } from '../../domain/money.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { letPaymentGo } from '../orders/payment-cancel.ts'
import { findPayments, type NewPayment } from '../orders/payment-queries.ts'
import type { SessionRow } from '../orders/session-queries.ts'
import { type CountStranger, type NotBegun, notBegun } from '../payments/admission.ts'
import { beginPayment, type PaymentTerms } from '../payments/begin.ts'
import type { PaymentOutcome } from '../payments/outcome.ts'
import type { OpenPage } from '../payments/page.ts'
import { createThrottledAsk } from '../payments/seldom.ts'
import type { AskProvider, Settled } from '../payments/settle.ts'
import { findPaymentTerms } from './queries.ts'
import { changeCheckout, isProvenIn, type LockedCheckout, mayAct, sessionOf, stepOf } from './session.ts'

/**
 * Goes on with the payment of a confirmed checkout: the same page again while it can be paid, else a new payment of the same
 * remainder. A payment that was made meanwhile is found, and nothing is paid twice.
 */
export type ResumePayment = (
  token: string,
  browser: string,
  locale: Locale,
  client_address: string,
) => Promise<PaymentOutcome>

export interface ResumeParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  readonly askProvider: AskProvider
  readonly openPage: OpenPage
  readonly countStranger: CountStranger
}

/** Decisions §6: the provider says what became of the last payment before there is another. */
export function createResumePayment(parts: ResumeParts): ResumePayment {
  const { db, clock, payments, openPage, countStranger } = parts
  // Whoever went on without points may send this form as often as they like.
  const askProvider = createThrottledAsk(parts.askProvider)
  return async (token, browser, locale, client_address) => {
    const known = await sessionOf(db, token)
    if (known === null) return { kind: 'over' }
    if (!mayAct(known, browser)) return { kind: 'changed' }
    const [merchant, selling] = await Promise.all([
      loadMerchant(db, known.program_id, known.merchant_id),
      db.one(findPaymentTerms(known.program_id, known.merchant_id)),
    ])
    if (merchant === null || selling === undefined) throw new Error('a checkout without a merchant')
    const last = await askLast(db, askProvider, known)
    const callable = (await payments.of(merchant, selling.payment_provider)) !== undefined
    const by = { browser, last, selling, callable, payment_uuid: newUuid() }
    const resumed = await countStranger({ ...merchant, client_address }, (counted) =>
      changeCheckout(db, known, (tx, checkout) => resume(tx, checkout, { ...by, counted, now: clock.now() }), {
        repeatable: true,
      }),
    )
    if (resumed.kind !== 'to pay') return resumed
    const { payment, leased, order_number } = resumed
    return openPage(payment, { token, locale, merchant, order_number }, leased)
  }
}

/** What the provider says of the payment under way; null where none is. */
async function askLast(db: Database, askProvider: AskProvider, session: SessionRow): Promise<Settled | null> {
  const payments = await db.run(findPayments(session.program_id, session.order_uuid))
  const created = payments.find(({ state }) => state === 'created')
  return created === undefined ? null : askProvider(session.program_id, created.payment_uuid)
}

interface Resuming {
  readonly browser: string
  readonly last: Settled | null
  readonly selling: PaymentTerms
  readonly callable: boolean
  readonly payment_uuid: Uuid
  readonly counted: boolean
  readonly now: Date
}

type Resumed =
  | NotBegun
  | Exclude<PaymentOutcome, { readonly kind: 'payment' }>
  | { readonly kind: 'to pay'; readonly payment: NewPayment; readonly leased: boolean; readonly order_number: string }

async function resume(tx: Transaction, { session, order }: LockedCheckout, by: Resuming): Promise<Resumed> {
  const step = stepOf(session, order, { browser: by.browser, active: true }, by.now)
  if (step === 'finished') return { kind: 'approved' }
  if (step === 'reserved') return { kind: 'reserved' }
  if (step !== 'pay') return { kind: step === 'identify' || step === 'choose' ? 'changed' : 'over' }
  const { order_number, program_id, order_uuid } = order
  const payment = (await tx.run(findPayments(program_id, order_uuid))).find(({ state }) => state === 'created')
  if (payment !== undefined && !isLost(payment, by.last))
    return { kind: 'to pay', payment, leased: payment.payment_uuid === by.payment_uuid, order_number }
  if (!by.callable || by.selling.payment_provider === 'merchant')
    return { kind: 'payment failed', error: 'unavailable' }
  const refused = await notBegun(tx, order, by.counted || isProvenIn(session, by.browser))
  if (refused !== null) return refused
  if (payment !== undefined) letPaymentGo(tx, order, 'not_found', by.now)
  const remainder_halalas = asHalalas(order.total_halalas - order.redeemed_halalas)
  const begun = beginPayment(tx, { program_id, order_uuid, remainder_halalas }, by.payment_uuid, by.selling, by.now)
  return { kind: 'to pay', payment: begun, leased: true, order_number }
}

/** The provider has given a page for it and knows it no more. */
function isLost({ payment_uuid, page_url }: { payment_uuid: Uuid; page_url: string | null }, last: Settled | null) {
  return page_url !== null && last?.answer === 'not_found' && last.payment.payment_uuid === payment_uuid
}
