import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

// The dashboard asked anew only after a while: the texts of answers stayed in the language before.
it('an open order has its shipping status in the language that the person chooses', async () => {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf(`orders/${order_uuid}`) })
  const status = page.getByRole('definition').filter({ hasText: /^(New|جديد)$/ })
  expect(await status.textContent()).toBe('New')
  await page.getByRole('button', { name: 'Your account and preferences' }).first().click()
  await page.getByRole('menuitem', { name: 'العربية' }).click()
  await page.locator(':root[lang="ar"]').waitFor()
  await expect.poll(() => status.textContent()).toBe('جديد')
})
