import pg from 'pg'
import type { Database } from './pool.ts'

/** Rows that are never altered or deleted, by anybody but the owner (settings, `NUQTA_MIGRATION_URL`). */
const appendOnly = ['transfer', 'entry', 'event', 'order_rating', 'settlement', 'webhook_rotation', 'consent']
const deletable = [
  'api_key',
  'webhook',
  'idempotency',
  'delivery_queue',
  'delivery',
  'otp',
  'rate_limit',
  'wallet_session',
  'sms_queue',
  'merchant_logo',
  'merchant_payment_account',
]

/** Grants `role` what the service needs on every table, and no more: ledger entries can be added and read. */
export async function grantService(owner: Database, role: string): Promise<void> {
  const service = pg.escapeIdentifier(role)
  const tables = await owner.run<{ name: string }>({
    text: `select c.relname as name from pg_catalog.pg_class c
           where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           order by c.relname`,
    values: [],
  })
  const grants = tables.map(({ name }) => {
    const table = pg.escapeIdentifier(name)
    if (name === 'schema_migration') return `grant select on ${table} to ${service};`
    const rights = ['select', 'insert']
    if (!appendOnly.includes(name)) rights.push('update')
    if (deletable.includes(name)) rights.push('delete')
    return `revoke all on ${table} from ${service}; grant ${rights.join(', ')} on ${table} to ${service};`
  })
  await owner.transaction(async (tx) => {
    // Two that grant rights on one table at once: PostgreSQL fails one of them, so the second waits here.
    void tx.script('lock table schema_migration in exclusive mode')
    void tx.script(`grant usage on schema public to ${service}; ${grants.join('\n')}`)
  })
}
