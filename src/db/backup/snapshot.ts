import pg from 'pg'
import { to } from 'pg-copy-streams'
import { CliError } from '../../lib/errors.ts'
import { isSpread, placements } from '../citus.ts'
import { isMissingTable } from '../failure.ts'
import { findMonths } from '../partitions.ts'
import type { Database, Queryable } from '../pool.ts'
import { schemaState } from '../prepare.ts'
import type { Transaction } from '../transaction.ts'
import type { AppliedMigration, BackupHeader } from './format.ts'
import { copySettings } from './session.ts'
import type { BackupWriter } from './writer.ts'

/** What a backup of this database would be of. */
export interface BackupSubject {
  readonly environment: string
  readonly secret_canary: Buffer | null
}

/**
 * Checks that a database can be backed up. Its schema may be older than this version: back it up before you upgrade it.
 * @throws CliError if it has no deployment, was migrated by another version, or is spread over a cluster
 */
export async function findSubject(db: Database): Promise<BackupSubject> {
  if (await isSpread(db))
    throw new CliError(
      'This database is spread over a Citus cluster, where no snapshot covers all nodes: back up the nodes (docs/backup.md).',
    )
  const { foreign } = await schemaState(db)
  if (foreign.length > 0)
    throw new CliError(
      `The database was migrated by another version of Nuqta (${foreign.join(', ')}): back it up with that one.`,
    )
  // Older schemas have no canary: to_jsonb gives the columns that there are.
  const found = await db
    .one<{ environment: string; secret_canary: Buffer | null }>({
      text: `select environment, decode(substring(to_jsonb(d) ->> 'secret_canary' from 3), 'hex') as secret_canary
        from deployment d where singleton`,
      values: [],
    })
    .catch((error: unknown) => {
      if (isMissingTable(error)) return undefined
      throw error
    })
  if (found === undefined) throw new CliError('There is nothing to back up: this database has not been started yet.')
  return found
}

/** Says which table is being written. */
export type OnTable = (table: string) => void

/**
 * Writes all rows of the database, as they are at one moment. Takes only locks that reading takes, so that everything but
 * a change of the schema goes on. The tables are locked before the moment, so that no such change comes between.
 * @param about what the header says besides the schema
 */
export async function writeSnapshot(
  db: Database,
  writer: BackupWriter,
  about: Omit<BackupHeader, 'migrations' | 'months'>,
  onTable: OnTable,
): Promise<void> {
  const copies = db.forCopies()
  try {
    const tables = await findTables(copies)
    await copies.transaction(async (tx) => {
      await tx.script('set transaction isolation level repeatable read, read only')
      await tx.script(`lock table ${tables.map(quoted).join(', ')} in access share mode`)
      await copySettings(tx)
      if ((await findTables(tx)).join() !== tables.join()) throw new CliError('The database is being migrated: wait.')
      const migrations = await findMigrations(tx)
      await writer.add({ kind: 'header', header: { ...about, migrations, months: await findMonths(tx) } })
      for (const table of tables.filter((name) => name !== bookkeeping_table)) {
        onTable(table)
        await writeTable(tx, writer, table)
      }
    })
  } finally {
    await copies.close()
  }
}

/** The header holds its rows. */
const bookkeeping_table = 'schema_migration'

/** Our tables that the database has, in the order in which a cluster spreads them. */
export async function findTables(db: Queryable): Promise<string[]> {
  const rows = await db.run<{ name: string }>({
    text: `select c.relname as name from pg_catalog.pg_class c
      where c.oid in (select to_regclass(name) from unnest($1::text[]) as name) and c.relkind in ('r', 'p')`,
    values: [Object.keys(placements)],
  })
  const there = new Set(rows.map(({ name }) => name))
  return Object.keys(placements).filter((name) => there.has(name))
}

function findMigrations(db: Queryable): Promise<AppliedMigration[]> {
  return db.run<AppliedMigration>({
    text: 'select name, checksum, to_json(applied_at) as applied_at from schema_migration order by name',
    values: [],
  })
}

async function writeTable(tx: Transaction, writer: BackupWriter, table: string): Promise<void> {
  const columns = await findColumns(tx, table)
  await writer.add({ kind: 'table', table, columns })
  // A partitioned table cannot be copied by its name.
  const rows = `select ${columns.map(quoted).join(', ')} from ${quoted(table)}`
  const copy = tx.copy(to(`copy (${rows}) to stdout with (format binary)`))
  for await (const data of copy) await writer.add({ kind: 'rows', data })
  await tx.copied()
  await writer.add({ kind: 'table end', rows: copy.rowCount })
}

async function findColumns(db: Queryable, table: string): Promise<string[]> {
  const rows = await db.run<{ name: string }>({
    text: `select attname as name from pg_catalog.pg_attribute
      where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    values: [table],
  })
  return rows.map(({ name }) => name)
}

/** A name as SQL writes it. */
export const quoted = (name: string): string => pg.escapeIdentifier(name)
