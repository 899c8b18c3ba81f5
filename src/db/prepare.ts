import { counted } from '../lib/counted.ts'
import { findUndistributed } from './citus.ts'
import { DatabaseSetupError, isForbidden, isMissingSchema } from './failure.ts'
import { migrate, readMigrations } from './migrate.ts'
import type { OpenDatabase, OpenOptions } from './open.ts'
import { dropOldPartitions, ensurePartitions } from './partitions.ts'
import type { Database } from './pool.ts'
import { requireEncoding } from './server-info.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** The difference between the migrations of a database and those of this version. */
export interface SchemaState {
  /** Migrations of this version that the database does not have. */
  readonly pending: readonly string[]
  /** Migrations of the database that this version does not have, or has with another text. */
  readonly foreign: readonly string[]
}

/** Compares the migrations of a database with those of this version. Changes nothing. */
export async function schemaState(db: Database): Promise<SchemaState> {
  const known = await readMigrations()
  if (!(await hasBookkeeping(db))) return { pending: known.map(({ name }) => name), foreign: [] }
  const applied = await db.run<{ name: string; checksum: string }>({
    text: 'select name, checksum from schema_migration order by name',
    values: [],
  })
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]))
  const names = new Set(applied.map(({ name }) => name))
  return {
    pending: known.filter(({ name }) => !names.has(name)).map(({ name }) => name),
    foreign: applied.filter(({ name, checksum }) => checksums.get(name) !== checksum).map(({ name }) => name),
  }
}

async function hasBookkeeping(db: Database): Promise<boolean> {
  const [found] = await db.run<{ present: boolean }>({
    text: `select to_regclass('schema_migration') is not null as present`,
    values: [],
  })
  return found?.present === true
}

/** The most tables named in a message. */
const max_named = 5

/** Tables that no extension owns: `spatial_ref_sys` of PostGIS, for example, is not data. */
const ordinaryTables = `select c.oid, c.relname as name from pg_catalog.pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and not exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** Other applications may have a table of this name; ours has these columns. */
const hasOurBookkeeping = `select count(*) = 3 as ours from pg_catalog.pg_attribute a
  where a.attrelid = to_regclass('schema_migration') and a.attname in ('name', 'checksum', 'applied_at')`

/**
 * Finds the tables of another application in a database without ours.
 * @returns their names in order; none if the database is empty or ours, whatever else it contains
 */
export async function foreignTables(db: Database): Promise<string[]> {
  // Read the tables first, then the bookkeeping, so that the second sees a migration that commits in between.
  const tables = await db.run<{ name: string }>({ text: `${ordinaryTables} order by c.relname`, values: [] })
  const bookkeeping = await db.one<{ ours: boolean }>({ text: hasOurBookkeeping, values: [] })
  if (bookkeeping?.ours !== true) return tables.map(({ name }) => name)
  const applied = await db.run({ text: 'select from schema_migration limit 1', values: [] })
  if (applied.length > 0) return []
  return tables.flatMap(({ name }) => (name === 'schema_migration' ? [] : [name]))
}

/**
 * Refuses to change a database that has tables of another application and none of ours.
 * @throws DatabaseSetupError that names some of them
 */
export async function refuseForeignTables(db: Database): Promise<void> {
  const tables = await foreignTables(db)
  if (tables.length > 0) throw new DatabaseSetupError(`${describeForeign(tables)}: ${foreignAdvice}`)
}

/** Advice for the operator, as the end of a sentence. */
export const foreignAdvice = 'make an empty database for Nuqta, and name that one in DATABASE_URL.'

/** Takes the names of foreign tables; gives a sentence without its full stop. */
export function describeForeign(tables: readonly string[]): string {
  const named = tables.slice(0, max_named).join(', ')
  const more = tables.length > max_named ? ` and ${tables.length - max_named} more` : ''
  return `The database holds tables of another application (${named}${more}), and none of Nuqta's`
}

/**
 * Brings the schema and the rights of the service up to this version. Runs no migration if none is pending and the
 * service has a single role: an operator who migrates separately need not give the service the role of the owner.
 * @returns the migrations applied by this call
 */
export async function prepareSchema(
  open: OpenDatabase,
  { progress, warn }: Pick<OpenOptions, 'progress' | 'warn'>,
): Promise<readonly string[]> {
  await refuseUnfinishedRestore(open.owner)
  const { pending, foreign } = await schemaState(open.owner)
  if (pending.length > 0) progress(`Migrating the database (${counted(pending.length, 'step')})`)
  // A service with a role of its own gets its rights at every start: a crash may have come between migrations and grants.
  const needsRights = open.service_role !== undefined
  const isWhole = !needsRights && (await findUndistributed(open.owner)).length === 0
  if (pending.length > 0 || foreign.length > 0 || !isWhole) return migrateNow(open, progress)
  await makePartitions(open, warn)
  return []
}

