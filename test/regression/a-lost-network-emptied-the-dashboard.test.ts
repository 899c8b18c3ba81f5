import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const browser = testBrowser()
const staff = staffedShop(testDatabase(), new TestClock('2026-02-01T09:00:00.000Z'))

// Without a network, a page whose script was not loaded yet reloaded all, and the browser showed a page of its own.
it('a page that cannot be loaded without a network says so, and opens when the network is back', async () => {
  const { origin } = staff
  const page = await browser.open({ origin, device: 'desktop', maySay: /ERR_INTERNET_DISCONNECTED/ })
  useOnce(page)
  await page.goto(`${origin}/dashboard${staff.pathOf('orders')}`)
  await settled(page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Audit log' }).click()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  expect(await page.getByRole('link', { name: 'Customers' }).isVisible()).toBe(true)
  await page.context().setOffline(false)
  await again.click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
})
