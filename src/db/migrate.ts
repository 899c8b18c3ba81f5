import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { lazy } from '../lib/lazy.ts'
import { clusterSettings, distributeNewTables, finishDistribution } from './citus.ts'
import { isLockTimeout, isMadeMeanwhile } from './failure.ts'
import { ensurePartitions } from './partitions.ts'
import type { Database, Queryable } from './pool.ts'
import { statementsOf } from './statement.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** Makes the table that says which migrations a database has. */
export const bookkeepingText = `create table if not exists schema_migration (
  name text not null, checksum text not null, applied_at timestamptz not null,
  constraint schema_migration_pkey primary key (name)
)`

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** Gives the migrations of this version, in order. A start asks for them three times. */
export const readMigrations = lazy<Promise<readonly Migration[]>>(readFolder)

async function readFolder(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}${name}`, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** PostgreSQL builds an index CONCURRENTLY outside of a transaction only. */
const concurrently = /\bconcurrently\b/i

function runsAlone({ sql }: Migration): boolean {
  return statementsOf(sql).some((statement) => concurrently.test(statement))
}

/** Gives the SQL of a migration as it can run within a transaction, on tables that nobody uses yet. */
export function transactional(migration: Migration): string {
  if (!runsAlone(migration)) return migration.sql
  return statementsOf(migration.sql)
    .map((statement) => `${statement.replace(concurrently, '')};`)
    .join('\n')
}

/** The database was migrated by another version, or with other files. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

export interface MigrateOptions {
  /** The role of the service, which gets its rights; omit it if it is the owner. */
  readonly service?: string
  readonly now?: Date
  /** Defaults to those of this version; tests pass others. */
  readonly migrations?: readonly Migration[]
  /** Called once for each migration that has to wait for a table. */
  readonly onWait?: (name: string) => void
  /** How long requests may go on before a table is tried again; tests pass less. */
  readonly pause_ms?: number
}

/**
 * Applies the missing migrations, each in its own transaction. Safe to run concurrently. On a distributed database it
 * distributes the tables that a migration creates. A migration that builds indexes CONCURRENTLY runs statement by statement
 * while this transaction keeps others from running it; after an interruption it runs again from its beginning.
 * @param owner a pool of two connections or more as the owner of the tables
 * @returns the names of the migrations applied by this call
 * @throws MigrationError if the database has an unknown migration, or a known one with another text
 */
export async function migrate(owner: Database, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = options.migrations ?? (await readMigrations())
  await owner.transaction((tx) => tx.script(bookkeepingText), { retryOn: isMadeMeanwhile })
  await finishDistribution(owner)
  const applied: string[] = []
  for (const migration of await missing(owner, migrations)) {
    if (await apply(owner, migration, migrations, options)) applied.push(migration.name)
  }
  await ensurePartitions(owner, options.now ?? new Date())
  if (options.service !== undefined) await grantService(owner, options.service)
  return applied
}

/**
 * The migrations that the database does not have.
 * @throws MigrationError if it has one that is not among `all`, or with another text
 */
async function missing(db: Queryable, all: readonly Migration[]): Promise<Migration[]> {
  const rows = await db.run<{ name: string; checksum: string }>({
    text: 'select name, checksum from schema_migration',
    values: [],
  })
  const unknown = rows.find((row) => !all.some(({ name }) => name === row.name))
  if (unknown !== undefined)
    throw new MigrationError(
      `The database has the migration ${unknown.name}, which this version does not know: run the newer version that made it.`,
    )
  const done = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const changed = all.find(({ name, checksum }) => (done.get(name) ?? checksum) !== checksum)
  if (changed !== undefined)
    throw new MigrationError(`The migration ${changed.name} is not the one that this database was made with.`)
  return all.filter(({ name }) => !done.has(name))
}

/** How often to ask whether the migration of another process is over. */
const poll_ms = 100
/** Every request queues behind a change of its table that waits for a long reader, such as a backup. So the change gives up soon. */
const lock_timeout = '2s'
/** How long requests then go on before the next try. */
const pause_ms = 10_000

/**
 * Applies a migration unless another process has, and gives whether it did. Waits for others between transactions, never
 * in one: a statement that waits for a lock holds a snapshot, for whose end the CREATE INDEX CONCURRENTLY of the
 * process with the lock would wait, for ever.
 */
async function apply(
  owner: Database,
  migration: Migration,
  all: readonly Migration[],
  options: MigrateOptions,
): Promise<boolean> {
  let told = false
  for (;;) {
    let begun = false
    const onBegin = (): void => {
      begun = true
    }
    try {
      return await applyAlone(owner, migration, all, onBegin)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (begun && !told) options.onWait?.(migration.name)
      told ||= begun
      await sleep(begun ? (options.pause_ms ?? pause_ms) : poll_ms)
    }
  }
}

function applyAlone(
  owner: Database,
  migration: Migration,
  all: readonly Migration[],
  onBegin: () => void,
): Promise<boolean> {
  return owner.transaction(async (tx) => {
    void tx.script(clusterSettings)
    await tx.run({ text: 'lock table schema_migration in exclusive mode nowait', values: [] })
    // Another process may have applied it meanwhile.
    if (!(await missing(tx, all)).includes(migration)) return false
    onBegin()
    void tx.script(`set local lock_timeout = '${lock_timeout}'`)
    if (runsAlone(migration)) for (const statement of statementsOf(migration.sql)) await owner.script(statement)
    else await tx.script(migration.sql)
    await distributeNewTables(tx)
    await tx.run({
      text: 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)',
      values: [migration.name, migration.checksum, new Date()],
    })
    return true
  })
}

/** Tables that the service can append to, but never update. It deletes only from those of the second list. */
const appendOnly = [
  'transfer',
  'entry',
  'event',
  'order_rating',
  'settlement',
  'settlement_line',
  'provider_money',
  'webhook_rotation',
  'consent',
  'audit',
  'merchant_audit',
  'request_log',
  'program_terms',
]
const deletable = [
  'api_key',
  'webhook',
  'webhook_rotation',
  'idempotency',
  'delivery_queue',
  'delivery',
  'otp',
  'rate_limit',
  'limit_counter',
  'wallet_session',
  'remembered_browser',
  'remembered_spend',
  'card_session',
  'sms_queue',
  'merchant_logo',
  'merchant_wide_logo',
  'merchant_payment_account',
  'checkout_session',
  'orders',
  'order_payment',
  'payment_task',
  'sandbox_payment',
  'translation',
  'activity_window',
  'activity_day',
  'merchant_customer',
  'liability_report',
  'liability_month',
  'staff_membership',
  'staff_session',
  'staff_recovery_code',
  'staff_passkey',
  'staff_link',
  'staff_used',
  'shown_mail',
  'request_log',
  'reconciliation_finding',
  'proposal',
  'message_count',
  'service_process',
  'ledger_run',
  'settlement_run',
  'program_webhook',
  'erasure_request',
  'settlement_notice',
]

/**
 * Grants `role` the rights of the service on every table, and revokes all others: ledger entries can be added and read.
 */
async function grantService(owner: Database, role: string): Promise<void> {
  const service = pg.escapeIdentifier(role)
  const tables = await owner.run<{ name: string; held: string[] }>({
    text: `select c.relname as name,
             array(select p from unnest($2::text[]) as p where has_table_privilege($1, c.oid, p)) as held
           from pg_catalog.pg_class c
           where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           order by c.relname`,
    values: [role, privileges],
  })
  // Grant only what differs: a cluster sends each grant to every shard, and this runs at every start.
  const grants = tables
    .filter(({ name, held }) => held.join() !== rightsOn(name).join())
    .map(({ name }) => {
      const table = pg.escapeIdentifier(name)
      return `revoke all on ${table} from ${service}; grant ${rightsOn(name).join(', ')} on ${table} to ${service};`
    })
  await owner.transaction(async (tx) => {
    void tx.script(clusterSettings)
    // PostgreSQL fails one of two concurrent grants on a table, so wait for the other one here.
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
