import type { Page } from 'playwright-core'
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

const colours = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[data-tone]')].map((one) => getComputedStyle(one).color)`)

// States kept the colours that a dark screen needs. Printers leave backgrounds out: pale green stood on white paper.
it('an order is printed alike from a dark and from a light screen, without its buttons', async () => {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const path = staff.pathOf(`orders/${order_uuid}`)
  const printed = async (dark: boolean) => {
    const page = await openDashboard(browser, { origin: staff.origin, path, dark })
    const refund = page.getByRole('button', { name: 'Refund', exact: true })
    expect(await refund.count()).toBe(1)
    await page.emulateMedia({ media: 'print' })
    expect(await refund.count()).toBe(0)
    const found = await colours(page)
    await browser.leave(page)
    return found
  }
  const light = await printed(false)
  expect(light.length).toBeGreaterThan(0)
  expect(await printed(true)).toEqual(light)
})
