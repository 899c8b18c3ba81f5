import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Collector, mayContinue, releaseAt } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import { usablePoints } from '../../domain/ledger.ts'
import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { decideRedemption, type Redemption } from '../../domain/redemption.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import { findCustomer, insertConsent } from '../customers/queries.ts'
import { moveHeldPoints, moveLocked } from '../orders/move.ts'
import type { LockedOrder } from '../orders/order.ts'
import { findPayments, type NewPayment } from '../orders/payment-queries.ts'
import { updateOrder } from '../orders/queries.ts'
import { type SessionChanges, updateSession } from '../orders/session-queries.ts'
import { beginPayment, currentOf, type OpenPage, type PaymentOutcome } from '../payments/begin.ts'
import { checkMayBegin, type LimitPayments, type NotBegun } from '../payments/limit.ts'
import { lockWallet, type ShownWallet } from './queries.ts'
import { mayConfirm } from './remembered.ts'
import { changeCheckout, type LockedCheckout, phoneByCode, provenPhone, stepOf } from './session.ts'
import { type CheckoutForm, type CheckoutMerchant, readerOf } from './view.ts'

export interface PayParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  readonly openPage: OpenPage
  readonly limitPayments: LimitPayments
}

/** One attempt to decide under the order's lock. */
export interface Attempt {
  /** For a payment that this form begins. A retry after an unknown commit finds it by this id. */
  readonly payment_uuid: Uuid
  /** Its client was counted by the limit on payments. */
  readonly counted: boolean
  /** The merchant's provider can be called. */
  readonly callable: boolean
  readonly now: Date
}

/** The decision of an attempt. `to pay`: open the payment's page after the commit. `leased`: this form began the payment. */
export type Decision =
  | NotBegun
  | Exclude<PaymentOutcome, { readonly kind: 'payment' }>
  | { readonly kind: 'to pay'; readonly payment: NewPayment; readonly leased: boolean; readonly order_number: string }

export type Decide = (tx: Transaction, checkout: LockedCheckout, attempt: Attempt) => Promise<Decision>

/** Decides on a checkout under its order's lock, and opens the page of the payment that this begins or finds. */
export async function decideAndPay(parts: PayParts, form: CheckoutForm, decide: Decide): Promise<PaymentOutcome> {
  const { db, clock, payments, openPage, limitPayments } = parts
  const { view, token, locale, client_address } = form
  const { merchant, program_id, order_uuid } = view
  const callable = (await payments.of(merchant, merchant.payment_provider)) !== undefined
  const attempt = { payment_uuid: newUuid(), callable }
  const known = { program_id, merchant_id: merchant.merchant_id, order_uuid }
  const decision = await limitPayments({ ...known, client_address }, (counted) =>
    changeCheckout(db, known, (tx, locked) => decide(tx, locked, { ...attempt, counted, now: clock.now() }), {
      repeatable: true,
    }),
  )
  if (decision.kind !== 'to pay') return decision
  const { payment, leased, order_number } = decision
  return openPage(payment, { token, locale, merchant, order_number }, leased)
}

const unavailable = { kind: 'payment failed', error: 'unavailable' } as const

/** The points that a customer confirms, and what the page showed as left to pay. */
export interface ShownChoice {
  readonly points: Points
  readonly due_halalas: Halalas
  /** The version of the terms agreed to with the choice. */
  readonly terms_version?: string | null
}

/**
 * Confirms a choice in the browser in which the phone was proven: holds the points, and has the rest collected. Confirming
 * the same again gives the same and changes nothing. `changed`: balance, order or session is not as shown.
 */
export type ConfirmCheckout = (form: CheckoutForm, choice: ShownChoice) => Promise<PaymentOutcome>

/** Hold, order and payment are one transaction. The provider is called afterwards (docs/spec/checkout.md#held-points). */
export function createConfirmCheckout(parts: PayParts): ConfirmCheckout {
  return (form, choice) =>
    decideAndPay(parts, form, (tx, checkout, attempt) =>
      confirm(tx, checkout, { form, choice, ...attempt }, parts.clock),
    )
}

interface Confirming extends Attempt {
  readonly form: CheckoutForm
  readonly choice: ShownChoice
}

