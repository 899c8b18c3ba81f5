import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

// After a merge, the points of an order are in the wallet that stays. The preview of its refund looked at the wallet that
// was given up: it showed 0 points before and fewer than none afterwards, and warned that the wallet would be below zero.

const database = testDatabase()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

it('the preview of a refund shows the wallet into which that of the order was merged', async () => {
  const { db } = database
  const { shop, pages } = staff
  const { program_id } = shop.merchant
  const { order_uuid, phone } = await earningOrder(db, shop.merchant, { clock })
  const stays = await customerWith(db, shop.merchant, { points: 500 })
  const customer_id = (await walletOf(db, program_id, phone))?.customer_id as Uuid
  const by = { source: 'command', name: 'Sara' } as const
  await mergeCustomers({ db, clock }, { program_id, from: customer_id, into_phone: stays, locale: 'en', by })

  const preview = await pages.as('support', 'GET', `/orders/${order_uuid}/refund-preview?amount=25`)
  const [before, after] = [
    { posted: 1_500, available: 1_500 },
    { posted: 1_250, available: 1_250 },
  ]
  expect(preview.body.data).toMatchObject({ reversed_points: 250, wallet: { before, after } })
  expect((await pages.as('support', 'POST', `/orders/${order_uuid}/refund`, { amount: 25 })).status).toBe(200)
  expect((await walletOf(db, program_id, stays))?.posted).toBe(after.posted)
})
