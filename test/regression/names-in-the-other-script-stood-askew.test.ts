import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

// A short Arabic name of a product stood inside its column on the English page of an order, each at another place, and so did
// an English name on the Arabic page.

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

it.each(['en', 'ar'] as const)('names of products begin where their column does: %s', async (locale) => {
  const items = ['تمر', 'شاي أخضر', 'Tea', 'Green tea'].map((product_name) => ({
    ...{ product_name, product_price: 10, quantity: 1 },
  }))
  const earning = earningOf(staff.shop.merchant, { items: JSON.stringify(items) })
  await earnOn(database.db)(earning)
  const page = await openDashboard(browser, {
    ...{ origin: staff.origin, path: staff.pathOf(`orders/${earning.order_uuid}`), locale },
  })
  await page.getByText('شاي أخضر').waitFor()
  const begins = await page.evaluate<number[]>(`[...document.querySelectorAll('td:first-child bdi')].map((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    const { left, right } = range.getBoundingClientRect()
    return Math.round('${locale}' === 'ar' ? right : left)
  })`)
  expect(begins.length).toBeGreaterThanOrEqual(items.length)
  expect(begins.slice(0, items.length)).toEqual(items.map(() => begins[0]))
})
