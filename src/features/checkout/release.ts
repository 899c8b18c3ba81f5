import type { Transaction } from '../../db/transaction.ts'
import { NO_MONEY } from '../../domain/money.ts'
import { NO_POINTS } from '../../domain/points.ts'
import { type Moving, moveHeld } from '../orders/move.ts'
import { letPaymentGo } from '../orders/payment-cancel.ts'
import { updateOrder } from '../orders/queries.ts'
import { type SessionRow, updateSession } from '../orders/session-queries.ts'

/** A name and a consent belong to the way that is taken back. */
const unconfirmed = {
  ...{ confirmed_at: null, release_at: null, collector: null },
  ...{ continued_at: null, joined_name: null, joined_terms: null, joined_locale: null },
}

/**
 * Undoes a confirmation under the order's lock: its points are free again, its payment is let go, and the order is as if
 * nothing had been chosen. Decisions §6.
 */
export function undoConfirmation(
  tx: Transaction,
  moving: Moving,
  session: SessionRow,
  why: 'expired' | 'changed',
): void {
  const { order, now } = moving
  moveHeld(tx, moving, 'release held')
  letPaymentGo(tx, order, why, now)
  void tx.run(updateOrder(order, { total_points: NO_POINTS, redeemed_halalas: NO_MONEY }, now))
  void tx.run(updateSession(session, unconfirmed, now))
}
