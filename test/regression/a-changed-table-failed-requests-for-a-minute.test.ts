import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import { prepared } from '../../src/db/statement.ts'
import { testDatabase } from '../support/database.ts'

// Sessions keep their plans. After a migration had changed a column, every transaction that met an old plan failed, on each
// connection until that was a minute old.

const database = testDatabase()

const read = prepared<{ amount: string | number }>('changed.read', 'select amount from changed')
const backend = prepared<{ pid: number }>('changed.backend', 'select pg_backend_pid() as pid')

const size = 3
let db: Database

beforeEach(async () => {
  await database.owner.script(
    'create table changed (amount integer); insert into changed values (7); grant all on changed to public',
  )
  db = database.connect({ size })
  // Each connection has the plan.
  const all = Promise.withResolvers<void>()
  let waiting = 0
  const pids = await Promise.all(
    Array.from({ length: size }, () =>
      db.transaction(async (tx) => {
        await tx.run(read())
        waiting += 1
        if (waiting === size) all.resolve()
        await all.promise
        return (await tx.one(backend()))?.pid
      }),
    ),
  )
  expect(new Set(pids).size).toBe(size)
})

afterEach(() => database.owner.script('drop table changed'))

const change = () => database.owner.script('alter table changed alter amount type text')

test('a transaction that meets a plan from before a migration makes a new one', async () => {
  await change()
  for (let time = 0; time < size; time += 1)
    expect(await db.transaction((tx) => tx.run(read()))).toEqual([{ amount: '7' }])
})

test('so does a statement outside of a transaction', async () => {
  await change()
  for (let time = 0; time < size; time += 1) expect(await db.run(read())).toEqual([{ amount: '7' }])
})

test('a session that has lost its prepared statements fails nothing', async () => {
  await Promise.all(Array.from({ length: size }, () => db.script('deallocate all')))
  expect(await db.transaction((tx) => tx.run(read()))).toEqual([{ amount: 7 }])
  expect(await db.run(read())).toEqual([{ amount: 7 }])
})

test('any other error that a session may cause ends the connection of a transaction too', async () => {
  const one = database.connect({ size: 1 })
  const before = await one.one(backend())
  await expect(one.transaction((tx) => tx.run({ text: 'select no_such_column', values: [] }))).rejects.toThrow()
  expect(await one.one(backend())).not.toEqual(before)
})
