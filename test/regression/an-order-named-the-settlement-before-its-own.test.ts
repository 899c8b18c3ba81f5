import { expect, it } from 'vitest'
import { readOrderDetail } from '../../src/features/orders/dashboard-detail.ts'
import { app_noon, oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { settleMerchant } from '../support/settlement.ts'

// An order of a process whose clock was behind counts from the end of the closed period on, to the millisecond. Once it was
// settled, its page said that this was when that period was closed.

const database = testDatabase()

it('an order that counts from the end of a period on is settled with the next one', async () => {
  const { db } = database
  const { merchant } = await oneShop(db)
  const clock = new TestClock(app_noon)
  await earningOrder(db, merchant, { clock })
  await settleMerchant(db, clock, merchant)
  clock.advance(-1)
  const { order_uuid } = await earningOrder(db, merchant, { clock })
  clock.advance(3_600)
  await settleMerchant(db, clock, merchant)
  const { order } = await readOrderDetail(db, clock, merchant, order_uuid)
  expect(order).toMatchObject({ settled: true, settled_at: clock.now() })
})
