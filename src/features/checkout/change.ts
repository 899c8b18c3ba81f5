import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { NO_MONEY } from '../../domain/money.ts'
import { NO_POINTS } from '../../domain/points.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Moving, moveHeldPoints } from '../orders/move.ts'
import type { LockedOrder } from '../orders/order.ts'
import { findPayments } from '../orders/payment-queries.ts'
import { cancelPayment } from '../orders/payment-tasks.ts'
import { updateOrder } from '../orders/queries.ts'
import { changeOrder } from '../orders/service.ts'
import { findSessionOf, type SessionRow, updateSession } from '../orders/session-queries.ts'
import { deleteSpend } from '../otp/remembered-queries.ts'
import type { AskProvider } from '../payments/settle.ts'
import { stepOf } from './session.ts'
import { type CheckoutForm, mayAct, readerOf } from './view.ts'

/**
 * Takes a confirmation back while nothing has been paid, so that the customer can choose again. `finished`: money has come,
 * and it wins. `not now`: the provider does not say whether money has come, so nothing changes. `over`: nothing can be
 * taken back, or no time is left to choose.
 */
export type ChangeChoice = (form: CheckoutForm) => Promise<'choose' | 'finished' | 'not now' | 'over'>

export interface ChangeParts {
  readonly db: Database
  readonly clock: Clock
  readonly askProvider: AskProvider
}

/** Asks the provider first. Money that comes after the change goes back (docs/spec/payments.md#late-payments). */
export function createChangeChoice({ db, clock, askProvider }: ChangeParts): ChangeChoice {
  return async (form) => {
    const { view } = form
    if (!mayAct(view)) return 'over'
    const { program_id, order_uuid, merchant } = view
    const payments = await db.run(findPayments(program_id, order_uuid))
    const created = payments.find(({ state }) => state === 'created')
    const asked = created && (await askProvider(program_id, created.payment_uuid))
    if (asked?.payment.state === 'created' && asked.answer === 'nothing') return 'not now'
    const undo = async (tx: Transaction, order: LockedOrder) => {
      const now = clock.now()
      const session = await tx.one(findSessionOf(program_id, order_uuid))
      if (session === undefined) return 'over'
      const step = stepOf(session, order, { ...readerOf(form), active: true }, now)
      if (step === 'choose' || step === 'finished') return step
      if (step === 'identify' && session.confirmed_at === null) return 'choose'
      if ((step !== 'pay' && step !== 'reserved') || now.getTime() >= session.expires_at.getTime()) return 'over'
      undoConfirmation(tx, { merchant, order, now }, session, 'changed')
      return 'choose'
    }
    return changeOrder(db, merchant, order_uuid, undo, { repeatable: true })
  }
}

const unchosen = { total_points: NO_POINTS, redeemed_halalas: NO_MONEY, micro_sar_per_point: null }

/** The name and the consent were given for the confirmation that is undone. */
const unconfirmed = {
  ...{ confirmed_at: null, release_at: null, collector: null },
  ...{ continued_at: null, joined_name: null, joined_terms: null, joined_locale: null },
}

/**
 * Keeps that the customer went on without points: the store may yet collect the money
 * (docs/spec/checkout.md#expired-without-points).
 */
const expiredWithoutPoints = { release_at: null, collector: null }

/**
 * Undoes a confirmation under the order's lock: releases its points, cancels its payment, and leaves the order as if nothing
 * had been chosen. After an expiry it keeps that the customer went on without points.
 */
export function undoConfirmation(
  tx: Transaction,
  moving: Moving,
  session: SessionRow,
  why: 'expired' | 'changed',
): void {
  const { order, now } = moving
  moveHeldPoints(tx, moving, 'release held')
  cancelPayment(tx, order, why, now)
  void tx.run(updateOrder(order, unchosen, now))
  const kept = why === 'expired' && session.continued_at !== null
  void tx.run(updateSession(session, kept ? expiredWithoutPoints : unconfirmed, now))
  // What was taken back was not spent. A code may have replaced the remembered browser meanwhile.
  if (order.customer_id !== null) void tx.run(deleteSpend(session.program_id, order.customer_id, order.order_uuid))
}
