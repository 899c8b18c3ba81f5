import { expect, it } from 'vitest'
import { type App, startApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { inHalfAnHour, requireSigned, signed } from '../support/signing.ts'

// A signed body is seen in a browser. Whoever had one could open checkouts without a limit until it expired, with other products
// and another name each time: up to 128 KiB for each.

const database = testDatabase()

it('one signature opens twenty checkouts within an hour, from wherever; each other signature opens its own', async () => {
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
    // Neither the shop's next customer, nor the shop's server, is kept waiting.
    expect((await open(body('2'))).status).toBe(200)
    expect((await open(seen, { 'x-api-key': shop.private_key })).status).toBe(200)
    // A wrong signature is refused as such, and counts for nobody.
    expect((await open({ ...seen, signature: '0'.repeat(64) })).status).toBe(422)
  } finally {
    await app.stop()
  }
})
