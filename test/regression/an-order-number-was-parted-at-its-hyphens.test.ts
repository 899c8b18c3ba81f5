import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, freshPhone, TestClock } from '../support/earnings.ts'
import { rowOf } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

// What happened to a customer's points ended in "NW-R-" on one line, and went on with "10174" on the next.

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

it('the number of an order stays on one line where there is room for it', async () => {
  const phone = freshPhone()
  // At one of these lengths the line ends within the number, whatever the font.
  const numbers = [2, 3, 4, 5, 6, 7].map((length) => `S-${'1-'.repeat(length)}1`)
  const earnings = numbers.map((order_number) => earningOf(staff.shop.merchant, { order_number, phone }))
  for (const earning of earnings) await earnOn(database.db)(earning)
  const { customer_id } = await rowOf(database.db, String(earnings[0]?.order_uuid))
  const path = staff.pathOf(`customers/${String(customer_id)}`)
  const page = await openDashboard(browser, { origin: staff.origin, path, width: 1280 })
  const lines = await page.evaluate<number[]>(`[...document.querySelectorAll('td[data-title] a')].map((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8))).size
  })`)
  expect(lines).toEqual(numbers.map(() => 1))
})
