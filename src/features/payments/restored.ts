import type { Database } from '../../db/pool.ts'
import { findProgramsToRefund, takeRefundsAsRequested } from '../orders/payment-task-queries.ts'

/**
 * Prepares a restored database: refunds that were due at the backup may have been made since. Taken as requested, they are
 * found in the provider's record, by their amount where it keeps no names, and not made again.
 * docs/decisions/0015-payments.md
 */
export async function takeDueRefundsAsRequested(db: Database): Promise<void> {
  for (const { program_id } of await db.run(findProgramsToRefund())) await db.run(takeRefundsAsRequested(program_id))
}
