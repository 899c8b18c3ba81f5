import { expect, it } from 'vitest'
import { routes } from '../../src/routes.ts'
import { makeMerchant, purchase, testApp } from './api.ts'
import { contractOf } from './contract.ts'
import { testDatabase } from './database.ts'

// Tests of endpoints use the real server on a real database, and compare every answer with the API description.

const database = testDatabase()
const app = testApp(database)

it('serves the service over HTTPS', async () => {
  const { private_key } = await makeMerchant(database.db)
  const earned = await app().post('/v1/orders/earning', private_key, purchase())
  expect(earned).toMatchObject({ status: 200, body: { data: { order_status: 'approved', total_points: 1000 } } })
  const { uuid } = earned.body.data as { uuid: string }
  expect(await app().get(`/v1/orders/${uuid}`, private_key)).toMatchObject({ status: 200, body: { data: { uuid } } })
})

it('makes merchants with the standing that a test asks for', async () => {
  const { private_key } = await makeMerchant(database.db, { changes: { verified: false } })
  expect(await app().post('/v1/orders/earning', private_key, purchase())).toMatchObject({ status: 403 })
  const off = await makeMerchant(database.db, { key_status: false })
  expect(await app().post('/v1/orders/earning', off.private_key, purchase())).toMatchObject({ status: 400 })
})

it('detects an answer that differs from its description', async () => {
  const { private_key } = await makeMerchant(database.db)
  const { body, ...reply } = await app().post('/v1/orders/earning', private_key, purchase())
  const check = contractOf(routes)
  const given = (changed: object) => () => check('POST', '/api/v1/orders/earning', { ...reply, body, ...changed })
  expect(given({})).not.toThrow()
  expect(given({ body: { ...body, data: {} } })).toThrow(/against its description/)
  expect(given({ body: { ...body, links: {} } })).toThrow(/against its description/)
  expect(given({ headers: {} })).toThrow(/no X-Request-Id/)
  expect(given({ status: 418, body: { status: false, message: 'no', appended_data: {} } })).toThrow(
    /does not list this status/,
  )
})
