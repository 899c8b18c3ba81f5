import { beforeAll, expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

// A list keeps its rows until those of the next page are there. A second press on "Next" went on from the old rows: the page
// that it showed came twice on the way back, or belonged to a list with other filters.

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

beforeAll(async () => void (await earningOrder(database.db, staff.shop.merchant, { clock })))

/** A list of two pages, whose second is answered only when it is `released`. */
async function openList() {
  const page = await browser.open({ origin: staff.origin, device: 'desktop' })
  const held = Promise.withResolvers<void>()
  await page.route(/\/dashboard\/api\/.*\/orders(\?|$)/, async (route) => {
    const url = new URL(route.request().url())
    const isFirst = !url.searchParams.has('after')
    if (!isFirst) await held.promise
    url.searchParams.delete('after')
    const response = await route.fetch({ url: url.href })
    await route.fulfill({ response, json: { ...(await response.json()), next: isFirst ? 'second' : null } })
  })
  await page.goto(`${staff.origin}/dashboard${staff.pathOf('orders')}`)
  return { page, release: held.resolve }
}

it('a second press on "Next" before the answer changes nothing', async () => {
  const { page, release } = await openList()
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await page.waitForURL(/[?&]after=second/)
  await next.click()
  release()
  await page.locator('[aria-busy="false"] > table').waitFor()
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.waitForURL(/\/orders$/)
  expect(await page.getByRole('button', { name: 'First' }).isDisabled()).toBe(true)
})
