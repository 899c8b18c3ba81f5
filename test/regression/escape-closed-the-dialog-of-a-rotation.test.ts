import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openWebhook } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

/** What closes a dialog that does not say otherwise. */
async function tryToClose(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
}

const envelope = { status: true, message: '', appended_data: {} }

// Escape closed the dialog while the rotation was being sent: a refusal was seen by nobody, and the secret came unannounced.
it('the dialog of a rotation stays open until it is answered, and the new secret until it is stored', async () => {
  const page = await openWebhook(browser, staff, { mayFail: /\/rotate$/ })
  let held = Promise.withResolvers<void>()
  const answers = [
    { status: 422, json: { ...envelope, status: false, message: 'Not now.', errors: {} } },
    { status: 200, json: { ...envelope, data: { secret: 'whsec_shown_this_once' } } },
  ]
  await page.route('**/rotate', async (route) => {
    await held.promise
    await route.fulfill(answers.shift() ?? {})
  })
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace the secret' })
  const rotate = dialog.getByRole('button', { name: 'Replace the secret' })
  const close = dialog.getByRole('button', { name: 'Close' })
  await rotate.click()
  await expect.poll(() => close.isDisabled()).toBe(true)
  await tryToClose(page)
  held.resolve()
  await dialog.getByText('Not now.').waitFor()
  held = Promise.withResolvers()
  await rotate.click()
  await expect.poll(() => close.isDisabled()).toBe(true)
  await tryToClose(page)
  held.resolve()
  const secret = page.getByText('whsec_shown_this_once')
  await secret.waitFor()
  await tryToClose(page)
  expect(await secret.isVisible()).toBe(true)
  await page.getByLabel(/stored/).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await secret.waitFor({ state: 'hidden' })
})
