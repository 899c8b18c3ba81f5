import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const database = testDatabase({ leaves: ['due deliveries'] })
const started = testApp(database)

// SQL read the status from the payload of an event. PostgreSQL refuses the whole payload for an escape anywhere in it that
// JSON allows, so anybody who opened a checkout with such metadata made the page of its order a 500, for as long as the
// event was kept.
it.each([
  ['a NUL', '{"note":"\\u0000"}'],
  ['a NUL in a name', '{"\\u0000":1}'],
  ['half a surrogate pair', '{"note":"\\ud800"}'],
  ['what only looks like an escape', '{"note":"\\\\u0000"}'],
])('the page of an order whose metadata holds %s shows it with its events', async (_, metadata) => {
  const app = started()
  const shop = await makeMerchant(app.db)
  const { program_id, merchant_id } = shop
  const opened = await app.call('POST', `/v1/orders/checkout/${shop.public_key}`, {
    bytes: `{"total_price":5,"order_number":"w-1","metadata":${metadata}}`,
    headers: { 'content-type': 'application/json' },
  })
  expect(opened.status).toBe(200)
  const { order_uuid } = opened.body.data as { order_uuid: string }
  expect((await app.post(`/v1/orders/${order_uuid}/complete`, shop.private_key, {})).status).toBe(200)
  const shipped = { status: 'delivery_is_in_progress', name_ar: 'مع المندوب', name_en: 'With the courier' }
  expect((await app.post(`/v1/orders/${order_uuid}/status`, shop.private_key, shipped)).status).toBe(200)

  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const page = await owner.call('GET', `/merchants/${merchant_id}/orders/${order_uuid}`)
  expect(page.status).toBe(200)
  expect(JSON.stringify(page.body)).toContain('With the courier')
})
