import { expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'

// Each statement outside of a transaction that PostgreSQL refused ended its connection, and the next request waited for a new
// one and its plans.

const database = testDatabase({ size: 1 })

const backend = async () =>
  (await database.db.one<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] }))?.pid

test.each([
  ['a value', "select 'x'::text::integer"],
  ['a row', 'insert into program (name) values (null)'],
])('%s that is refused leaves the connection', async (_, text) => {
  const before = await backend()
  await expect(database.db.run({ text, values: [] })).rejects.toThrow()
  expect(await backend()).toBe(before)
})

test('any other error ends the connection: a plan of its session may be the cause', async () => {
  const before = await backend()
  await expect(database.db.run({ text: 'select no_such_column', values: [] })).rejects.toThrow()
  expect(await backend()).not.toBe(before)
})
