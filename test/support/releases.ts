import { bookkeepingText, type Migration, transactional } from '../../src/db/migrate.ts'
import { ensurePartitions } from '../../src/db/partitions.ts'
import type { Database } from '../../src/db/pool.ts'
import { readTree } from './tree.ts'

// What deployments of old releases have stored: test/db/upgrade/NNNN.sql holds the rows that migration NNNN made possible, as
// the release of that time wrote them; `:u12` stands for an id, and `:at` for a time.

/** When the old releases run. */
export const released = new Date('2026-01-20T00:00:00Z')

/** From here on every release makes partitions by month. */
const first_with_months = '0009'

const fixtures = new Map(readTree('test/db/upgrade/*.sql').map(({ path, text }) => [path.slice(-8, -4), text]))
const idOf = (number: string): string => `019ba533-e400-7000-8000-0000000000${number}`

/** What a verification finds in the rows of 0029.sql: money for an order that no provider was paid for. That file never changes. */
export const uncollected = { check: 'provider_money', id: idOf('91') }

/** The number of a migration, from its name. */
export const numberOf = (name: string): string => name.slice(0, 4)

/** The numbers of the migrations that have rows. */
export const numbers_with_rows: readonly string[] = [...fixtures.keys()]

/** Gives SQL that adds the rows of a migration; empty if it has none. */
export const rowsOf = (name: string): string =>
  (fixtures.get(numberOf(name)) ?? '')
    .replaceAll(/:u(\d\d)/g, (_, number: string) => idOf(number))
    .replaceAll(':at', "'2026-01-10T00:00:00Z'")

/** Brings a database from the release before to the release of a migration, with the rows of that. */
export async function runRelease(db: Database, migration: Migration): Promise<void> {
  const { name, checksum } = migration
  await db.transaction(async (tx) => {
    await tx.script(bookkeepingText)
    await tx.script(transactional(migration))
    const values = [name, checksum, released]
    await tx.run({ text: 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)', values })
  })
  if (numberOf(name) >= first_with_months) await ensurePartitions(db, released)
  await db.transaction((tx) => tx.script(rowsOf(name)))
}
