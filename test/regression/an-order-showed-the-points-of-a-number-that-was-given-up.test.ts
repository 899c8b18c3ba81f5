import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

// A merge leaves an empty wallet behind. The orders of that number said "Available 0" of a customer who has all their points, and
// called the customer active.

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

it('an order of a merged customer says so, and shows no points of the number that was given up', async () => {
  const { db } = database
  const { shop, pages, origin } = staff
  const { program_id } = shop.merchant
  const { order_uuid, phone } = await earningOrder(db, shop.merchant, { clock })
  const into_phone = await customerWith(db, shop.merchant, { points: 500 })
  const from = (await walletOf(db, program_id, phone))?.customer_id as Uuid
  const by = { source: 'command', name: 'Sara' } as const
  await mergeCustomers({ db, clock }, { program_id, from, into_phone, locale: 'en', by })

  const { body } = await pages.as('support', 'GET', `/orders/${order_uuid}`)
  expect(body.data).toMatchObject({ customer: { customer_id: from, status: 'merged', phone: null } })
  const page = await browser.open({ origin, device: 'desktop' })
  await page.goto(`${origin}/dashboard${staff.pathOf(`orders/${order_uuid}`)}`)
  const card = page.getByRole('region', { name: 'Customer' })
  await card.getByText('its points are with another number of the same person').waitFor()
  expect(await card.getByText('Available').count()).toBe(0)
  await card.getByRole('link').waitFor()
})
