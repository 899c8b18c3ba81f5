import { expect, it } from 'vitest'
import { type App, startApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { inHalfAnHour, requireSigned, signed } from '../support/signing.ts'

// A signed body is visible in a browser. Anybody with one could open unlimited checkouts until it expired, with other products
// and another name each time: up to 128 KiB for each.

const database = testDatabase()

it('one signature opens twenty checkouts within an hour, from any address; each signature has its own count', async () => {
  const app: App = await startApp(database)
  try {
    const shop = await oneShop(database.db)
    const by = { public_key: shop.public_key, secret: await requireSigned(database.owner, shop.merchant) }
    const body = (order_number: string) => signed(by, { total_price: 10, order_number }, inHalfAnHour())
    const open = (json: object, headers = {}) =>
      app.call('POST', `/v1/orders/checkout/${shop.public_key}`, { json, headers })
    const seen = body('1')
    for (let times = 0; times < 20; times += 1)
      expect((await open({ ...seen, name: `Sara ${times}`, products: null })).status).toBe(200)
    const refused = await open({ ...seen, name: 'Nora' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    expect(refused.body).toMatchObject({ status: false, appended_data: {} })
    // The shop's next customer and the shop's server can go on.
    expect((await open(body('2'))).status).toBe(200)
    expect((await open(seen, { 'x-api-key': shop.private_key })).status).toBe(200)
    // A wrong signature is refused and not counted.
    expect((await open({ ...seen, signature: '0'.repeat(64) })).status).toBe(422)
  } finally {
    await app.stop()
  }
})
