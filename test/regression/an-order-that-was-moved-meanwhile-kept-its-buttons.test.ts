import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { replacingOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

// The dialog said that the order cannot be moved like this. The page behind it went on to show the state of before.
it('a page whose move was refused shows where the order is now', async () => {
  const { order_uuid } = await replacingOrder(database.db, staff.shop.merchant, { points: 500 })
  const page = await browser.open({ origin: staff.origin, device: 'desktop', mayFail: /\/complete$/ })
  await page.goto(`${staff.origin}/dashboard${staff.pathOf(`orders/${order_uuid}`)}`)
  await settled(page)
  expect((await staff.pages.as('owner', 'POST', `/orders/${order_uuid}/cancel`, {})).status).toBe(200)
  const complete = page.getByRole('button', { name: 'Mark as paid' })
  await complete.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await complete.waitFor({ state: 'detached' })
  await page.getByText('Cancelled', { exact: true }).first().waitFor()
})
