import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const database = testDatabase()
const started = testApp(database)

// The audit log records changes and is kept as long as the database. Requests that changed nothing left rows too.
it('only requests that change something leave a row in the audit log', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const reader = await makePerson(app, { program_id, merchant_id, role: 'read_only' })
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const rows = async () =>
    (await database.owner.one<{ count: number }>({ text: 'select count(*)::int as count from audit', values: [] }))
      ?.count
  const requests = [
    () => reader.call('PATCH', '/account', { name: 'Sara' }),
    () => reader.call('POST', '/sessions/end-others'),
    () => owner.call('PATCH', `/merchants/${merchant_id}/keys`, { status: true }),
  ]
  for (const send of requests) expect((await send()).status).toBe(200)
  const before = await rows()
  for (const send of requests) expect((await send()).status).toBe(200)
  expect(await rows()).toBe(before)
  expect((await reader.call('PATCH', '/account', { name: 'Sarah' })).status).toBe(200)
  expect(await rows()).toBe((before ?? 0) + 1)
})
