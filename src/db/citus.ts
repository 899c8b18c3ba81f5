import { DatabaseSetupError } from './failure.ts'
import type { Database, Queryable } from './pool.ts'
import { serverInfo } from './server-info.ts'
import { setOnNodes } from './session-settings.ts'
import type { Transaction } from './transaction.ts'

/**
 * Where a Citus cluster keeps a table: `reference`, a full copy on every node, for small and rarely written tables;
 * `local`, on the coordinator only, for tables that no statement joins; or distributed by the named column.
 */
type Placement = 'reference' | 'local' | 'program_id' | 'key_hash'

/** Every table, after the tables that it references: those must be distributed first. */
export const placements: Readonly<Record<string, Placement>> = {
  schema_migration: 'local',
  deployment: 'reference',
  program: 'reference',
  program_rate: 'reference',
  merchant: 'reference',
  api_key: 'reference',
  customer: 'program_id',
  account: 'program_id',
  transfer: 'program_id',
  entry: 'program_id',
  orders: 'program_id',
  pending_earning: 'program_id',
  earning_lock: 'program_id',
  hold: 'program_id',
  event: 'program_id',
  webhook: 'program_id',
  checkout_session: 'program_id',
  idempotency: 'program_id',
  delivery_queue: 'program_id',
  delivery: 'program_id',
  delivery_attempt: 'program_id',
  webhook_rotation: 'program_id',
  order_payment: 'program_id',
  order_refund: 'program_id',
  order_rating: 'program_id',
  settlement: 'program_id',
  settlement_line: 'program_id',
  settlement_exclusion: 'program_id',
  erasure_request: 'program_id',
  settlement_run: 'program_id',
  program_webhook: 'program_id',
  settlement_notice: 'program_id',
  provider_money: 'program_id',
  proposal: 'program_id',
  program_terms: 'program_id',
  translation: 'program_id',
  otp: 'program_id',
  rate_limit: 'program_id',
  wallet_session: 'program_id',
  remembered_browser: 'program_id',
  remembered_spend: 'program_id',
  card_session: 'program_id',
  consent: 'program_id',
  sms_queue: 'program_id',
  payment_task: 'program_id',
  sandbox_payment: 'program_id',
  sandbox_refund: 'program_id',
  merchant_logo: 'program_id',
  merchant_wide_logo: 'program_id',
  merchant_payment_account: 'program_id',
  merchant_note: 'program_id',
  merchant_document: 'program_id',
  audit: 'program_id',
  activity_program: 'program_id',
  activity_window: 'program_id',
  activity_day: 'program_id',
  merchant_customer: 'program_id',
  liability_report: 'program_id',
  liability_month: 'program_id',
  request_log: 'program_id',
  merchant_audit: 'program_id',
  reconciliation_finding: 'program_id',
  message_count: 'program_id',
  limit_counter: 'key_hash',
  write_probe: 'local',
  service_process: 'local',
  ledger_run: 'local',
  staff: 'reference',
  staff_membership: 'reference',
  staff_session: 'reference',
  staff_recovery_code: 'reference',
  staff_passkey: 'reference',
  staff_link: 'reference',
  staff_used: 'reference',
  shown_mail: 'reference',
}

/**
 * The first statements of a transaction that changes the schema. On a cluster, they let a new table reference
 * distributed tables before it is distributed itself, use one connection per node, and apply settings on every node.
 * Any other PostgreSQL accepts them as unknown custom settings.
 */
export const clusterSettings = `set local citus.enable_local_reference_table_foreign_keys = off;
  set local citus.multi_shard_modify_mode = 'sequential';
  ${setOnNodes}`

/** The existing tables by state, in the order of `placements`. */
interface Distribution {
  readonly distributed: readonly string[]
  /** Not distributed yet. */
  readonly missing: readonly string[]
  /** Known to the cluster, but left on the coordinator. */
  readonly stuck: readonly string[]
}

