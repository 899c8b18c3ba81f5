import type { Transaction } from '../transaction.ts'

const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout']

/** Settings of a transaction that copies whole tables: no time limit that an administrator has set for requests. */
export async function copySettings(tx: Transaction): Promise<void> {
  await tx.script("set local client_encoding = 'UTF8'")
  // PostgreSQL 15 and 16 have no transaction_timeout.
  await tx.run({
    text: `select set_config(name, '0', true) from pg_catalog.pg_settings where name = any($1::text[])`,
    values: [timeouts],
  })
}
