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

// What went wrong: an Idempotency-Key belonged to the merchant. A person who sent another's key and body got that answer, with
// the private key in it; and a refusal because of one person's role was repeated to everybody else.
test('an Idempotency-Key repeats an answer only to its sender', async () => {
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const [one, two] = [
    await makePerson(app, { program_id, merchant_id, role: 'owner' }),
    await makePerson(app, { program_id, merchant_id, role: 'owner' }),
  ]
  const replace = (person: typeof one) =>
    person.call('POST', `/merchants/${merchant_id}/keys/regenerate`, { which: 'private' }, { 'idempotency-key': 'k' })
  const [first, again, other] = [await replace(one), await replace(one), await replace(two)]
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
  expect(other.status).toBe(200)
  expect(other.headers['idempotency-replayed']).toBeUndefined()
  expect(other.text).not.toBe(first.text)
})
