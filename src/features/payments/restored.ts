import type { Database } from '../../db/pool.ts'
import { findProgramsToRefund, takeRefundsAsRequested } from '../orders/payment-task-queries.ts'

/**
 * For a database that was restored: refunds that were due at the backup may have been made since. Those that the provider's record
 * shows by their amount, where it keeps no names, are then found and not made again. docs/decisions/0015-payments.md
 */
export async function takeDueRefundsAsRequested(db: Database): Promise<void> {
  for (const { program_id } of await db.run(findProgramsToRefund())) await db.run(takeRefundsAsRequested(program_id))
}
