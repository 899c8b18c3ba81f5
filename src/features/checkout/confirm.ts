import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { availablePoints } from '../../domain/ledger.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas, type Halalas } from '../../domain/money.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import { decideRedemption, type Redemption } from '../../domain/redemption.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { moveHeld, moveLocked } from '../orders/move.ts'
import type { LockedOrder } from '../orders/order.ts'
import { updateOrder } from '../orders/queries.ts'
import { updateSession } from '../orders/session-queries.ts'
import type { PaymentTerms } from '../payments/begin.ts'
import type { PaymentOutcome } from '../payments/outcome.ts'
import type { OpenPage } from '../payments/page.ts'
import { type Confirmed, collectPayment, goOnAgain, notCollected } from './collect.ts'
import { type CustomerRow, findPaymentTerms, lockCustomer } from './queries.ts'
import { changeCheckout, type LockedCheckout, sessionOf, stepOf } from './session.ts'

/** What a customer confirms, as it was shown: the points, and what is left to pay besides. */
export interface ShownChoice {
  readonly points: Points
  readonly remainder_halalas: Halalas
}

/**
 * Confirms a choice in the browser in which the phone was proven: points are held, and the remainder is on its way to be
 * collected. Confirming the same again gives the same and changes nothing; what is not as shown is `changed`.
 */
export type ConfirmCheckout = (
  token: string,
  browser: string,
  choice: ShownChoice,
  locale: Locale,
) => Promise<PaymentOutcome>

export interface ConfirmParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  readonly openPage: OpenPage
}

/** Decisions §6: hold, order and payment are written together under the order's lock; the provider is called after that. */
export function createConfirmCheckout({ db, clock, payments, openPage }: ConfirmParts): ConfirmCheckout {
  return async (token, browser, choice, locale) => {
    const known = await sessionOf(db, token)
    if (known === null) return { kind: 'over' }
    const [merchant, selling] = await Promise.all([
      loadMerchant(db, known.program_id, known.merchant_id),
      db.one(findPaymentTerms(known.program_id, known.merchant_id)),
    ])
    if (merchant === null || selling === undefined) throw new Error('a checkout without a merchant')
    const callable = (await payments.of(merchant, selling.payment_provider)) !== undefined
    // Nothing is held for a payment that cannot begin.
    if (!callable && choice.remainder_halalas > 0) return { kind: 'payment failed', error: 'unavailable' }
    const by = { merchant, selling, browser, choice, payment_uuid: newUuid() }
    const confirmed = await changeCheckout(
      db,
      known,
      (tx, checkout) => confirm(tx, checkout, { ...by, now: clock.now() }),
      { repeatable: true },
    )
    if (confirmed.kind !== 'to pay') return confirmed
    const { payment, leased, order_number } = confirmed
    return openPage(payment, { token, locale, merchant, order_number }, leased)
  }
}

interface Confirming {
  readonly merchant: Merchant
  readonly selling: PaymentTerms
  readonly browser: string
  readonly choice: ShownChoice
  /** Of the payment that this confirmation begins: another try of it finds it. */
  readonly payment_uuid: Uuid
  readonly now: Date
}

async function confirm(tx: Transaction, checkout: LockedCheckout, by: Confirming): Promise<Confirmed> {
  const { session, order } = checkout
  const { proven_phone } = session
  const customer = proven_phone === null ? undefined : await tx.one(lockCustomer(session.program_id, proven_phone))
  const step = stepOf(session, order, { browser: by.browser, active: customer !== undefined }, by.now)
  if (step === 'pay' || step === 'reserved' || step === 'finished') return confirmedBefore(tx, checkout, by)
  if (step !== 'choose') return { kind: step === 'identify' || step === 'onboard' ? 'changed' : 'over' }
  if (customer === undefined) throw new Error('a choice without a customer')
  const redemption = redemptionShown(customer, checkout, by)
  if (redemption === null) return { kind: 'changed' }
  const collects = redemption.remainder_halalas > 0
  const refused = collects ? await notCollected(tx, checkout.order, by.selling, true) : null
  if (refused?.kind === 'no more payments') return refused
  return writeConfirmed(tx, checkout, by, { customer, redemption })
}

/** What the customer saw, if it still is so: the balance suffices, and the points leave the same to pay. */
function redemptionShown(
  customer: CustomerRow,
  { order }: LockedCheckout,
  { merchant, choice }: Confirming,
): Redemption | null {
  if (choice.points < 0) return null
  const value = merchant.program.micro_sar_per_point
  const facts = { available_points: availablePoints(customer), total_halalas: order.total_halalas, value }
  const redemption = decideRedemption(facts, choice.points)
  if (redemption.kind !== 'redemption') return null
  const same = redemption.points === choice.points && redemption.remainder_halalas === choice.remainder_halalas
  return same ? redemption : null
}

function writeConfirmed(
  tx: Transaction,
  { session, order: row }: LockedCheckout,
  { merchant, selling, payment_uuid, now }: Confirming,
  { customer, redemption }: { readonly customer: CustomerRow; readonly redemption: Redemption },
): Confirmed {
  const { customer_id, name: _, ...wallet } = customer
  const { points: total_points, value_halalas: redeemed_halalas, remainder_halalas } = redemption
  const chosen = { customer_id, total_points, redeemed_halalas }
  const order: LockedOrder = {
    ...row,
    ...chosen,
    wallet: { ...wallet, account_id: customer_id, waiting: NO_POINTS },
    hold: null,
  }
  void tx.run(updateOrder(row, chosen, now))
  if (remainder_halalas === 0) {
    void tx.run(updateSession(session, { confirmed_at: now }, now))
    moveLocked(tx, { merchant, order, now }, { action: 'pay' })
    return { kind: 'approved' }
  }
  moveHeld(tx, { merchant, order, now }, 'keep held')
  return collectPayment(tx, session, order, { selling, payment_uuid, now })
}

/** A second click, a second tab, or another try after a commit that was not known. */
async function confirmedBefore(
  tx: Transaction,
  checkout: LockedCheckout,
  { choice, payment_uuid }: Confirming,
): Promise<Confirmed> {
  const { session, order } = checkout
  const remainder_halalas = asHalalas(order.total_halalas - order.redeemed_halalas)
  const same = order.total_points === choice.points && remainder_halalas === choice.remainder_halalas
  // Gone on without points elsewhere, it earns for another customer perhaps.
  if (!same || session.continued_at !== null) return { kind: 'changed' }
  return goOnAgain(tx, checkout, payment_uuid)
}
