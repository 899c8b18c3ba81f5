import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { clusterSettings, finishSpreading, spreadNewTables } from './citus.ts'
import { isMadeMeanwhile } from './failure.ts'
import { ensurePartitions } from './partitions.ts'
import type { Database } from './pool.ts'
import { grantService } from './roles.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

const bookkeeping = `create table if not exists schema_migration (
  name text not null, checksum text not null, applied_at timestamptz not null,
  constraint schema_migration_pkey primary key (name)
)`

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** The migrations of this version, in the order in which they are applied. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}${name}`, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** The database was migrated by another version, or by other files, than these. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/**
 * Brings the schema up to this version, each migration in a transaction of its own; safe to run beside others. On a
 * database that is spread over a cluster, the tables that a migration makes are spread with it.
 * @param owner a connection as the role that owns the tables
 * @param options.migrations those of this version, unless a test names others
 * @param options.service the role the service runs as, granted what it needs; none when it is the owner
 * @returns the names of the migrations applied now
 * @throws MigrationError when the database has a migration that this version does not, or another text of one
 */
export async function migrate(
  owner: Database,
  options: { readonly service?: string; readonly now?: Date; readonly migrations?: readonly Migration[] } = {},
): Promise<string[]> {
  const migrations = options.migrations ?? (await readMigrations())
  await owner.transaction((tx) => tx.script(bookkeeping), { retryOn: isMadeMeanwhile })
  await finishSpreading(owner)
  const applied: string[] = []
  for (const migration of migrations) {
    if (await apply(owner, migration, migrations)) applied.push(migration.name)
  }
  await ensurePartitions(owner, options.now ?? new Date())
  if (options.service !== undefined) await grantService(owner, options.service)
  return applied
}

function apply(owner: Database, migration: Migration, all: readonly Migration[]): Promise<boolean> {
  return owner.transaction(async (tx) => {
    void tx.script(clusterSettings)
    // Two that migrate at once: the second waits here, then finds the row.
    await tx.run({ text: 'lock table schema_migration in exclusive mode', values: [] })
    const rows = await tx.run<{ name: string; checksum: string }>({
      text: 'select name, checksum from schema_migration',
      values: [],
    })
    const unknown = rows.find((row) => !all.some(({ name }) => name === row.name))
    if (unknown !== undefined)
      throw new MigrationError(`The database has the migration ${unknown.name}, which this version does not know.`)
    const done = rows.find((row) => row.name === migration.name)
    if (done !== undefined && done.checksum !== migration.checksum)
      throw new MigrationError(`The migration ${migration.name} is not the one that this database was made with.`)
    if (done !== undefined) return false
    await tx.script(migration.sql)
    await spreadNewTables(tx)
    await tx.run({
      text: 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)',
      values: [migration.name, migration.checksum, new Date()],
    })
    return true
  })
}
