import { afterEach, expect, inject, it } from 'vitest'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { Database } from '../../src/db/pool.ts'
import { cloneDatabase } from '../support/database.ts'
import { at, connected, freshName } from '../support/server.ts'
import { waitForLocks } from '../support/wait.ts'

/*
 * A migration that changed a table waited for whoever read it, such as a backup, and every request queued behind it: while
 * the backup lasted, all of them were answered 503.
 */

const { admin_url, template } = inject('server')
const name = freshName()
const open: Database[] = []

function connect(): Database {
  const db = new Database(at(admin_url, { database: name }), { size: 2 })
  open.push(db)
  return db
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.close()))
  await connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`))
})

it('requests go on while a migration waits for a backup', async () => {
  await cloneDatabase(template, name)
  const [owner, backup, service] = [connect(), connect(), connect()]
  const sql = 'alter table orders add column later text; alter table customer add column later text'
  const migrations = [...(await readMigrations()), { name: '9998_later.sql', checksum: 'x', sql }]

  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const written = backup.transaction(async (tx) => {
    await tx.run({ text: 'lock table customer in access share mode', values: [] })
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const waits = Promise.withResolvers<string>()
  const applied = migrate(owner, { migrations, onWait: waits.resolve, pause_ms: 10 })
  await waitForLocks(backup)
  // One of these tables is locked by the migration, the other by nobody: requests wait for the migration alone.
  expect(await service.run({ text: 'select from orders limit 1', values: [] })).toEqual([])
  expect(await service.run({ text: 'select from customer limit 1', values: [] })).toEqual([])
  expect(await waits.promise).toBe('9998_later.sql')
  end.resolve()
  await written

  expect(await applied).toEqual(['9998_later.sql'])
})
