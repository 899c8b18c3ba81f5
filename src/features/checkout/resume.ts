import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { asHalalas } from '../../domain/money.ts'
import { findPayments } from '../orders/payment-queries.ts'
import { cancelPayment } from '../orders/payment-tasks.ts'
import { beginPayment, currentOf, type PaymentOutcome } from '../payments/begin.ts'
import { checkMayBegin } from '../payments/limit.ts'
import { type AskProvider, createThrottledAsk, type Settled } from '../payments/settle.ts'
import { type Attempt, type Decision, decideAndPay, type PayParts } from './confirm.ts'
import { type LockedCheckout, phoneByCode, sessionOf, stepOf } from './session.ts'
import { type CheckoutForm, type CheckoutView, mayAct, readerOf } from './view.ts'

/**
 * Goes on with the payment of a confirmed checkout: opens the same page while it can be paid, else begins a new payment of
 * the same amount. Finds a payment that was made meanwhile, so that nothing is paid twice.
 */
export type ResumePayment = (form: CheckoutForm) => Promise<PaymentOutcome>

/** Asks the provider about the last payment before it begins another one (docs/spec/payments.md#provider-record). */
export function createResumePayment(parts: PayParts & { readonly askProvider: AskProvider }): ResumePayment {
  // A checkout without points needs no code, so anyone with its link may send this form any number of times.
  const askProvider = createThrottledAsk(parts.askProvider)
  return async (form) => {
    if (!mayAct(form.view)) return { kind: 'changed' }
    const last = await askLast(parts.db, askProvider, form.view)
    return decideAndPay(parts, form, (tx, checkout, attempt) => resume(tx, checkout, { form, last, ...attempt }))
  }
}

/** Asks the provider about the payment under way. Gives null where there is none. */
async function askLast(db: Database, askProvider: AskProvider, view: CheckoutView): Promise<Settled | null> {
  const payments = await db.run(findPayments(view.program_id, view.order_uuid))
  const created = payments.find(({ state }) => state === 'created')
  return created === undefined ? null : askProvider(view.program_id, created.payment_uuid)
}

interface Resuming extends Attempt {
  readonly form: CheckoutForm
  readonly last: Settled | null
}

async function resume(tx: Transaction, { session, order }: LockedCheckout, by: Resuming): Promise<Decision> {
  const { view } = by.form
  const step = stepOf(session, order, { ...readerOf(by.form), active: true }, by.now)
  if (step === 'finished') return { kind: 'approved' }
  if (step === 'reserved') return { kind: 'reserved' }
  if (step !== 'pay') return { kind: step === 'identify' || step === 'choose' ? 'changed' : 'over' }
  const { order_number, program_id, order_uuid } = order
  const payment = (await tx.run(findPayments(program_id, order_uuid))).find(({ state }) => state === 'created')
  if (payment !== undefined && !isLost(payment.payment_uuid, by.last))
    return { kind: 'to pay', payment, leased: payment.payment_uuid === by.payment_uuid, order_number }
  if (!by.callable || view.merchant.payment_provider === 'merchant')
    return { kind: 'payment failed', error: 'unavailable' }
  const refused = await checkMayBegin(tx, order, by.counted || phoneByCode(session, by.form.browser) !== null)
  if (refused !== null) return refused
  if (payment !== undefined) cancelPayment(tx, order, 'not_found', by.now)
  const amount_halalas = asHalalas(order.total_halalas - order.redeemed_halalas)
  const begun = beginPayment(tx, order, { payment_uuid: by.payment_uuid, amount_halalas }, view.merchant, by.now)
  return { kind: 'to pay', payment: begun, leased: true, order_number }
}

/** Whether the provider had given a page for the payment before it was asked, and no longer knows it. */
function isLost(payment_uuid: Uuid, last: Settled | null): boolean {
  return last?.answer === 'not_found' && last.payment.payment_uuid === payment_uuid && last.payment.page_url !== null
}

/** Settles the payment of a link that may still bring money, when its customer returns. */
export type SettleCheckout = (token: string) => Promise<void>

/** docs/spec/checkout.md#return */
export function createSettleCheckout(db: Database, askProvider: AskProvider): SettleCheckout {
  // Anyone with the link may return any number of times.
  const ask = createThrottledAsk(askProvider)
  return async (token) => {
    const session = await sessionOf(db, token)
    const payments = session === null ? [] : await db.run(findPayments(session.program_id, session.order_uuid))
    const current = currentOf(payments)
    if (current !== undefined) await ask(current.program_id, current.payment_uuid)
  }
}
