import { expect, it } from 'vitest'
import { activateCustomer } from '../../src/features/earning/activation.ts'
import { appAtNoon, oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'

// The lock window counts from the acceptance of an earning. One that had waited for its customer was taken for new when it
// became an order, so a repeat got a 429 for ten more seconds instead of its 422. docs/spec/earning.md#repeats

const database = testDatabase({ leaves: ['due messages'] })
const app = appAtNoon(database)

const products = [{ product_name: 'A', product_price: 10, quantity: 1 }]

async function waitingEarning() {
  const shop = await oneShop(database.db)
  const { program_id } = shop.merchant
  await database.owner.run({
    text: `update program set activation = 'required' where program_id = $1`,
    values: [program_id],
  })
  const phone = freshPhone()
  const json = { phone_number: phone, total_price: 10, order_number: 'W-1', products }
  const earn = () => app.call('POST', '/api/v1/orders/earning', { key: shop.private_key, json })
  expect(await earn()).toMatchObject({ status: 200, body: { data: { pending_client_activation: true } } })
  return { earn, activate: () => activateCustomer(database.db, app.clock, { program_id, phone }) }
}

it('a repeat of an earning that waited for long is a 422 right after the activation, and names the order', async () => {
  const { earn, activate } = await waitingEarning()
  app.clock.advance(3_600)
  await activate()
  expect(await earn()).toMatchObject({
    status: 422,
    body: {
      errors: { order_number: ['The order number has already been taken.'] },
      appended_data: { order_uuid: expect.any(String) },
    },
  })
})

it('an activation within the lock window does not prolong it', async () => {
  const { earn, activate } = await waitingEarning()
  app.clock.advance(4)
  await activate()
  app.clock.advance(3)
  expect(await earn()).toMatchObject({
    status: 429,
    headers: { 'retry-after': '3' },
    body: { appended_data: { order_uuid: expect.any(String) } },
  })
  app.clock.advance(3)
  expect((await earn()).status).toBe(422)
})
