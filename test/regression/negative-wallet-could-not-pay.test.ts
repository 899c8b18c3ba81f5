import { expect, it } from 'vitest'
import { app_noon, oneShop, servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder, pointsOf, replacingOrder } from '../support/orders.ts'

// What went wrong: a customer whose wallet was below 0 (docs/spec/points-and-money.md#negative-wallet) could not pay an
// order with money alone. The service said that the 0 points it needed were missing.

const database = testDatabase()

it('an order that uses no points is completed for a customer whose wallet is below 0', async () => {
  const services = servicesOn(database.db, { clock: new TestClock(app_noon) })
  const { merchant } = await oneShop(database.db)
  const { order_uuid, phone } = await earningOrder(database.db, merchant, { total: 1_000 })
  const spent = await replacingOrder(database.db, merchant, { points: 100, total: 50, phone })
  await services.moveOrder(merchant, spent.order_uuid, { action: 'complete' })
  await services.refundOrder(merchant, order_uuid, { amount_halalas: null, reason: null })
  expect(await pointsOf(database.db, merchant, phone)).toEqual([-100, 0])

  const paid = await replacingOrder(database.db, merchant, { points: 0, total: 1_000, phone })
  const moved = await services.moveOrder(merchant, paid.order_uuid, { action: 'complete' })
  expect(moved.order_status).toBe('approved')
  expect(await pointsOf(database.db, merchant, phone)).toEqual([0, 0])
})
