import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder, rowOf } from '../support/orders.ts'
import { settleMerchant } from '../support/settlement.ts'
import { staffedShop } from '../support/staff-pages.ts'

// Everything in the dashboard is of the day in Riyadh. What happened between midnight and three in the morning was of the
// day before where an order was found by its number, and in the name of a statement's file.

const database = testDatabase()
const browser = testBrowser()
/** One in the morning of 1 February in Riyadh. */
const clock = new TestClock('2026-01-31T22:00:00.000Z')
const staff = staffedShop(database, clock)

it('an order of the night is found under its own day', async () => {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const { reference_number } = await rowOf(database.db, order_uuid)
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf('orders') })
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /Find a page/ }).fill(String(reference_number))
  const found = page.getByRole('button').filter({ hasText: String(reference_number) })
  expect(await found.textContent()).toContain('1 Feb 2026')
})

it('a statement is named after the last day of its period', async () => {
  const { shop, pages } = staff
  const nameOf = async (until?: Date) => {
    await earningOrder(database.db, shop.merchant, { clock: new TestClock('2026-01-31T09:00:00.000Z') })
    const settled = await settleMerchant(database.db, clock, shop.merchant, until === undefined ? {} : { until })
    const { headers } = await pages.as('owner', 'GET', `/settlements/${settled.settlement_id}/statement.csv`)
    return headers['content-disposition']
  }
  const name = (day: string) => `attachment; filename="settlement-${shop.merchant.merchant_id}-${day}.csv"`
  expect(await nameOf(new Date('2026-01-31T21:00:00.000Z'))).toBe(name('2026-01-31'))
  expect(await nameOf()).toBe(name('2026-02-01'))
})
