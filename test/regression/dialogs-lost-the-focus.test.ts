import { afterAll, beforeAll, expect, it } from 'vitest'
import { oneShop, type Shop, servicesOn } from '../support/app.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { type StaffPages, startStaffPages } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
let pages: StaffPages
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
  pages = await startStaffPages(database, servicesOn(database.db, { clock }), shop)
})
afterAll(() => pages?.server.stop())

const openOrder = async () => {
  const { order_uuid } = await earningOrder(database.db, shop.merchant, { clock })
  const path = `/m/${shop.merchant.merchant_id}/orders/${order_uuid}`
  return openDashboard(browser, { origin: `https://localhost:${pages.server.port}`, path, mayFail: /refund-preview/ })
}

// Dialogs that are drawn only while they are open left the focus nowhere: the next Tab began at the top of the page.
it.each(['Refund', 'Shipping status'])('closing "%s" gives the focus back to its button', async (name) => {
  const page = await openOrder()
  const button = page.getByRole('button', { name, exact: true })
  const focused = button.and(page.locator(':focus'))
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  expect(await focused.count()).toBe(0)
  await page.keyboard.press('Escape')
  await focused.waitFor()
})

it('the first time, the drawer of a phone does so too', async () => {
  const page = await openOrder()
  await page.setViewportSize({ width: 360, height: 740 })
  const button = page.getByRole('button', { name: 'More', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await button.and(page.locator(':focus')).waitFor()
})

it('when an action took its button away, the page has the focus', async () => {
  const page = await openOrder()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Refund \d/ })
    .click()
  await page.getByText('The refund is made.').waitFor()
  await page.locator('main:focus').waitFor()
  expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0)
})