/**
 * Applies the pending migrations as the owner, and grants the rights of the service.
 * @returns the migrations applied by this call
 * @throws DatabaseSetupError if the role may not migrate, the database belongs to another application, a restore is not
 * finished, or another process runs the database and has not migrated it
 */
export async function migrateNow(open: OpenDatabase, progress?: OpenOptions['progress']): Promise<string[]> {
  await refuseForeignTables(open.owner)
  await refuseUnfinishedRestore(open.owner)
  if (open.attached) await refusePending(open, open.owner)
  // One that has our tables goes on, so that it can be backed up.
  if (!(await hasBookkeeping(open.owner))) await requireEncoding(open.owner)
  return migrateRestored(open, progress)
}

/** Does the work of `migrateNow` for a restore, which knows whose tables they are. */
export async function migrateRestored(
  { owner, service_role }: OpenDatabase,
  progress: OpenOptions['progress'] = () => undefined,
): Promise<string[]> {
  const onWait = (name: string): void =>
    progress(`${name} waits until nobody reads its tables for long, as a backup does; requests go on meanwhile`)
  try {
    return await migrate(owner, { onWait, ...(service_role === undefined ? {} : { service: service_role }) })
  } catch (error) {
    if (isMissingSchema(error))
      throw new DatabaseSetupError(
        'The search_path of this role names no schema that exists: create one, or correct it.',
        {
          cause: error,
        },
      )
    if (!isForbidden(error)) throw error
    // Report another version first: then not even the owner could migrate. A role that may not read learns only about its
    // rights.
    const found = await schemaState(owner).catch(() => undefined)
    if (found !== undefined) refuseOtherVersion(found)
    throw new DatabaseSetupError(
      'This role may not migrate the database: run nuqta migrate with NUQTA_MIGRATION_URL, which connects as the owner of its tables.',
      { cause: error },
    )
  }
}

/** @throws DatabaseSetupError if another version has migrated the database */
function refuseOtherVersion({ foreign }: Pick<SchemaState, 'foreign'>): void {
  if (foreign.length === 0) return
  throw new DatabaseSetupError(
    `The database was migrated by another version of Nuqta (${foreign.join(', ')}): run that one.`,
  )
}

/** @throws DatabaseSetupError if the database does not have the migrations of this version */
async function refusePending({ attached }: Pick<OpenDatabase, 'attached'>, db: Database): Promise<void> {
  const { pending, foreign } = await schemaState(db)
  refuseOtherVersion({ foreign })
  if (pending.length === 0) return
  const advice = attached ? servedAdvice : 'run nuqta migrate.'
  throw new DatabaseSetupError(`The database is not migrated (${counted(pending.length, 'step')}): ${advice}`)
}

/** Advice for whom the `serve` of an earlier version keeps from migrating, as the end of a sentence. */
export const servedAdvice =
  'wait until nuqta serve is ready or, if it is of an earlier version, stop it and start this one.'

/** Creates the partitions of the next months. Warns if the role lacks the rights: `nuqta migrate` does it then. */
export async function makePartitions({ owner }: OpenDatabase, warn: (text: string) => void): Promise<void> {
  try {
    await ensurePartitions(owner, new Date())
  } catch (error) {
    if (!isForbidden(error)) throw error
    warn('the partitions of the next months are missing: set NUQTA_MIGRATION_URL, or run nuqta migrate every month')
  }
}

/**
 * Drops expired partitions; gives their names, and the tables of others that a long reader holds. Warns and drops nothing if
 * the role lacks the rights.
 */
export async function purgeMonths(
  { owner }: OpenDatabase,
  retention_days: number,
  warn: (text: string) => void,
): Promise<{ readonly dropped: string[]; readonly held: string[] }> {
  const held: string[] = []
  try {
    const dropped = await dropOldPartitions(owner, new Date(), retention_days, { onHeld: (table) => held.push(table) })
    return { dropped, held }
  } catch (error) {
    if (!isForbidden(error)) throw error
    warn('events and deliveries past keeping are kept: set NUQTA_MIGRATION_URL')
    return { dropped: [], held }
  }
}

/** Throws a DatabaseSetupError unless the database has the schema of this version. */
export async function requireSchema(open: OpenDatabase): Promise<void> {
  // Check this first: until the restore has ended, the service may not read the tables.
  await refuseUnfinishedRestore(open.service)
  await refuseForeignTables(open.service)
  await refusePending(open, open.service)
  const undistributed = await findUndistributed(open.service)
  if (undistributed.length > 0)
    throw new DatabaseSetupError(
      `The database is spread but for ${counted(undistributed.length, 'table')}: run nuqta migrate.`,
    )
}
