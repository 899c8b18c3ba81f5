import { it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

const open = (path: string, mayFail?: RegExp) =>
  openDashboard(browser, { origin: staff.origin, path, ...(mayFail && { mayFail }) })

// The bar goes with its button, and the next Tab began at the top of the document.
it('after Save, the focus is on the page', async () => {
  const page = await open(staff.pathOf('settings/earning'))
  await page.getByLabel('Points per SAR').fill('3')
  await page.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  await page.locator('main:focus').waitFor()
})

// Whoever listens to the page heard nothing of the answer.
it('where an answer takes the place of a form, the focus is on its dialog', async () => {
  const page = await open(staff.pathOf('team'), /\/team/)
  const invitation = { email: 'sara@shop.example', role: 'support', link: null, expires_at: '2026-02-08T09:00:00Z' }
  const json = { status: true, message: '', appended_data: {}, data: { link_uuid: crypto.randomUUID(), ...invitation } }
  await page.route('**/team/invitations', (route) => route.fulfill({ json }))
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(invitation.email)
  await dialog.getByRole('button', { name: 'Invite' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Invited' }).and(page.locator(':focus')).waitFor()
})

it('a button that was disabled while it waited has the focus again', async () => {
  const account = { email: 'a@b.example', name: 'Sara', locale: null, has_password: true, totp: false, passkeys: 0 }
  const page = await openDashboard(browser, {
    ...{ origin: staff.origin, path: '/account', mayFail: /\/account\/|\/sessions/ },
    answers: { '/account': { ...account, recovery_codes: 0 }, '/account/passkeys': [], '/sessions': [] },
  })
  await page.route('**/account/totp/begin', async (route) => {
    await page.locator('main:not(:focus-within)').waitFor()
    await route.fulfill({ status: 409, json: { status: false, message: 'Not now', appended_data: {} } })
  })
  const button = page.getByRole('button', { name: 'Set up', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Not now').waitFor()
  await button.and(page.locator(':focus')).waitFor()
})