async function findDistribution(db: Queryable): Promise<Distribution> {
  const names = Object.keys(placements).filter((name) => placements[name] !== 'local')
  const [cluster] = await db.run<{ present: boolean }>({
    text: `select to_regclass('pg_catalog.pg_dist_partition') is not null as present`,
    values: [],
  })
  if (cluster?.present !== true) return { distributed: [], missing: [], stuck: [] }
  const rows = await db.run<{ name: string; state: keyof Distribution }>({
    text: `select c.relname as name, case when d.logicalrelid is null then 'missing'
        when d.partmethod = 'n' and d.repmodel <> 't' then 'stuck' else 'distributed' end as state
      from pg_catalog.pg_class c left join pg_catalog.pg_dist_partition d on d.logicalrelid = c.oid
      where c.oid = any(select to_regclass(name) from unnest($1::text[]) as name)`,
    values: [names],
  })
  const inOrder = (state: keyof Distribution) =>
    names.filter((name) => rows.some((row) => row.name === name && row.state === state))
  return { distributed: inOrder('distributed'), missing: inOrder('missing'), stuck: inOrder('stuck') }
}

/**
 * Distributes the tables over a Citus cluster, each in its own transaction. After an interruption, run it again.
 * Existing rows move with their tables.
 * @param owner a connection to the coordinator as the role that owns the tables
 * @returns the names of the tables distributed by this call
 * @throws DatabaseSetupError if the database has no citus extension, or was distributed in another way
 */
export async function distributeTables(owner: Database): Promise<string[]> {
  const { has_citus } = await serverInfo(owner)
  if (!has_citus)
    throw new DatabaseSetupError(
      'This PostgreSQL has no citus extension: run `create extension citus` in the database on every node, then again.',
    )
  const { missing, stuck } = await findDistribution(owner)
  if (stuck.length > 0)
    throw new DatabaseSetupError(
      `Another program, or an earlier version, has begun to spread this database (${stuck.join(', ')}): restore its dump into a new one, and run this there.`,
    )
  const made = await distributeEach(owner, missing)
  // Delete the copies that stay on the coordinator, where no statement reads them.
  for (const name of (await findDistribution(owner)).distributed)
    await owner.run({ text: 'select truncate_local_data_after_distributing_table($1::regclass)', values: [name] })
  return made
}

/** True if the tables, or some of them, are distributed over a cluster. */
export async function isSpread(db: Queryable): Promise<boolean> {
  return (await findDistribution(db)).distributed.length > 0
}

/** Gives the tables that a cluster has yet to distribute; none if nothing is distributed. */
export async function findUndistributed(db: Queryable): Promise<readonly string[]> {
  const { distributed, missing } = await findDistribution(db)
  return distributed.length === 0 ? [] : missing
}

/** Finishes an interrupted distribution; does nothing otherwise. */
export async function finishDistribution(owner: Database): Promise<void> {
  if ((await findUndistributed(owner)).length > 0) await distributeTables(owner)
}

/**
 * Distributes the tables that a migration has created, if the database is distributed.
 * @param tx the transaction of the migration, which has run `clusterSettings` first
 */
export async function distributeNewTables(tx: Transaction): Promise<void> {
  for (const name of await findUndistributed(tx)) await distributeTable(tx, name)
}

async function distributeEach(owner: Database, missing: readonly string[]): Promise<string[]> {
  const made: string[] = []
  for (const name of missing) {
    const isNew = await owner.transaction(async (tx) => {
      void tx.script(`${clusterSettings}; lock table schema_migration in exclusive mode`)
      if (!(await findDistribution(tx)).missing.includes(name)) return false
      await distributeTable(tx, name)
      return true
    })
    if (isNew) made.push(name)
  }
  return made
}

async function distributeTable(tx: Transaction, name: string): Promise<void> {
  const placement = placements[name]
  if (placement === 'reference') await tx.run({ text: 'select create_reference_table($1::regclass)', values: [name] })
  else {
    // Keep tables without a program apart from the rows of programs.
    const beside = placement === 'program_id' ? 'default' : 'none'
    const text = 'select create_distributed_table($1::regclass, $2, colocate_with => $3)'
    await tx.run({ text, values: [name, placement, beside] })
  }
}
