import { beforeAll, expect, test } from 'vitest'
import { type App, makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const database = testDatabase()
const started = testApp(database)
let app: App

beforeAll(() => {
  app = started()
})

// What went wrong: a nullable field had no error text, and days of the year 0 became dates in another format.
test('an unknown language and a day of the year 0 are errors of their fields', async () => {
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const person = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  for (const locale of ['de', 5, {}, ['en']]) {
    const { status, text } = await person.call('PATCH', '/account', { locale })
    expect([status, text]).toEqual([422, expect.stringContaining('"locale"')])
  }
  for (const query of ['to=0000-01-01', 'from=0000-01-01', 'to=9999-12-31', 'from=9999-12-31&to=9999-12-31'])
    for (const page of ['overview', 'overview.csv'])
      expect((await person.call('GET', `/merchants/${merchant_id}/${page}?${query}`)).status).toBe(422)
})

// What went wrong: the only text of a path that reaches a statement was not asked for the character that PostgreSQL refuses.
test('a path with a NUL leads nowhere', async () => {
  const { program_id } = await makeMerchant(app.db)
  const operator = await makePerson(app, 'operator')
  const { status, text } = await operator.call('GET', `/programs/${program_id}/terms/%00`)
  expect([status, text]).toEqual([404, expect.stringContaining('"status":false')])
})