async function confirm(tx: Transaction, checkout: LockedCheckout, asked: Confirming, clock: Clock): Promise<Decision> {
  // Hold nothing for a payment that cannot begin.
  if (!asked.callable && asked.choice.due_halalas > 0) return unavailable
  const { session, order } = checkout
  const { view } = asked.form
  // A phone proven since the page was read belongs to somebody else.
  const proven = provenPhone(session, readerOf(asked.form))
  const customer = proven !== null && proven === view.proven_phone ? view.customer : null
  const wallet = customer && (await tx.one(lockWallet(session.program_id, customer.customer_id)))
  // Read the clock after the wallet's lock: what the wallet got while it was waited for came before.
  const by = { ...asked, now: clock.now() }
  const step = stepOf(session, order, { ...readerOf(by.form), active: customer !== null }, by.now)
  if (step === 'pay' || step === 'reserved' || step === 'finished') return confirmAgain(tx, checkout, by)
  if (step !== 'choose') return { kind: step === 'identify' || step === 'onboard' ? 'changed' : 'over' }
  if (!customer) throw new Error('a choice without a customer')
  // The customer was merged with another meanwhile, or erased.
  if (!wallet) return { kind: 'changed' }
  const redemption = redemptionShown(wallet, checkout, by)
  if (redemption === null) return { kind: 'changed' }
  const counted = by.counted || phoneByCode(session, by.form.browser) !== null
  const refused = redemption.due_halalas > 0 ? await checkMayCollect(tx, order, view.merchant, counted) : null
  if (refused !== null) return refused
  const account = { ...wallet, account_id: customer.customer_id }
  if (!(await mayConfirm(tx, checkout, by, { wallet: account, points: redemption.points }))) return { kind: 'changed' }
  return writeConfirmed(tx, checkout, by, { wallet: account, redemption })
}

interface Confirmed {
  readonly wallet: ShownWallet & { readonly account_id: Uuid }
  readonly redemption: Redemption
}

/** Gives the redemption if it is still as shown: the balance suffices, and the points leave the same to pay. */
function redemptionShown(
  wallet: ShownWallet,
  { order }: LockedCheckout,
  { form, choice, now }: Confirming,
): Redemption | null {
  if (choice.points < 0) return null
  const value = rateAt(form.view.merchant.program.rates, now)
  const facts = { available_points: usablePoints(wallet), total_halalas: order.total_halalas, value }
  const redemption = decideRedemption(facts, choice.points)
  if (redemption.kind !== 'redemption') return null
  const same = redemption.points === choice.points && redemption.due_halalas === choice.due_halalas
  return same ? redemption : null
}

function writeConfirmed(
  tx: Transaction,
  { session, order: row }: LockedCheckout,
  by: Confirming,
  { wallet, redemption }: Confirmed,
): Decision {
  const { now } = by
  const { merchant } = by.form.view
  const { points: total_points, value_halalas: redeemed_halalas, due_halalas } = redemption
  const micro_sar_per_point = rateAt(merchant.program.rates, now)
  const chosen = { customer_id: wallet.account_id, total_points, redeemed_halalas, micro_sar_per_point }
  const order: LockedOrder = {
    ...row,
    ...chosen,
    wallet: { ...wallet, waiting: NO_POINTS, erased: false },
    hold: null,
  }
  void tx.run(updateOrder(row, chosen, now))
  writeConsent(tx, row.program_id, wallet.account_id, by)
  if (due_halalas === 0) {
    void tx.run(updateSession(session, { confirmed_at: now }, now))
    moveLocked(tx, { merchant, order, now }, { action: 'pay' })
    return { kind: 'approved' }
  }
  moveHeldPoints(tx, { merchant, order, now }, 'keep held')
  return collectPayment(tx, { session, order }, merchant, by)
}

/** The consent that was given with the choice, if any. */
function writeConsent(
  tx: Transaction,
  program_id: number,
  customer_id: Uuid,
  { form: { locale }, choice: { terms_version = null }, now: created_at }: Confirming,
): void {
  if (terms_version === null) return
  const consent = { program_id, consent_uuid: newUuid(), customer_id, terms_version, created_at }
  void tx.run(insertConsent({ ...consent, locale, source: 'checkout' }))
}

/** A second click, a second tab, or a retry after an unknown commit. */
async function confirmAgain(
  tx: Transaction,
  checkout: LockedCheckout,
  { choice, payment_uuid }: Confirming,
): Promise<Decision> {
  const { session, order } = checkout
  const due_halalas = asHalalas(order.total_halalas - order.redeemed_halalas)
  const same = order.total_points === choice.points && due_halalas === choice.due_halalas
  // A checkout continued without points may earn for another customer.
  if (!same || session.continued_at !== null) return { kind: 'changed' }
  return collectAgain(tx, checkout, payment_uuid)
}

