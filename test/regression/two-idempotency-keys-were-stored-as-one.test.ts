import { expect, it } from 'vitest'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// Node joins a header that comes twice. Two Idempotency-Keys were stored as one text, so that the request sent again with only
// one of them had its effect once more.

const database = testDatabase()
const app = testApp(database)
const errors = { idempotency_key: ['The idempotency key must be sent once.'] }

it('several Idempotency-Keys in one request are refused before it has an effect', async () => {
  const { private_key } = await makeMerchant(database.db)
  const earn = (key: string | string[], json = purchase()) =>
    app().send('POST', '/api/v1/orders/earning', {
      json,
      headers: { 'x-api-key': private_key, 'idempotency-key': key },
    })
  for (const keys of [
    ['one', 'other'],
    ['one', 'one'],
    ['one', ''],
  ])
    expect(await earn(keys)).toMatchObject({ status: 422, body: { errors } })
  expect(await database.db.run({ text: 'select 1 from orders', values: [] })).toEqual([])
  expect(await database.db.run({ text: 'select 1 from idempotency', values: [] })).toEqual([])
  expect((await earn('one, other')).status).toBe(200)
})

it('the dashboard refuses them too', async () => {
  const { program_id, merchant_id } = await makeMerchant(database.db)
  const owner = await makePerson(app(), { program_id, merchant_id, role: 'owner' })
  const path = `/merchants/${merchant_id}/keys/regenerate`
  const twice = { 'idempotency-key': ['one', 'other'] }
  expect(await owner.call('POST', path, { which: 'private' }, twice)).toMatchObject({ status: 422, body: { errors } })
})
