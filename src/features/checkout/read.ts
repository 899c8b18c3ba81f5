import type { Environment } from '../../config/config.ts'
import type { Database } from '../../db/pool.ts'
import { type CheckoutStep, mayContinue } from '../../domain/checkout.ts'
import { availablePoints } from '../../domain/ledger.ts'
import { asHalalas } from '../../domain/money.ts'
import { mayBeginPayment } from '../../domain/payment.ts'
import type { Clock } from '../../lib/clock.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { findPayments, type PaymentRow } from '../orders/payment-queries.ts'
import type { SessionRow } from '../orders/session-queries.ts'
import { currentOf } from '../payments/outcome.ts'
import { type CustomerRow, findCustomer, findShown, type ShownRow } from './queries.ts'
import { returnLink } from './return-link.ts'
import { isProvenIn, sessionOf, stepOf } from './session.ts'
import type { CheckoutMerchant, CheckoutView, PaymentView } from './view.ts'

export interface ReadParts {
  readonly db: Database
  readonly clock: Clock
  /** Where customers may be led back to depends on it. */
  readonly environment: Environment
}

/** Gives what the link of a token shows in a browser, or null when no session has it. Changes nothing. */
export type ReadCheckout = (token: string, browser: string) => Promise<CheckoutView | null>

/** Decisions §6: what a browser learns of a customer is what was proven in it. */
export function createReadCheckout({ db, clock, environment }: ReadParts): ReadCheckout {
  const production = environment === 'production'
  return async (token, browser) => {
    const session = await sessionOf(db, token)
    if (session === null) return null
    const { program_id, order_uuid } = session
    const phone = isProvenIn(session, browser) ? session.proven_phone : null
    const [shown, merchant, customer, payments] = await Promise.all([
      db.one(findShown(program_id, order_uuid)),
      loadMerchant(db, program_id, session.merchant_id),
      phone === null ? undefined : db.one(findCustomer(program_id, phone)),
      db.run(findPayments(program_id, order_uuid)),
    ])
    // It had come to nothing, and was deleted since the session was read.
    if (shown === undefined) return null
    if (merchant === null) throw new Error('a checkout without a merchant')
    const step = stepOf(session, shown, { browser, active: customer !== undefined }, clock.now())
    return {
      ...viewSession(session, step),
      ...viewOrder(session, shown, production),
      may_continue: (step === 'identify' || step === 'onboard') && mayContinue({ ...session, ...shown }),
      continued: session.continued_at !== null,
      payments_over: !mayBeginPayment(payments.length),
      ...viewPayments(session, payments),
      merchant: viewMerchant(merchant, shown),
      locale: merchant.program.locale,
      micro_sar_per_point: merchant.program.micro_sar_per_point,
      proven_phone: phone,
      customer: viewCustomer(customer),
    }
  }
}

function viewSession(session: SessionRow, step: CheckoutStep) {
  const { program_id, session_uuid, order_uuid, phone, name, callback_url, expires_at, release_at } = session
  const { locale: asked_locale } = session
  const given = { given_phone: phone, given_name: name, callback_url }
  return { step, program_id, session_uuid, order_uuid, asked_locale, ...given, expires_at, held_until: release_at }
}

function viewOrder({ order_uuid, callback_url }: SessionRow, shown: ShownRow, production: boolean) {
  const { order_number, reference_number, order_status, total_halalas, items, item_count } = shown
  const { total_points, redeemed_halalas, earned_points } = shown
  const rules = { production, return_hosts: shown.return_hosts }
  return {
    order_number,
    reference_number,
    order_status,
    total_halalas,
    items,
    more_items: item_count - (items?.length ?? 0),
    return_to: callback_url === null ? null : returnLink(callback_url, { order_uuid, ...shown }, rules),
    points_used: total_points,
    redeemed_halalas,
    remainder_halalas: asHalalas(total_halalas - redeemed_halalas),
    earned_points,
  }
}

function viewMerchant(
  merchant: Omit<CheckoutMerchant, 'payment_provider' | 'payment_flow' | 'colour' | 'logo_digest'>,
  { payment_provider, payment_flow, colour, logo_digest }: ShownRow,
): CheckoutMerchant {
  return { ...merchant, payment_provider, payment_flow, colour, logo_digest }
}

function viewCustomer(row: CustomerRow | undefined): CheckoutView['customer'] {
  if (row === undefined) return null
  return { customer_id: row.customer_id, name: row.name, available: availablePoints(row) }
}

function viewPayments({ collector }: SessionRow, payments: readonly PaymentRow[]) {
  const current = currentOf(payments)
  // Without a collector, what there is belongs to a choice that was changed.
  const shown = current === undefined || (collector !== 'provider' && !pays(current)) ? null : viewPayment(current)
  const back = payments.filter(({ state }) => state === 'surplus' || state === 'returned')
  return { payment: shown, going_back: back.map(viewPayment) }
}

function pays({ state }: PaymentRow): boolean {
  return state === 'paid' || state === 'authorized'
}

function viewPayment({ payment_uuid, state, amount_halalas, page_url, error }: PaymentRow): PaymentView {
  return { payment_uuid, state, amount_halalas, page_url, error }
}
