import { expect, it } from 'vitest'
import { testBrowser, waitUntilQuiet } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

// Both choices were on their way at once. If the first arrived last, the account kept a language that the reader had left.
it('a language that is chosen while another is being stored is stored after it', async () => {
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf('orders') })
  const held = Promise.withResolvers<void>()
  const stored: unknown[] = []
  await page.route('**/dashboard/api/account', async (route) => {
    stored.push(route.request().postDataJSON())
    if (stored.length === 1) await held.promise
    await route.fulfill({ json: { status: true, message: '', appended_data: {}, data: {} } })
  })
  const menu = page.getByRole('button', { name: /^Your account and preferences|^حسابك/ }).first()
  await menu.click()
  const first = page.waitForRequest('**/dashboard/api/account')
  await page.getByRole('menuitem', { name: 'العربية' }).click()
  await first
  await page.locator(':root[lang=ar]').waitFor()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await page.locator(':root[lang=en]').waitFor()
  expect(stored).toEqual([{ locale: 'ar' }])
  held.resolve()
  await waitUntilQuiet(page)
  expect(stored).toEqual([{ locale: 'ar' }, { locale: 'en' }])
})
