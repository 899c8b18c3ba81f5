import type { Environment } from '../../config/config.ts'
import type { Database } from '../../db/pool.ts'
import { type CheckoutStep, mayContinue, type ReturningOrder, returnTo } from '../../domain/checkout.ts'
import { checkReturn, type ReturnReach, type ReturnRules, readReturn } from '../../domain/checkout-request.ts'
import { dayOf } from '../../domain/day.ts'
import type { FieldError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { usablePoints } from '../../domain/ledger.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas, type Halalas } from '../../domain/money.ts'
import type { Operator } from '../../domain/operator.ts'
import type { OrderState } from '../../domain/order.ts'
import { mayBeginPayment } from '../../domain/payment.ts'
import type { PaymentMethod } from '../../domain/payment-method.ts'
import type { Phone } from '../../domain/phone.ts'
import type { MicroSarPerPoint, Points } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { terms } from '../../domain/terms.ts'
import type { Clock } from '../../lib/clock.ts'
import { isPrivateHost, reachOfHost } from '../../net/addresses.ts'
import { type CheckoutMerchantRow, findCheckoutMerchant } from '../merchants/key-queries.ts'
import { merchantOf } from '../merchants/merchant.ts'
import { findPayments, type PaymentRow } from '../orders/payment-queries.ts'
import type { SessionRow } from '../orders/session-queries.ts'
import type { RememberedBrowsers } from '../otp/remembered.ts'
import { currentOf, type PaymentSettings } from '../payments/begin.ts'
import { type CustomerRow, findShown, type ShownLine, type ShownRow } from './queries.ts'
import { findHere, identifyReader, readSpending } from './remembered.ts'
import { type Reader, type RememberedReader, sessionOf, stepOf } from './session.ts'

/** A merchant as its checkout shows it. Its rates serve to preview earned points. */
export interface CheckoutMerchant extends Merchant, PaymentSettings {
  /** On Arabic pages; null for the same name in both languages. */
  readonly name_ar: string | null
  /** `#rrggbb`. */
  readonly colour: string | null
  readonly logo_digest: string | null
  readonly wide_logo_digest: string | null
  /** What its payment page takes. */
  readonly payment_methods: readonly PaymentMethod[]
}

/** A payment as the customer sees it. */
export interface PaymentView {
  readonly payment_uuid: Uuid
  readonly state: PaymentRow['state']
  readonly amount_halalas: Halalas
  /** Where the customer pays; null until the provider has given it. */
  readonly page_url: string | null
  readonly error: PaymentRow['error']
  readonly paid_with: PaymentMethod | null
}

/** The customer of a checkout. */
export interface CustomerView {
  readonly customer_id: Uuid
  readonly name: string | null
  /** May be below 0, and is 0 while an operator blocks the wallet. */
  readonly available: Points
  /** Reserved for other orders, as long as the choice of this one is open. */
  readonly held: Points
  readonly blocked: boolean
  /** Has agreed to the terms. */
  readonly consented: boolean
}

/** The checkout of a link, as one browser may see it. */
export interface CheckoutView {
  readonly step: CheckoutStep
  readonly program_id: number
  readonly session_uuid: Uuid
  readonly order_uuid: Uuid
  readonly merchant: CheckoutMerchant
  /** The program's language. */
  readonly locale: Locale
  /** The program's own operator. */
  readonly operator: Operator
  /** The language that the store asked for, or null. */
  readonly asked_locale: Locale | null
  readonly order_number: string
  readonly reference_number: string
  readonly order_status: OrderState
  readonly total_halalas: Halalas
  /** The first lines of the order. */
  readonly items: readonly ShownLine[] | null
  /** How many lines follow them. */
  readonly more_items: number
  /** Null where the store sent none. */
  readonly shipping_halalas: Halalas | null
  readonly tax_halalas: Halalas | null
  readonly discount_halalas: Halalas | null
  /** When the money was taken or reserved; null before. */
  readonly paid_at: Date | null
  /** What the store sent about the customer. Mask the phone. */
  readonly given_phone: Phone | null
  readonly given_name: string | null
  readonly callback_url: string | null
  /** `callback_url` with the order's current state in its query. Null where the merchant's rules do not allow it. */
  readonly return_to: string | null
  readonly expires_at: Date
  /** The customer may go on without points and without a code. */
  readonly may_continue: boolean
  /** The customer has gone on without points. */
  readonly continued: boolean
  /** No further payment may begin for the order. */
  readonly payments_over: boolean
  /** Until when confirmed points stay held. Null before the confirmation, and once the hold has ended. */
  readonly held_until: Date | null
  /** The phone proven in this browser. Another browser gets null, and learns nothing about the customer. */
  readonly proven_phone: Phone | null
  /** A remembered browser stands for the code, within its limit. */
  readonly proven_by: 'code' | 'remembered' | null
  /** This browser, when it is remembered for the phone of the checkout. */
  readonly remembered: RememberedReader | null
  /** The active customer of `proven_phone`. */
  readonly customer: CustomerView | null
  readonly micro_sar_per_point: MicroSarPerPoint
  /** The version of the program's terms in force. */
  readonly terms_version: string
  /** The points that a remembered browser may spend within 24 hours. */
  readonly remembered_limit: Points
  /** 0 before the confirmation. */
  readonly points_used: Points
  readonly redeemed_halalas: Halalas
  /** What is paid in money, before and after it is paid. */
  readonly due_halalas: Halalas
  /** Points earned on the money part. 0 until the order is paid. */
  readonly earned_points: Points
  /** The payment that pays the order, or the latest since the confirmation. */
  readonly payment: PaymentView | null
  /** Payments that came too late or with a wrong amount. Their money goes back, or has gone back (`returned`). */
  readonly going_back: readonly PaymentView[]
}

/** Who sends a form. */
export function readerOf({ view, browser }: Pick<CheckoutForm, 'view' | 'browser'>): Reader {
  return { browser, remembered: view.remembered }
}

/** Whether this browser may pay for what is confirmed, or take it back. Without points, the link alone is enough. */
export function mayAct({ continued, proven_phone }: CheckoutView): boolean {
  return continued || proven_phone !== null
}

/**
 * A form that a customer sends from the page of a checkout. The page reads `view` once for each request; a service that
 * changes the checkout reads under the order's lock whatever may have changed since.
 */
export interface CheckoutForm {
  readonly view: CheckoutView
  readonly token: string
  readonly browser: string
  readonly locale: Locale
  readonly client_address: string
}

export interface ReadParts {
  readonly db: Database
  readonly clock: Clock
  /** Production allows fewer addresses for the way back. */
  readonly environment: Environment
  readonly rememberedBrowsers: RememberedBrowsers
}

/**
 * Gives the checkout of a link's token as a browser may see it, or null when there is none. Changes nothing. `tokens`: those
 * of a remembered browser, from its cookie.
 */
export type ReadCheckout = (token: string, browser: string, tokens?: string) => Promise<CheckoutView | null>

/** Shows customer data only to the browser in which the phone was proven (docs/spec/checkout.md#steps). */
export function createReadCheckout(parts: ReadParts): ReadCheckout {
  const { db, clock, environment } = parts
  const production = environment === 'production'
  return async (token, browser, tokens) => {
    const session = await sessionOf(db, token)
    if (session === null) return null
    const now = clock.now()
    const { program_id, order_uuid } = session
    const here = await findHere(parts.rememberedBrowsers, session, { browser, tokens })
    const [shown, merchant, wallet, payments] = await Promise.all([
      db.one(findShown(program_id, order_uuid)),
      db.one(findCheckoutMerchant(program_id, session.merchant_id, dayOf(now))),
      readSpending(db, session, { browser, here, now }),
      db.run(findPayments(program_id, order_uuid)),
    ])
    // The checkout was deleted since its session was read.
    if (shown === undefined) return null
    if (merchant === undefined) throw new Error('a checkout without a merchant')
    const value = rateAt(merchant.rates, now)
    const order = { total_halalas: shown.total_halalas, value, limit: merchant.remembered_limit }
    const who = identifyReader(session, { browser, here, wallet }, order)
    const step = stepOf(session, shown, { browser, remembered: who.remembered, active: who.active }, now)
    return {
      ...viewSession(session, step),
      ...viewOrder(session, shown, { production, return_hosts: merchant.return_hosts }),
      may_continue: (step === 'identify' || step === 'onboard') && mayContinue({ ...session, ...shown }),
      continued: session.continued_at !== null,
      payments_over: !mayBeginPayment(payments.length),
      ...viewPayments(session, payments),
      merchant: viewMerchant(merchant),
      locale: merchant.locale,
      operator: { name: merchant.operator_name, contact: merchant.operator_contact },
      micro_sar_per_point: value,
      terms_version: merchant.terms_version ?? terms.version,
      remembered_limit: merchant.remembered_limit,
      proven_phone: who.proven_phone,
      proven_by: who.proven_by,
      remembered: who.remembered,
      customer: viewCustomer(customerOf(session, shown, who.customer)),
    }
  }
}

function viewSession(session: SessionRow, step: CheckoutStep) {
  const { program_id, session_uuid, order_uuid, phone, name, callback_url, expires_at, release_at } = session
  const { locale: asked_locale } = session
  const given = { given_phone: phone, given_name: name, callback_url }
  return { step, program_id, session_uuid, order_uuid, asked_locale, ...given, expires_at, held_until: release_at }
}

function viewOrder({ order_uuid, callback_url }: SessionRow, shown: ShownRow, rules: ReturnRules) {
  const { order_number, reference_number, order_status, total_halalas, items, item_count } = shown
  const { total_points, redeemed_halalas, earned_points, shipping_halalas, tax_halalas, discount_halalas } = shown
  return {
    ...{ shipping_halalas, tax_halalas, discount_halalas },
    paid_at: shown.paid_at ?? shown.authorized_at,
    order_number,
    reference_number,
    order_status,
    total_halalas,
    items,
    more_items: item_count - (items?.length ?? 0),
    return_to: callback_url === null ? null : returnLink(callback_url, { order_uuid, ...shown }, rules),
    points_used: total_points,
    redeemed_halalas,
    due_halalas: asHalalas(total_halalas - redeemed_halalas),
    earned_points,
  }
}

function viewMerchant(row: CheckoutMerchantRow): CheckoutMerchant {
  const { payment_provider, payment_flow, payment_methods, name_ar, colour, logo_digest, wide_logo_digest } = row
  const paid = { payment_provider, payment_flow, payment_methods }
  return { ...merchantOf(row), ...paid, name_ar, colour, logo_digest, wide_logo_digest }
}

/** A confirmed choice belongs to its customer. After a merge the number may be somebody else's, who must not be shown. */
function customerOf(
  { confirmed_at }: SessionRow,
  { customer_id }: ShownRow,
  found: CustomerRow | undefined,
): CustomerRow | undefined {
  return confirmed_at === null || found?.customer_id === customer_id ? found : undefined
}

function viewCustomer(row: CustomerRow | undefined): CheckoutView['customer'] {
  if (row === undefined) return null
  const { customer_id, name, consented, blocked, held } = row
  return { customer_id, name, blocked, available: usablePoints(row), held, consented }
}

function viewPayments({ collector }: SessionRow, payments: readonly PaymentRow[]) {
  const current = currentOf(payments)
  // Without a collector, the payment belongs to a choice that was taken back.
  const shown = current === undefined || (collector !== 'provider' && !pays(current)) ? null : viewPayment(current)
  const back = payments.filter(({ state }) => state === 'surplus' || state === 'returned')
  return { payment: shown, going_back: back.map(viewPayment) }
}

/** Whether a payment pays its order. The others came to nothing, are under way, or go back. */
export function pays({ state }: Pick<PaymentRow, 'state'>): boolean {
  return state === 'paid' || state === 'authorized'
}

function viewPayment({ payment_uuid, state, amount_halalas, page_url, error, paid_with }: PaymentRow): PaymentView {
  return { payment_uuid, state, amount_halalas, page_url, error, paid_with }
}

/** Gives what is wrong with a `callback_url`, or null. Does not resolve names: the browser does. */
export function findReturnMistake(callback_url: string, rules: ReturnRules): FieldError | null {
  const address = readReturn(callback_url)
  if (address === null) return { field: 'callback_url', rule: 'url' }
  return checkReturn(address, reachOf(address.host), rules)
}

/**
 * Gives the link back to the store, with the order in its query and its host in ASCII. Null when the merchant's rules no
 * longer allow it: they may have changed since the checkout was opened.
 */
function returnLink(callback_url: string, order: ReturningOrder, rules: ReturnRules): string | null {
  const address = readReturn(callback_url)
  if (address === null || findReturnMistake(callback_url, rules) !== null) return null
  return returnTo(address.href, order)
}

function reachOf(host: string): ReturnReach {
  return isPrivateHost(host) ? 'private' : reachOfHost(host)
}
