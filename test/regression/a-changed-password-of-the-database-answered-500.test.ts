import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { isDatabaseUnavailable } from '../../src/db/failure.ts'
import { testDatabase } from '../support/database.ts'

// Between a change of its password and the restart of the processes, the database refuses new connections. Requests then had a 500
// and a stack in the log, while /readyz said 503. docs/spec/operation.md#outage

const database = testDatabase()

test('a database that does not let the service in is away', async () => {
  const role = `kept_out_${randomUUID().slice(0, 8)}`
  await database.owner.transaction((tx) => tx.script(`create role ${role} nologin`))
  try {
    const url = new URL(database.url)
    url.searchParams.set('user', role)
    const refused = database.connectTo(url.href).run({ text: 'select 1', values: [] })
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^28/) })
    await expect(refused).rejects.toSatisfy(isDatabaseUnavailable)
  } finally {
    await database.owner.transaction((tx) => tx.script(`drop role ${role}`))
  }
})
