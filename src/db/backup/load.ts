import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import { CliError } from '../../lib/errors.ts'
import { inParallel } from '../../lib/in-parallel.ts'
import { clusterSettings, isSpread } from '../citus.ts'
import { isMadeMeanwhile } from '../failure.ts'
import { bookkeepingText, type Migration, readMigrations, transactional } from '../migrate.ts'
import { makeMonths, partitioned } from '../partitions.ts'
import type { Database } from '../pool.ts'
import { refuseForeignTables } from '../prepare.ts'
import { requireEncoding } from '../server-info.ts'
import type { Transaction } from '../transaction.ts'
import {
  beginRestore,
  describeUnfinished,
  findUnfinishedRestore,
  findUnverifiedRestore,
} from '../unfinished-restore.ts'
import type { BackupHeader, BackupSums, Part, RowFormat } from './format.ts'
import { dropKeys } from './keys.ts'
import type { OpenBackup } from './reader.ts'
import { copySettings } from './session.ts'
import { findTables, quoted } from './snapshot.ts'

/** Says what is being done: loading a table, or making a key or an index. */
export type OnStep = (what: string) => void

/**
 * Gives the migrations of a backup.
 * @throws CliError if this version does not know one of them
 */
export async function migrationsOf({ migrations }: BackupHeader): Promise<readonly Migration[]> {
  const known = await readMigrations()
  const unknown = migrations.find(
    ({ name, checksum }) => !known.some((one) => one.name === name && one.checksum === checksum),
  )
  if (unknown !== undefined)
    throw new CliError(
      `The backup has the migration ${unknown.name}, which this version of Nuqta does not have: restore it with the version that made it, or a later one.`,
    )
  return known.filter(({ name }) => migrations.some((one) => one.name === name))
}

/** What was loaded. */
export type Loaded = Pick<BackupSums, 'tables' | 'rows'>

/**
 * Makes the schema of a backup and loads its rows, all in one transaction: a restore that ends early leaves nothing. Rows that an
 * earlier restore of the same backup has loaded stay as they are. The caller does what comes after, then calls `endRestore`.
 * @param owner a connection as the role that owns the tables, or will
 * @throws CliError if the database has rows, or the backup is damaged; then nothing is changed
 */
export async function loadBackup(owner: Database, backup: OpenBackup, onStep: OnStep): Promise<Loaded> {
  const migrations = await migrationsOf(backup.header)
  await refuseForeignTables(owner)
  await requireEncoding(owner)
  const begun = await findUnfinishedRestore(owner)
  if (begun !== null) return passOver(backup, begun)
  const copies = owner.forCopies()
  try {
    return await copies.transaction(async (tx) => {
      await tx.script(clusterSettings)
      await copySettings(tx)
      await clearEmpty(tx, backup.header)
      await makeSchema(tx, migrations, backup.header)
      const tables = await findTables(tx)
      const keys = await dropKeys(
        tx,
        tables.filter((name) => name !== tableWithOwnStatistics),
      )
      const loaded = await loadTables(tx, backup, { tables, onStep })
      // More memory sorts in fewer passes; the default is meant for many sessions.
      await tx.script(`set local maintenance_work_mem = '${maintenance_mb}MB'`)
      await keys.makeAgain(onStep)
      await continueIdentities(tx, tables)
      await beginRestore(tx, backup.header.created_at)
      return loaded
    })
  } finally {
    await copies.close()
  }
}

const maintenance_mb = 256

/** Migration 0009 gives this table statistics for good. Building its indexes or analyzing it would replace them. */
const tableWithOwnStatistics = 'delivery_queue'

/** Reads a backup to its end without loading it. */
async function passOver({ header, parts }: OpenBackup, begun: string): Promise<Loaded> {
  if (header.created_at !== begun)
    throw new CliError(`${describeUnfinished(begun)}: restore that one again, or this one into an empty database.`)
  for (;;) {
    const part = await nextOf(parts)
    if (part.kind !== 'end') continue
    await requireSeal(parts)
    return { tables: part.tables, rows: part.rows }
  }
}

/** Drops our tables if they have no rows. Rows of two of them do not count: they are no data. */
async function clearEmpty(tx: Transaction, header: BackupHeader): Promise<void> {
  if (await isSpread(tx))
    throw new CliError(
      'This database is spread over a Citus cluster: restore into a new one, then run nuqta migrate --citus there.',
    )
  const tables = await findTables(tx)
  if (tables.length === 0) return
  await tx.script(`lock table ${tables.map(quoted).join(', ')} in access exclusive mode`)
  for (const table of tables.filter((name) => !withoutData.includes(name))) {
    const [row] = await tx.run({ text: `select from ${quoted(table)} limit 1`, values: [] })
    if (row !== undefined) throw await refusalOf(tx, header)
  }
  await tx.script(`drop table ${tables.map(quoted).join(', ')}`)
}

