import type { Database } from '../../db/pool.ts'
import { findPayments } from '../orders/payment-queries.ts'
import { currentOf } from '../payments/outcome.ts'
import { createThrottledAsk } from '../payments/seldom.ts'
import type { AskProvider } from '../payments/settle.ts'
import { sessionOf } from './session.ts'

/** Settles the payment of a link that may still bring money, when its customer comes back. */
export type SettleCheckout = (token: string) => Promise<void>

export function createSettleCheckout(db: Database, askProvider: AskProvider): SettleCheckout {
  // Whoever has the link can come back as often as they like.
  const ask = createThrottledAsk(askProvider)
  return async (token) => {
    const session = await sessionOf(db, token)
    const payments = session === null ? [] : await db.run(findPayments(session.program_id, session.order_uuid))
    const current = currentOf(payments)
    if (current !== undefined) await ask(current.program_id, current.payment_uuid)
  }
}
