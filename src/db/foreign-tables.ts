import type { Database } from './pool.ts'
import { DatabaseSetupError } from './refused.ts'

/** Tables are named in a message up to this many. */
const most_named = 5

/** What an extension has made, such as `spatial_ref_sys` of PostGIS, is nobody's data. */
const ordinaryTables = `select c.oid, c.relname as name from pg_catalog.pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and not exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** Others have a table of this name too; ours has these columns. */
const hasOurBookkeeping = `select count(*) = 3 as ours from pg_catalog.pg_attribute a
  where a.attrelid = to_regclass('schema_migration') and a.attname in ('name', 'checksum', 'applied_at')`

/**
 * The tables of a database that is somebody else's: none was made by our migrations.
 * @returns their names in order; none where the database is empty or ours, whatever else is in it
 */
export async function foreignTables(db: Database): Promise<string[]> {
  // First the tables, then the bookkeeping: a migration that commits in between is seen by the second.
  const tables = await db.run<{ name: string }>({ text: `${ordinaryTables} order by c.relname`, values: [] })
  const bookkeeping = await db.one<{ ours: boolean }>({ text: hasOurBookkeeping, values: [] })
  if (bookkeeping?.ours !== true) return tables.map(({ name }) => name)
  const applied = await db.run({ text: 'select from schema_migration limit 1', values: [] })
  if (applied.length > 0) return []
  return tables.flatMap(({ name }) => (name === 'schema_migration' ? [] : [name]))
}

/**
 * Before anything is changed: a database in which others keep tables, and we none, is left as it is.
 * @throws DatabaseSetupError that names some of them
 */
export async function refuseForeignTables(db: Database): Promise<void> {
  const tables = await foreignTables(db)
  if (tables.length > 0) throw new DatabaseSetupError(`${describeForeign(tables)}: ${foreignAdvice}`)
}

/** What an operator does about it, as the end of a sentence. */
export const foreignAdvice = 'make an empty database for Nuqta, and name that one in DATABASE_URL.'

/** Takes the names of foreign tables; gives a sentence without its end. */
export function describeForeign(tables: readonly string[]): string {
  const named = tables.slice(0, most_named).join(', ')
  const more = tables.length > most_named ? ` and ${tables.length - most_named} more` : ''
  return `The database holds tables of another application (${named}${more}), and none of Nuqta's`
}
