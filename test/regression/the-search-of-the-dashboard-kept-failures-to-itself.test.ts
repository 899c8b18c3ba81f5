import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder, rowOf } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

const search = /\/dashboard\/api\/merchants\/\d+\/search\?/

async function openSearch(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /Find a page/ }).fill(typed)
}

const openOrders = () => openDashboard(browser, { origin: staff.origin, path: staff.pathOf('orders'), mayFail: search })

async function order() {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const { order_number } = await rowOf(database.db, order_uuid)
  return { order_uuid, order_number: String(order_number) }
}

describe('the search of the dashboard', () => {
  // A search that failed said "Nothing found", beside pages that matched nothing at all.
  it.each(['nothing like it', 'Orders'])('says that it failed, whatever else it finds (%s)', async (typed) => {
    const page = await openOrders()
    await page.route(search, (route) => route.fulfill({ status: 500, body: '' }))
    await openSearch(page, typed)
    await page.getByRole('dialog').getByText('Something went wrong on our side').waitFor()
    expect(await page.getByText(/^Nothing found/).count()).toBe(0)
  })

  // Who typed a number and pressed Enter before the answer was there stayed where he was.
  it('opens what it finds for somebody who pressed Enter before the answer', async () => {
    const { order_uuid, order_number } = await order()
    const page = await openOrders()
    const held = Promise.withResolvers<void>()
    await page.route(search, async (route) => {
      await held.promise
      await route.continue()
    })
    await openSearch(page, order_number)
    await page.getByText('Searching…').waitFor()
    await page.keyboard.press('Enter')
    held.resolve()
    await page.waitForURL(new RegExp(order_uuid))
  })

  // The focus went back to the button of the search, at the top of the page before.
  it('leaves the focus at the beginning of the page that it opens', async () => {
    const { order_number } = await order()
    const page = await openOrders()
    await page.getByRole('button', { name: /^Search/ }).focus()
    await openSearch(page, order_number)
    await page.getByRole('button').filter({ hasText: order_number }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('heading', { level: 1, name: order_number }).waitFor()
    await page.locator('main:focus').waitFor()
  })
})
