import { errorCode } from '../lib/errors.ts'
import { readMigrations } from './migrate.ts'
import type { Database } from './pool.ts'

/** How a database stands to the migrations of this version. */
export interface SchemaState {
  /** Migrations of this version that the database has not had. */
  readonly pending: readonly string[]
  /** Migrations that the database has had and that this version does not know, or knows with another text. */
  readonly foreign: readonly string[]
}

/** Compares the migrations applied to a database with those of this version; changes nothing. */
export async function schemaState(db: Database): Promise<SchemaState> {
  const known = await readMigrations()
  const [bookkeeping] = await db.run<{ present: boolean }>({
    text: `select to_regclass('schema_migration') is not null as present`,
    values: [],
  })
  if (bookkeeping?.present !== true) return { pending: known.map(({ name }) => name), foreign: [] }
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

/** The table is not there: the database has not been migrated. */
export function isMissingTable(error: unknown): boolean {
  return errorCode(error) === '42P01'
}
