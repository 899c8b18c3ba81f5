import { expect, it } from 'vitest'
import { appAtNoon, oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningOrder } from '../support/orders.ts'
import { settleMerchant } from '../support/settlement.ts'

const database = testDatabase()
const app = appAtNoon(database)

// Whatever locked the order took every order before the boundary for settled. GET knew better, so two answers differed.
it('an order that was refunded in full before its settlement has no settlement status, in any answer', async () => {
  const shop = await oneShop(database.db)
  const refunded = await earningOrder(database.db, shop.merchant, { clock: app.clock })
  expect((await app.actBy(shop, refunded.order_uuid, 'refund', {})).status).toBe(200)
  const kept = await earningOrder(database.db, shop.merchant, { clock: app.clock })
  app.clock.advance(60)
  await settleMerchant(database.db, app.clock, shop.merchant)

  const answers = async (order_uuid: string) => {
    const changed = await app.actBy(shop, order_uuid, 'status', { status: 'delivered' })
    const read = await app.call('GET', `/api/v1/orders/${order_uuid}`, { key: shop.private_key })
    return [changed, read].map(({ body }) => (body.data as { settlement_status: unknown }).settlement_status)
  }
  expect(await answers(refunded.order_uuid)).toEqual([null, null])
  expect(await answers(kept.order_uuid)).toEqual(['settled', 'settled'])
})
