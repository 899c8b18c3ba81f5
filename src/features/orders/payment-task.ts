import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import { newUuid } from '../../lib/ids.ts'
import { insertTask, queueForAuthorized } from './payment-task-queries.ts'

interface AnyTask {
  readonly program_id: number
  readonly order_uuid: Uuid
  readonly payment_uuid: Uuid
  readonly amount_halalas: Halalas
}

/** What a provider is to be told. `amount_halalas` of a void or of giving back is the whole payment's. */
export type NewTask = AnyTask &
  ({ readonly kind: 'capture' | 'void' | 'give_back' } | { readonly kind: 'refund'; readonly refund_uuid: Uuid })

/**
 * Notes in the caller's transaction, without waiting, what a provider is to be told; once that has been committed, a
 * worker tells it. A payment has one task of each kind but refunds: one that has ended is due again, one that is due stays.
 */
export function queueTask(tx: Transaction, task: NewTask): void {
  const refund_uuid = task.kind === 'refund' ? task.refund_uuid : null
  void tx.run(insertTask({ ...task, refund_uuid, task_uuid: newUuid() }, new Date()))
}

/** Notes in the caller's transaction, without waiting, what becomes of the money reserved for a locked order, if any is. */
export function tellAuthorized(
  tx: Transaction,
  { program_id, order_uuid }: { readonly program_id: number; readonly order_uuid: Uuid },
  kind: 'capture' | 'void',
): void {
  void tx.run(queueForAuthorized({ program_id, order_uuid, kind, task_uuid: newUuid() }, new Date()))
}
