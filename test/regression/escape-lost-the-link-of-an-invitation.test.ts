import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

// Escape closed the dialog with the link of an invitation, which is shown only once.
it('Escape leaves the link of an invitation in sight', async () => {
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf('team') })
  await page.route('**/team/invitations', (route) => {
    const data = { email: 'noura@shop.example', role: 'support', link: 'https://nuqta.example/dashboard/link#once' }
    return route.fulfill({ status: 201, json: { status: true, message: '', appended_data: {}, data } })
  })
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('noura@shop.example')
  await page.keyboard.press('Enter')
  await dialog.getByText('#once').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(await dialog.getByText('#once').isVisible()).toBe(true)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
})
