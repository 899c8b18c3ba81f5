import { expect, it } from 'vitest'
import { testBrowser, waitUntilQuiet } from '../support/browser.ts'
import { openWebhook } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase({ leaves: ['due deliveries'] })
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

// A test event leads to its delivery. Who had gone on to another page by then was taken away from it.
it('a test event that is answered late leaves readers where they are', async () => {
  const page = await openWebhook(browser, staff)
  const held = Promise.withResolvers<void>()
  await page.route('**/test', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  held.resolve()
  await page.getByText('A test event is on its way.').waitFor()
  await waitUntilQuiet(page)
  expect(page.url()).toBe(`${staff.origin}/dashboard${staff.pathOf('orders')}`)
})
