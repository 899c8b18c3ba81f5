import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder, rowOf } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

// Numbers stood at the end of their column, which is on the left in Arabic: 9.00 and 1,200.00 began at one place, and no
// digit stood below another of its value. And on a phone what happened to a customer's points, its order and its product
// were three narrow columns.

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

it.each(['en', 'ar'] as const)('digits stand below digits of the same value: %s', async (locale) => {
  for (const total of [900, 120_000]) await earningOrder(database.db, staff.shop.merchant, { total })
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf('orders'), locale })
  const amounts = await page.locator('td[data-numeric="true"]:nth-child(5) > *').all()
  expect(amounts.length).toBeGreaterThan(1)
  const boxes = await Promise.all(amounts.map((one) => one.boundingBox()))
  expect(new Set(boxes.map((box) => box && Math.round(box.x + box.width))).size).toBe(1)
})

it('each movement of a customer’s points is one line on a phone', async () => {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant)
  const { customer_id, order_number } = await rowOf(database.db, order_uuid)
  const path = staff.pathOf(`customers/${String(customer_id)}`)
  const page = await openDashboard(browser, { origin: staff.origin, path })
  await page.setViewportSize({ width: 390, height: 844 })
  const cell = page.locator('td[data-title="true"]').filter({ hasText: String(order_number) })
  // Parts of the cell itself would stand side by side.
  expect(await cell.locator('> div > a').count()).toBe(1)
})
