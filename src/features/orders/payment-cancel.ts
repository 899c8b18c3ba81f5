import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { newUuid } from '../../lib/ids.ts'
import type { PaymentProblem } from '../checkout/view.ts'
import { giveBackCreated } from './payment-queries.ts'

/**
 * Lets go of the payment under way for a locked order, if there is one, in the caller's transaction: its page is to be ended
 * at the provider, and money that still comes by it goes back (decisions §6).
 */
export function letPaymentGo(
  tx: Transaction,
  order: { readonly program_id: number; readonly order_uuid: Uuid },
  why: PaymentProblem,
  now: Date,
): void {
  const task = { task_uuid: newUuid(), due_at: new Date() }
  for (const statement of giveBackCreated(order, task, { error: why, now })) void tx.run(statement)
}
