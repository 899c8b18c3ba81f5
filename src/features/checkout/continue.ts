import type { Transaction } from '../../db/transaction.ts'
import { mayContinue } from '../../domain/checkout.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { NO_MONEY } from '../../domain/money.ts'
import { NO_POINTS } from '../../domain/points.ts'
import { newUuid } from '../../lib/ids.ts'
import { findCustomer } from '../customers/queries.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { updateOrder } from '../orders/queries.ts'
import type { CountStranger, NotBegun } from '../payments/admission.ts'
import type { PaymentOutcome } from '../payments/outcome.ts'
import { type Collecting, type Confirmed, collectPayment, goOnAgain, notCollected } from './collect.ts'
import type { ConfirmParts } from './confirm.ts'
import { findPaymentTerms } from './queries.ts'
import { changeCheckout, isProvenIn, type LockedCheckout, sessionOf, stepOf } from './session.ts'

/** What somebody new says before paying: a name, and the version of the terms agreed to. */
export interface GuestJoining {
  readonly name: string
  readonly terms_version: string
}

/**
 * Goes on without points, with or without a code: the order is paid with money alone, and earns for the number that the store
 * sent. Asking again gives the same and changes nothing. `changed`: there is nothing to pay, or a choice is confirmed already.
 */
export type ContinueWithoutPoints = (
  token: string,
  browser: string,
  joining: GuestJoining | null,
  locale: Locale,
  client_address: string,
) => Promise<PaymentOutcome>

export type ContinueParts = ConfirmParts & { readonly countStranger: CountStranger }

export function createContinueWithoutPoints(parts: ContinueParts): ContinueWithoutPoints {
  const { db, clock, payments, openPage, countStranger } = parts
  return async (token, browser, joining, locale, client_address) => {
    const known = await sessionOf(db, token)
    if (known === null) return { kind: 'over' }
    const [merchant, selling] = await Promise.all([
      loadMerchant(db, known.program_id, known.merchant_id),
      db.one(findPaymentTerms(known.program_id, known.merchant_id)),
    ])
    if (merchant === null || selling === undefined) throw new Error('a checkout without a merchant')
    const callable = (await payments.of(merchant, selling.payment_provider)) !== undefined
    if (!callable) return { kind: 'payment failed', error: 'unavailable' }
    const by = { merchant, selling, browser, joining, locale, payment_uuid: newUuid() }
    const confirmed = await countStranger({ ...merchant, client_address }, (counted) =>
      changeCheckout(db, known, (tx, it) => goOn(tx, it, { ...by, counted, now: clock.now() }), { repeatable: true }),
    )
    if (confirmed.kind !== 'to pay') return confirmed
    const { payment, leased, order_number } = confirmed
    return openPage(payment, { token, locale, merchant, order_number }, leased)
  }
}

interface Continuing extends Collecting {
  readonly merchant: Merchant
  readonly browser: string
  readonly joining: GuestJoining | null
  readonly locale: Locale
  readonly counted: boolean
}

/** Under the order's lock. No wallet is locked: no points move, and whom the order earns for is settled when it is paid. */
async function goOn(tx: Transaction, checkout: LockedCheckout, by: Continuing): Promise<Confirmed | NotBegun> {
  const { session, order } = checkout
  const { browser, joining, now } = by
  const step = stepOf(session, order, { browser, active: true }, now)
  if (step === 'pay' || step === 'reserved' || step === 'finished')
    return order.total_points === 0 ? goOnAgain(tx, checkout, by.payment_uuid) : { kind: 'changed' }
  if (step !== 'identify' && step !== 'choose') return { kind: 'over' }
  if (!mayContinue({ total_halalas: order.total_halalas, confirmed_at: session.confirmed_at }))
    return { kind: 'changed' }
  const refused = await notCollected(tx, order, by.selling, by.counted || isProvenIn(session, browser))
  if (refused !== null) return refused
  const given = session.phone === null ? undefined : await tx.one(findCustomer(session.program_id, session.phone))
  const paying = { customer_id: given?.customer_id ?? null, total_points: NO_POINTS, redeemed_halalas: NO_MONEY }
  void tx.run(updateOrder(order, paying, now))
  const said = joining && {
    joined_name: joining.name,
    joined_terms: joining.terms_version,
    joined_locale: by.locale,
  }
  return collectPayment(tx, session, { ...order, ...paying }, by, { continued_at: now, ...said })
}
