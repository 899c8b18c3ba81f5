import type { Database } from './pool.ts'
import { DatabaseSetupError } from './refused.ts'
import { serverInfo } from './server-info.ts'
import type { Transaction } from './transaction.ts'

/**
 * How a table is kept on a Citus cluster: `reference`, a whole copy on every node, for what is small and rarely written;
 * `local`, on the coordinator only, for what no statement joins; or spread by the named column.
 */
type Placement = 'reference' | 'local' | 'program_id' | 'key_hash'

/** Every table, after those that it refers to: a table can be spread only when those are. */
export const placements: Readonly<Record<string, Placement>> = {
  schema_migration: 'local',
  deployment: 'reference',
  program: 'reference',
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
  translation: 'program_id',
  otp: 'program_id',
  rate_limit: 'program_id',
  wallet_session: 'program_id',
  consent: 'program_id',
  sms_queue: 'program_id',
  payment_task: 'program_id',
  sandbox_payment: 'program_id',
  sandbox_refund: 'program_id',
  merchant_logo: 'program_id',
  merchant_payment_account: 'program_id',
  limit_counter: 'key_hash',
  write_probe: 'local',
}

/**
 * What a transaction that changes the schema says first. On a cluster a new table may then refer to tables that are
 * spread before it is itself, one connection to each node does all of it in order, and what is set is set on every node.
 * Any other PostgreSQL takes these for names that mean nothing to it.
 */
export const clusterSettings = `set local citus.enable_local_reference_table_foreign_keys = off;
  set local citus.multi_shard_modify_mode = 'sequential';
  set local citus.propagate_set_commands = 'local'`

/** How our tables stand to a cluster, in the order of `placements`; those that no migration has made yet are in none. */
interface Spread {
  readonly spread: readonly string[]
  /** Still on the coordinator only. */
  readonly missing: readonly string[]
  /** Tables that the cluster has taken note of and left on the coordinator. */
  readonly stuck: readonly string[]
}

/** What answers: a database, or a transaction that is to see its own tables. */
type Source = Pick<Database, 'run'>

async function findSpread(db: Source): Promise<Spread> {
  const names = Object.keys(placements).filter((name) => placements[name] !== 'local')
  const [cluster] = await db.run<{ present: boolean }>({
    text: `select to_regclass('pg_catalog.pg_dist_partition') is not null as present`,
    values: [],
  })
  if (cluster?.present !== true) return { spread: [], missing: [], stuck: [] }
  const rows = await db.run<{ name: string; state: keyof Spread }>({
    text: `select c.relname as name, case when d.logicalrelid is null then 'missing'
        when d.partmethod = 'n' and d.repmodel <> 't' then 'stuck' else 'spread' end as state
      from pg_catalog.pg_class c left join pg_catalog.pg_dist_partition d on d.logicalrelid = c.oid
      where c.oid = any(select to_regclass(name) from unnest($1::text[]) as name)`,
    values: [names],
  })
  const inOrder = (state: keyof Spread) =>
    names.filter((name) => rows.some((row) => row.name === name && row.state === state))
  return { spread: inOrder('spread'), missing: inOrder('missing'), stuck: inOrder('stuck') }
}

/**
 * Spreads the tables over a Citus cluster, each in a transaction of its own: what is interrupted is finished by running
 * it again. Rows that are there move with their tables.
 * @param owner a connection to the coordinator as the role that owns the tables
 * @returns the names of the tables spread now
 * @throws DatabaseSetupError when the database has no citus extension
 */
export async function distributeTables(owner: Database): Promise<string[]> {
  const { has_citus } = await serverInfo(owner)
  if (!has_citus)
    throw new DatabaseSetupError(
      'This PostgreSQL has no citus extension: run `create extension citus` in the database on every node, then again.',
    )
  const { missing, stuck } = await findSpread(owner)
  if (stuck.length > 0)
    throw new DatabaseSetupError(
      `Another program, or an earlier version, has begun to spread this database (${stuck.join(', ')}): restore its dump into a new one, and run this there.`,
    )
  const made = await spreadEach(owner, missing)
  // Rows that have moved stay behind on the coordinator, where no statement sees them.
  for (const name of (await findSpread(owner)).spread)
    await owner.run({ text: 'select truncate_local_data_after_distributing_table($1::regclass)', values: [name] })
  return made
}

/** Tables that a cluster has still to spread; none where nothing is spread at all. */
export async function findUnspread(db: Source): Promise<readonly string[]> {
  const { spread, missing } = await findSpread(db)
  return spread.length === 0 ? [] : missing
}

/** Finishes a spreading that was interrupted; elsewhere does nothing. */
export async function finishSpreading(owner: Database): Promise<void> {
  if ((await findUnspread(owner)).length > 0) await distributeTables(owner)
}

/**
 * Spreads the tables that a migration has made, in its own transaction; only on a database that is spread.
 * @param tx a transaction that has said `clusterSettings` before anything else
 */
export async function spreadNewTables(tx: Transaction): Promise<void> {
  for (const name of await findUnspread(tx)) await spreadTable(tx, name)
}

async function spreadEach(owner: Database, missing: readonly string[]): Promise<string[]> {
  const made: string[] = []
  for (const name of missing) {
    const isNew = await owner.transaction(async (tx) => {
      void tx.script(`${clusterSettings}; lock table schema_migration in exclusive mode`)
      if (!(await findSpread(tx)).missing.includes(name)) return false
      await spreadTable(tx, name)
      return true
    })
    if (isNew) made.push(name)
  }
  return made
}

async function spreadTable(tx: Transaction, name: string): Promise<void> {
  const placement = placements[name]
  if (placement === 'reference') await tx.run({ text: 'select create_reference_table($1::regclass)', values: [name] })
  else {
    // What is of no program lies with no program's rows.
    const beside = placement === 'program_id' ? 'default' : 'none'
    const text = 'select create_distributed_table($1::regclass, $2, colocate_with => $3)'
    await tx.run({ text, values: [name, placement, beside] })
  }
}
