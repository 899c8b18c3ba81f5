import { expect, it } from 'vitest'
import { testBrowser, waitUntilQuiet } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

// Nothing seemed to happen while the Arabic texts were loading, so the reader chose English again. Then they came, and the
// dashboard and the account were Arabic.
it('the language that was chosen last stays, also when the texts of another come later', async () => {
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf('orders') })
  const saved: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') saved.push(request.postDataJSON())
  })
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/ar-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page
    .getByRole('button', { name: /^Your account and preferences/ })
    .first()
    .click()
  const asked = page.waitForRequest('**/assets/ar-*.js')
  await page.getByRole('menuitem', { name: 'العربية' }).click()
  await asked
  await page.getByRole('menuitem', { name: 'English' }).click()
  held.resolve()
  await waitUntilQuiet(page)
  expect(await page.locator(':root').getAttribute('lang')).toBe('en')
  expect(saved).toEqual([{ locale: 'en' }])
})
