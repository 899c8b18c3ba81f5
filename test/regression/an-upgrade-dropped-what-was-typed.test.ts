import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

// A page whose build was gone was loaded anew, with what somebody had typed in it, when it needed another file.

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

const assets = /\/dashboard\/assets\//

/** An upgrade: files that a page has not asked for yet are gone. */
const upgrade = (page: Page) => page.route(assets, (route) => route.fulfill({ status: 404, body: 'Not found' }))

it.each([
  {
    locale: 'en',
    field: 'Points per SAR',
    more: 'More',
    title: 'There is a new version',
    lead: 'Save or copy what you have typed, then reload the page.',
    close: 'Close',
  },
  {
    locale: 'ar',
    field: 'نقاط لكل ريال',
    more: 'المزيد',
    title: 'ثمة إصدار جديد',
    lead: 'احفظ ما كتبته أو انسخه، ثم أعد تحميل الصفحة.',
    close: 'إغلاق',
  },
] as const)('what is typed stays when something else belongs to a build that is gone ($locale)', async (row) => {
  const path = staff.pathOf('settings/earning')
  const page = await openDashboard(browser, {
    ...{ origin: staff.origin, path, mayFail: assets },
    ...{ locale: row.locale, width: 390, device: 'phone' as const },
  })
  useOnce(page)
  await upgrade(page)
  const field = page.getByLabel(row.field, { exact: true })
  await field.fill('7')
  await page.getByRole('button', { name: row.more, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: row.title })
  await dialog.getByText(row.lead).waitFor()
  await dialog.getByRole('button', { name: row.close }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('7')
})

it('a form with changes has what it may need, before an upgrade takes it away', async () => {
  const path = staff.pathOf('settings/earning')
  const mayFail = /\/dashboard\/(assets|api)\//
  const page = await openDashboard(browser, { origin: staff.origin, path, mayFail })
  useOnce(page)
  const files = ['sign-in-cover', 'stale-difference'].map((name) =>
    page.waitForResponse((response) => response.url().includes(`/assets/${name}`)),
  )
  const field = page.getByLabel('Points per SAR', { exact: true })
  await field.fill('7')
  for (const response of await Promise.all(files)) expect(response.status()).toBe(200)
  await upgrade(page)
  const ended = { status: false, message: 'Sign in.', appended_data: {} }
  await page.route(/\/dashboard\/api\//, (route) => route.fulfill({ status: 401, json: ended }))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
  expect(await field.inputValue()).toBe('7')
})
