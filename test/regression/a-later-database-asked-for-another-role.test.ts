import { expect, onTestFinished, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts'
import { prepareSchema } from '../../src/db/prepare.ts'
import { testDatabase } from '../support/database.ts'

// An API of a former version, on a database that a later one had migrated, said "This role may not migrate the database: set
// NUQTA_MIGRATION_URL to connect as the owner of its tables." It never has that setting, and with it the migration fails too.

const database = testDatabase()
const quiet = () => undefined
const quietly = { progress: quiet, warn: quiet }

async function asApi<T>(work: (open: OpenDatabase) => Promise<T>): Promise<T> {
  const place = { database_url: database.url, migration_url: undefined }
  const open = await openDatabase(place, undefined, { as: 'serve', log: quiet, ...quietly })
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

test('a service without the owner’s rights says that the database has another version', async () => {
  await database.owner.script(
    `insert into schema_migration (name, checksum, applied_at) values ('9999_later.sql', 'none of ours', now())`,
  )
  onTestFinished(() => database.owner.script(`delete from schema_migration where name = '9999_later.sql'`))
  await expect(asApi((open) => prepareSchema(open, quietly))).rejects.toThrow(
    'The database was migrated by another version of Nuqta (9999_later.sql): run that one.',
  )
})

test('and, if a migration is due, that nuqta migrate does it', async () => {
  const [last] = await database.owner.run<{ name: string; checksum: string; applied_at: Date }>({
    text: 'delete from schema_migration where name = (select max(name) from schema_migration) returning name, checksum, applied_at',
    values: [],
  })
  onTestFinished(async () => {
    await database.owner.run({
      text: 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)',
      values: [last?.name, last?.checksum, last?.applied_at],
    })
  })
  await expect(asApi((open) => prepareSchema(open, quietly))).rejects.toThrow(
    'This role may not migrate the database: run nuqta migrate with NUQTA_MIGRATION_URL',
  )
})
