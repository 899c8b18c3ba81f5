import type { Database } from './pool.ts'
import { DatabaseRefused } from './refused.ts'
import { serverInfo } from './server-info.ts'

/** Small and rarely written: a whole copy on every node (citus.md, rule 12). */
const reference = ['deployment', 'program', 'merchant', 'api_key'] as const

/** Spread by `program_id`; those that others refer to come first. */
const distributed = [
  'customer',
  'account',
  'transfer',
  'entry',
  'orders',
  'pending_earning',
  'earning_lock',
  'hold',
  'event',
  'webhook',
  'checkout_session',
  'idempotency',
  'delivery_queue',
  'delivery',
  'delivery_attempt',
  'webhook_rotation',
  'order_payment',
  'order_refund',
  'order_rating',
  'settlement',
  'translation',
  'otp',
  'rate_limit',
  'wallet_session',
  'consent',
  'sms_queue',
  'payment_task',
  'sandbox_payment',
  'sandbox_refund',
  'merchant_logo',
  'merchant_payment_account',
] as const

/**
 * Spreads the tables over a Citus cluster by `program_id` (architecture, "Scale beyond one machine"). Tables that are
 * spread already stay as they are.
 * @param owner a connection to the coordinator as the role that owns the tables
 * @returns the names of the tables spread now
 * @throws DatabaseRefused when the database has no citus extension
 */
export async function distributeTables(owner: Database): Promise<string[]> {
  const { has_citus } = await serverInfo(owner)
  if (!has_citus)
    throw new DatabaseRefused(
      'This PostgreSQL has no citus extension: run `create extension citus` in the database on every node, then again.',
    )
  const rows = await owner.run<{ name: string }>({
    text: 'select logicalrelid::text as name from pg_dist_partition',
    values: [],
  })
  const spread = new Set(rows.map(({ name }) => name))
  const made: string[] = []
  for (const table of reference.filter((name) => !spread.has(name))) {
    await owner.run({ text: 'select create_reference_table($1)', values: [table] })
    made.push(table)
  }
  for (const table of distributed.filter((name) => !spread.has(name))) {
    await owner.run({ text: 'select create_distributed_table($1, $2)', values: [table, 'program_id'] })
    made.push(table)
  }
  return made
}