async function refusalOf(tx: Transaction, { created_at }: BackupHeader): Promise<CliError> {
  if ((await findUnverifiedRestore(tx)) !== created_at)
    return new CliError('This database is in use: restore into an empty one, or into a new data directory.')
  return new CliError(
    `The backup of ${created_at} is restored in this database already; the restore ended before its ledger was verified. Run nuqta ledger verify, or restore into an empty database.`,
  )
}

const withoutData = ['schema_migration', 'write_probe']

async function makeSchema(
  tx: Transaction,
  migrations: readonly Migration[],
  { migrations: applied, months }: BackupHeader,
): Promise<void> {
  await tx.script(bookkeepingText).catch(sayWhoMadeIt)
  for (const migration of migrations) await tx.script(transactional(migration))
  for (const { name, checksum, applied_at } of applied)
    void tx.run({
      text: 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)',
      values: [name, checksum, applied_at],
    })
  await makeMonths(tx, months)
}

/** Our first table waits for the transaction of whoever makes it at the moment. */
function sayWhoMadeIt(error: unknown): never {
  if (!isMadeMeanwhile(error)) throw error
  throw new CliError('Another process has made the tables of this database meanwhile; this one has changed nothing.')
}

/** Loads the tables of a backup, which must be all those of its schema. */
async function loadTables(
  tx: Transaction,
  { parts, format }: OpenBackup,
  { tables, onStep }: { readonly tables: readonly string[]; readonly onStep: OnStep },
): Promise<Loaded> {
  const missing = new Set(tables.filter((name) => name !== 'schema_migration'))
  let rows = 0
  for (;;) {
    const part = await nextOf(parts)
    if (part.kind === 'end') {
      if (missing.size > 0) throw new CliError(`The backup is damaged: it has no table ${[...missing].join(', ')}.`)
      if (part.rows !== rows) throw new CliError('The backup is damaged: its number of rows differs.')
      await requireSeal(parts)
      return { tables: part.tables, rows }
    }
    if (part.kind !== 'table' || !missing.delete(part.table))
      throw new CliError('The backup is damaged: its parts are mixed up.')
    onStep(part.table)
    rows += await loadTable(tx, parts, { ...part, format })
  }
}

async function loadTable(
  tx: Transaction,
  parts: AsyncGenerator<Part, void>,
  { table, columns, format }: Extract<Part, { kind: 'table' }> & { readonly format: RowFormat },
): Promise<number> {
  let expected = -1
  async function* rows(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const part = await nextOf(parts)
      if (part.kind === 'rows') yield part.data
      else if (part.kind === 'table end') {
        expected = part.rows
        return
      } else throw new CliError('The backup is damaged: its parts are mixed up.')
    }
  }
  // Rows that are frozen from the start need not be written again by the first vacuum.
  const frozen = partitioned.every((one) => one.table !== table)
  const copied = `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`
  const copy = tx.copy(from(`${copied} with (format ${format}, freeze ${frozen})`))
  await pipeline(Readable.from(rows(), { objectMode: true, highWaterMark: 1 }), copy)
  await tx.copied()
  if (copy.rowCount !== expected) throw new CliError(`The backup is damaged: ${table} lacks rows.`)
  return expected
}

/** The seal comes after the last part. */
async function requireSeal(parts: AsyncGenerator<Part, void>): Promise<void> {
  if ((await parts.next()).done !== true) throw new CliError('The backup is damaged: it goes on after its end.')
}

async function nextOf(parts: AsyncGenerator<Part, void>): Promise<Part> {
  const next = await parts.next()
  if (next.done === true) throw new CliError('The backup is damaged: its end is missing.')
  return next.value
}

/** New rows get numbers after those of the backup. */
async function continueIdentities(tx: Transaction, tables: readonly string[]): Promise<void> {
  const columns = await tx.run<{ table: string; column: string }>({
    text: `select c.relname as table, a.attname as column from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid
      where a.attidentity <> '' and c.oid in (select to_regclass(name) from unnest($1::text[]) as name)`,
    values: [tables],
  })
  for (const { table, column } of columns)
    await tx.run({
      text: `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(table)}
        having max(${quoted(column)}) is not null`,
      values: [table, column],
    })
}

/** Collects statistics of two tables at a time, so that the first plans are made for tables with rows. */
export async function analyzeTables(owner: Database): Promise<void> {
  const tables = (await findTables(owner)).filter((name) => name !== tableWithOwnStatistics)
  await inParallel(2, tables.values(), (table) => owner.script(`analyze ${quoted(table)}`))
}
