import { expect, it } from 'vitest'
import { testBrowser, useOnce, waitUntilQuiet } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

// The dialog said so above its form and again in place of its preview, and its button stayed disabled while the service was away.
it('a refund that cannot be sent says once that the service cannot be reached, and can be sent again', async () => {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const { origin } = staff
  const page = await browser.open({ origin, device: 'desktop', maySay: /ERR_FAILED/ })
  useOnce(page)
  await page.goto(`${origin}/dashboard${staff.pathOf(`orders/${order_uuid}`)}`)
  await settled(page)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const refund = dialog.getByRole('button', { name: /^Refund/ })
  await expect.poll(() => refund.isEnabled()).toBe(true)
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key'])
  })
  await page.route('**', (route) => route.abort())
  const unreachable = dialog.getByText('The service cannot be reached')
  for (const tries of [1, 2]) {
    await refund.click()
    await expect.poll(() => keys.length).toBe(tries)
    await unreachable.first().waitFor()
    await waitUntilQuiet(page)
    expect(await unreachable.count()).toBe(1)
    expect(await dialog.getByRole('heading', { name: 'What will happen' }).isVisible()).toBe(true)
  }
  await page.unroute('**')
  await refund.click()
  await page.getByText('The refund is made.').waitFor()
  expect([keys.length, new Set(keys).size]).toEqual([3, 1])
})
