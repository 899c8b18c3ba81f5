import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import { newUuid } from '../../lib/ids.ts'
import type { OrderKey } from './order.ts'
import { cancelCreated, type PaymentProblem } from './payment-queries.ts'
import { insertTask, queueForAuthorized } from './payment-task-queries.ts'

interface AnyTask extends OrderKey {
  readonly payment_uuid: Uuid
  readonly amount_halalas: Halalas
}

/** A request to a payment provider. `amount_halalas` of `void` and `give_back` is the whole payment's. */
export type NewTask = AnyTask &
  ({ readonly kind: 'capture' | 'void' | 'give_back' } | { readonly kind: 'refund'; readonly refund_uuid: Uuid })

/**
 * Queues a task in the caller's transaction, without waiting; a worker performs it after the commit. Except for refunds, a
 * payment has one task of each kind: one that has ended becomes due again, one that is due stays.
 */
export function queueTask(tx: Transaction, task: NewTask): void {
  const refund_uuid = task.kind === 'refund' ? task.refund_uuid : null
  void tx.run(insertTask({ ...task, refund_uuid, task_uuid: newUuid() }, new Date()))
}

/** Queues a task for the authorised payment of a locked order, if it has one, in the caller's transaction. */
export function queueTaskForAuthorized(
  tx: Transaction,
  { program_id, order_uuid }: OrderKey,
  kind: 'capture' | 'void',
): void {
  void tx.run(queueForAuthorized({ program_id, order_uuid, kind, task_uuid: newUuid() }, new Date()))
}

/**
 * Cancels the payment under way for a locked order, if there is one, in the caller's transaction. A task ends its page at
 * the provider and gives back money that still comes by it (docs/spec/payments.md#late-payments).
 */
export function cancelPayment(tx: Transaction, order: OrderKey, error: PaymentProblem, now: Date): void {
  const task = { task_uuid: newUuid(), due_at: new Date() }
  for (const statement of cancelCreated(order, task, { error, now })) void tx.run(statement)
}
