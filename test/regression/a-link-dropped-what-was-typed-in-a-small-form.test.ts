import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { screenshot, testBrowser, useOnce } from '../support/browser.ts'
import { browserAsks, leaveQuestion, moveTo, openDashboard, password } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
let merchant: MadeMerchant
let operator: Person

beforeAll(async () => {
  merchant = await makeMerchant(app().db)
  operator = await makePerson(app(), 'operator', password)
})

const ofProgram = (path: string) => `/p/${merchant.program_id}/${path}`
/** Opens a page from another one. */
async function open(path: string): Promise<Page> {
  const page = await openDashboard(browser, { origin, path: ofProgram('ledger'), viewer: operator })
  useOnce(page)
  await moveTo(page, path)
  expect(await browserAsks(page)).toBe(false)
  return page
}

// Larger forms asked; of these what was typed was gone.
it.each([
  { path: () => '/account', field: 'Name', typed: 'Sara Alharbi' },
  { path: () => '/account', field: 'New password', typed: 'eleven lamps on the stairs' },
  { path: () => '/account', field: 'Name of the device', typed: 'Office laptop' },
  { path: () => ofProgram('settlements'), field: 'URL', typed: 'https://198.51.101.7/told' },
  { path: () => ofProgram('settings'), field: 'SAR a point', typed: '0.02' },
])('$field asks before what was typed is left', async ({ path, field, typed }) => {
  const page = await open(path())
  const input = page.getByRole('main').getByLabel(field, { exact: true })
  await input.fill(typed)
  await expect.poll(() => browserAsks(page)).toBe(true)
  await page.evaluate('history.back()')
  await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
  await leaveQuestion(page).waitFor({ state: 'detached' })
  expect(await input.inputValue()).toBe(typed)
  await page.evaluate('history.back()')
  await leaveQuestion(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(`${origin}/dashboard${ofProgram('ledger')}`)
})

it('a saved name and a saved address are left unasked, also where the service stores them without spaces', async () => {
  const page = await open('/account')
  const name = page.getByLabel('Name', { exact: true })
  const card = page.locator('form').filter({ has: name })
  await name.fill('  Sara Alharbi ')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await expect.poll(() => browserAsks(page)).toBe(false)
  expect(await name.inputValue()).toBe('Sara Alharbi')
  await moveTo(page, ofProgram('settlements'))
  const url = page.getByLabel('URL')
  await url.fill(' https://198.51.101.7/told ')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('I have stored it').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => browserAsks(page)).toBe(false)
  expect(await url.inputValue()).toBe('https://198.51.101.7/told')
})

it('the texts of new terms stay at Escape, beside the dialog and at Back', async () => {
  const page = await open(ofProgram('settings'))
  await page.getByRole('button', { name: 'New version' }).click()
  const dialog = page.getByRole('dialog', { name: 'New version' })
  const text = dialog.getByLabel('English text')
  await text.fill('Points are a gift.')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.evaluate('history.back()')
  await leaveQuestion(page).waitFor()
  await page.keyboard.press('Escape')
  await leaveQuestion(page).waitFor({ state: 'detached' })
  expect(await text.inputValue()).toBe('Points are a gift.')
})

it('several forms with changes ask one question', async () => {
  const page = await open('/account')
  await page.getByLabel('Name', { exact: true }).fill('Noura')
  await page.getByLabel('New password', { exact: true }).fill('eleven lamps on the stairs')
  await page.getByLabel('Name of the device').fill('Office laptop')
  await page.evaluate('history.back()')
  await leaveQuestion(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(`${origin}/dashboard${ofProgram('ledger')}`)
  expect(await leaveQuestion(page).count()).toBe(0)
})

it('an address that is typed stays, although a colleague saves another one meanwhile', async () => {
  const path = `/programs/${merchant.program_id}/webhook`
  await operator.call('POST', path, { url: 'https://198.51.101.7/first' })
  const page = await open(ofProgram('settlements'))
  const url = page.getByLabel('URL')
  await url.fill('https://198.51.101.7/mine')
  await operator.call('POST', path, { url: 'https://198.51.101.7/theirs' })
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('Test', { exact: true }).first().waitFor()
  expect(await url.inputValue()).toBe('https://198.51.101.7/mine')
})

it.each([
  { locale: 'en', field: 'Name', ask: 'Leave without saving?' },
  { locale: 'ar', field: 'الاسم', ask: 'أتغادر دون حفظ؟' },
] as const)('asks on a phone ($locale)', async ({ locale, field, ask }) => {
  const path = ofProgram('ledger')
  const page = await openDashboard(browser, { origin, path, viewer: operator, device: 'phone', locale })
  useOnce(page)
  await moveTo(page, '/account')
  await page.getByLabel(field, { exact: true }).fill('Noura')
  await expect.poll(() => browserAsks(page)).toBe(true)
  await page.evaluate('history.back()')
  await leaveQuestion(page, ask).waitFor()
  await screenshot(page, `small-form-asks-${locale}`)
})
