import { afterEach, expect, inject, it } from 'vitest'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { Database } from '../../src/db/pool.ts'
import { at, connected, freshName } from '../support/server.ts'
import { waitFor, waitForLocks } from '../support/wait.ts'

/*
 * Two processes start with a new version. One builds an index CONCURRENTLY, which waits for every older snapshot in the
 * database. The other waited for the first in a statement, whose snapshot was older: both waited for ever.
 */

const { admin_url } = inject('server')
const name = freshName()
const place = at(admin_url, { database: name })
const open: Database[] = []

function connect(application_name: string): Database {
  const db = new Database(place, { size: 2, application_name, query_timeout_ms: 120_000 })
  open.push(db)
  return db
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.close()))
  await connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`))
})

it('an index is built while another process waits to migrate', async () => {
  await connected(admin_url, (admin) => admin.script(`create database ${name}`))
  const [first, second, writer] = [connect('first'), connect('second'), connect('writer')] as const
  await migrate(first)
  const sql = 'create index concurrently orders_created_idx on orders (program_id, created_at)'
  const migrations = [...(await readMigrations()), { name: '9998_index.sql', checksum: 'x', sql }]

  // The build first waits for this writer, so that the second process starts before the build takes its snapshot.
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const written = writer.transaction(async (tx) => {
    await tx.run({ text: 'lock table orders in row exclusive mode', values: [] })
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const applied = migrate(first, { migrations })
  await waitForLocks(writer)
  const waited = migrate(second, { migrations })
  const asked = `select from pg_stat_activity where datname = current_database() and application_name = 'second'
    and query similar to '(lock table|rollback)%'`
  await waitFor('the second process to ask', async () => (await writer.run({ text: asked, values: [] })).length > 0)
  end.resolve()
  await written

  expect(await applied).toEqual(['9998_index.sql'])
  expect(await waited).toEqual([])
})
