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

const assets = /\/dashboard\/assets\//

/** An order whose page was opened before an upgrade: files that it still needs are gone, until it is loaded anew. */
async function openBeforeUpgrade({ isMended }: { isMended: boolean }) {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const path = staff.pathOf(`orders/${order_uuid}`)
  const page = await openDashboard(browser, { origin: staff.origin, path, mayFail: assets })
  let loads = 0
  let isGone = true
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    loads += 1
    if (isMended) isGone = false
  })
  // What a page begins with comes from the new build.
  const first = new Set(
    await page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`),
  )
  await page.route(assets, (route) =>
    isGone && !first.has(route.request().url()) ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
  )
  return { page, loads: () => loads }
}

// A page said that it could not be shown: the router reloads for scripts of pages alone, not for those of dialogs.
it.each([
  { what: 'a page', role: 'link', name: 'Audit log', shows: 'heading' },
  { what: 'a dialog', role: 'button', name: 'Refund', shows: 'button' },
] as const)(
  'the dashboard is loaded anew when $what belongs to a build that is gone',
  async ({ role, name, shows }) => {
    const { page, loads } = await openBeforeUpgrade({ isMended: true })
    await page.getByRole(role, { name, exact: true }).click()
    await expect.poll(loads).toBe(1)
    await page.getByRole(shows, { name, exact: true }).waitFor()
  },
)

it('the dashboard is loaded anew only once when that does not help', async () => {
  const { page, loads } = await openBeforeUpgrade({ isMended: false })
  const failed = page.getByRole('heading', { name: 'This page could not be shown' })
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect.poll(loads).toBe(1)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await failed.waitFor()
  expect(loads()).toBe(1)
})