/** What a new customer enters before paying: a name, and the version of the terms agreed to. */
export interface GuestJoining {
  readonly name: string
  readonly terms_version: string
}

/**
 * Goes on without points, with or without a code: the order is paid with money alone, and earns for the number that the
 * store sent. Asking again gives the same and changes nothing. `changed`: nothing is to pay, or a choice is confirmed already.
 */
export type ContinueWithoutPoints = (form: CheckoutForm, joining: GuestJoining | null) => Promise<PaymentOutcome>

/** docs/spec/checkout.md#without-points */
export function createContinueWithoutPoints(parts: PayParts): ContinueWithoutPoints {
  return (form, joining) =>
    decideAndPay(parts, form, (tx, checkout, attempt) => continueLocked(tx, checkout, { form, joining, ...attempt }))
}

interface Continuing extends Attempt {
  readonly form: CheckoutForm
  readonly joining: GuestJoining | null
}

/** Locks no wallet: no points move, and the payment decides which customer the order earns for. */
async function continueLocked(tx: Transaction, checkout: LockedCheckout, by: Continuing): Promise<Decision> {
  if (!by.callable) return unavailable
  const { session, order } = checkout
  const { form, joining, now } = by
  const { view, locale } = form
  const step = stepOf(session, order, { ...readerOf(form), active: true }, now)
  if (step === 'pay' || step === 'reserved' || step === 'finished')
    return order.total_points === 0 ? collectAgain(tx, checkout, by.payment_uuid) : { kind: 'changed' }
  if (step !== 'identify' && step !== 'choose') return { kind: 'over' }
  if (!mayContinue({ total_halalas: order.total_halalas, confirmed_at: session.confirmed_at }))
    return { kind: 'changed' }
  const counted = by.counted || phoneByCode(session, form.browser) !== null
  const refused = await checkMayCollect(tx, order, view.merchant, counted)
  if (refused !== null) return refused
  const given = session.phone === null ? undefined : await tx.one(findCustomer(session.program_id, session.phone))
  const paying = { customer_id: given?.customer_id ?? null, total_points: NO_POINTS, redeemed_halalas: NO_MONEY }
  void tx.run(updateOrder(order, paying, now))
  const joined = joining && {
    joined_name: joining.name,
    joined_terms: joining.terms_version,
    joined_locale: locale,
  }
  const continued = { session, order: { ...order, ...paying } }
  return collectPayment(tx, continued, view.merchant, by, { continued_at: now, ...joined })
}

/** Gives why no payment may begin for a locked order, or null. Ask before changing anything. */
async function checkMayCollect(
  tx: Transaction,
  order: LockedCheckout['order'],
  { payment_provider }: CheckoutMerchant,
  counted: boolean,
): Promise<NotBegun | null> {
  return payment_provider === 'merchant' ? null : checkMayBegin(tx, order, counted)
}

/** Confirms a locked checkout with money left to pay: reserves it for the merchant who collects, or begins a payment. */
function collectPayment(
  tx: Transaction,
  { session, order }: LockedCheckout,
  merchant: CheckoutMerchant,
  { payment_uuid, now }: Attempt,
  changes: SessionChanges = {},
): Decision {
  const collector: Collector = merchant.payment_provider === 'merchant' ? 'merchant' : 'provider'
  const release_at = releaseAt(collector, session, now)
  void tx.run(updateSession(session, { ...changes, confirmed_at: now, release_at, collector }, now))
  if (collector === 'merchant') return { kind: 'reserved' }
  const amount_halalas = asHalalas(order.total_halalas - order.redeemed_halalas)
  const payment = beginPayment(tx, order, { payment_uuid, amount_halalas }, merchant, now)
  return { kind: 'to pay', payment, leased: true, order_number: order.order_number }
}

/** Gives where a checkout that is already confirmed in this way goes on. */
async function collectAgain(
  tx: Transaction,
  { session, order }: LockedCheckout,
  payment_uuid: Uuid,
): Promise<Decision> {
  const { order_number, order_status, program_id, order_uuid } = order
  if (order_status !== 'new') return { kind: 'approved' }
  if (session.collector === 'merchant') return { kind: 'reserved' }
  const payment = currentOf(await tx.run(findPayments(program_id, order_uuid)))
  if (payment === undefined) throw new Error('a confirmed checkout has no payment')
  return { kind: 'to pay', payment, leased: payment.payment_uuid === payment_uuid, order_number }
}
