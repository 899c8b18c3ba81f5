import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard, openWebhook } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

// Escape closed a dialog while its form was being sent. The answer then closed the next dialog, with what was typed in it.
it('a dialog stays open until its form is answered', async () => {
  const page = await openDashboard(browser, {
    ...{ origin: staff.origin, path: staff.pathOf('team'), mayFail: /\/team\/invitations$/ },
  })
  const held = Promise.withResolvers<void>()
  await page.route('**/team/invitations', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.fulfill({ status: 422, json: { status: false, message: 'Not now.', appended_data: {}, errors: {} } })
  })
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('noura@shop.example')
  await page.keyboard.press('Enter')
  const close = dialog.getByRole('button', { name: 'Close' })
  await expect.poll(() => close.isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  held.resolve()
  await dialog.getByText('Not now.').waitFor()
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('noura@shop.example')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close without saving' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

// The dialog that replaces a secret could be closed while it was sent, and its answer closed the dialog that was open by then.
it('the dialog that replaces a secret stays open until it is answered', async () => {
  const page = await openWebhook(browser, staff)
  const held = Promise.withResolvers<void>()
  await page.route('**/rotate', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Replace the secret' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  held.resolve()
  await dialog.getByText(/^whsec_/).waitFor()
})
