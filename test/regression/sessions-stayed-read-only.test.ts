import { expect, test } from 'vitest'
import { isReadOnly } from '../../src/db/failure.ts'
import type { Database } from '../../src/db/pool.ts'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()

/** Connections that begin while this is on may only read, for as long as they live. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const name = new URL(database.owner_url).pathname.slice(1)
  await database.owner.transaction((tx) =>
    tx.script(`alter database ${name} set default_transaction_read_only = ${value}`),
  )
}

/** Opens as many connections as the pool has: each is kept until all are there. */
function fill(db: Database, size: number): Promise<unknown> {
  const all = Promise.withResolvers<void>()
  let open = 0
  const connect = () =>
    db.transaction(async (tx) => {
      await tx.run({ text: 'select 1', values: [] })
      open += 1
      if (open === size) all.resolve()
      await all.promise
    })
  return Promise.all(Array.from({ length: size }, connect))
}

function write(db: Database): Promise<unknown> {
  return db.transaction((tx) => tx.run({ text: 'select from earning_lock for no key update', values: [] }))
}

// What went wrong: the pool kept connections opened while the database was read-only, and requests on them got
// a 503 although the database accepted writes again; under load none was ever idle long enough to be closed.
test('a refused write closes the connections that may only read, and the next one writes', async () => {
  const db = database.connect({ size: 5 })
  await setReadOnly('on')
  await fill(db, 5)
  await setReadOnly('off')
  await expect(write(db)).rejects.toSatisfy(isReadOnly)
  for (let round = 0; round < 10; round += 1) await write(db)
})

test('so does the check of readiness', async () => {
  const db = database.connect({ size: 5 })
  await setReadOnly('on')
  await fill(db, 5)
  await setReadOnly('off')
  expect(await db.isWritable()).toBe(false)
  for (let round = 0; round < 10; round += 1) expect(await db.isWritable()).toBe(true)
  await write(db)
})
