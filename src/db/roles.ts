import pg from 'pg'
import { clusterSettings } from './citus.ts'
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
  'limit_counter',
  'wallet_session',
  'sms_queue',
  'merchant_logo',
  'merchant_payment_account',
  'checkout_session',
  'orders',
  'order_payment',
  'payment_task',
  'sandbox_payment',
  'translation',
]

/** Grants `role` what the service needs on every table, and no more: ledger entries can be added and read. */
export async function grantService(owner: Database, role: string): Promise<void> {
  const service = pg.escapeIdentifier(role)
  const tables = await owner.run<{ name: string; held: string[] }>({
    text: `select c.relname as name,
             array(select p from unnest($2::text[]) as p where has_table_privilege($1, c.oid, p)) as held
           from pg_catalog.pg_class c
           where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           order by c.relname`,
    values: [role, privileges],
  })
  // Only what differs: on a cluster each of these goes to every shard, and every start comes here.
  const grants = tables
    .filter(({ name, held }) => held.join() !== rightsOn(name).join())
    .map(({ name }) => {
      const table = pg.escapeIdentifier(name)
      return `revoke all on ${table} from ${service}; grant ${rightsOn(name).join(', ')} on ${table} to ${service};`
    })
  await owner.transaction(async (tx) => {
    void tx.script(clusterSettings)
    // Two that grant rights on one table at once: PostgreSQL fails one of them, so the second waits here.
    void tx.script('lock table schema_migration in exclusive mode')
    void tx.script(`grant usage on schema public to ${service}; ${grants.join('\n')}`)
  })
}

const privileges = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']

function rightsOn(table: string): string[] {
  if (table === 'schema_migration') return ['select']
  const rights = ['select', 'insert']
  if (!appendOnly.includes(table)) rights.push('update')
  if (deletable.includes(table)) rights.push('delete')
  return rights
}
