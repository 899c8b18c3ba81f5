import { beforeAll, expect, test } from 'vitest'
import { type App, makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'

const database = testDatabase()
const started = testApp(database)
let app: App

beforeAll(() => {
  app = started()
})

// What went wrong: everybody who was signed in to a sandbox could list its mails. A read-only member asked for a new password in
// the name of an operator, and opened the operator's account by the link.
test('only operators read the mails that a sandbox keeps', async () => {
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const operator = await makePerson(app, 'operator')
  await staffBrowser(app).call('POST', '/password/forgot', { email: operator.email })
  await app.services.staff.background.idle()
  for (const role of ['owner', 'read_only'] as const) {
    const reply = await (await makePerson(app, { program_id, merchant_id, role })).call('GET', '/mails')
    expect([reply.status, reply.text.includes('/dashboard/link#')]).toEqual([403, false])
  }
  const { status, text } = await operator.call('GET', '/mails')
  expect([status, text.includes('/dashboard/link#')]).toEqual([200, true])
})
