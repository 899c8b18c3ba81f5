import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { expectAccessible, screenshot, testBrowser, useOnce } from '../support/browser.ts'
import { browserAsks, leaveQuestion, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// On a phone a dialog leaves a strip of the page free: a thumb on it, or Back, dropped what was typed, without a word.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
let merchant: MadeMerchant
let operator: Person
let path = ''

beforeAll(async () => {
  merchant = await makeMerchant(app().db)
  operator = await makePerson(app(), 'operator')
  const { body } = await app().post('/v1/orders/earning', merchant.private_key, purchase())
  path = `/m/${merchant.merchant_id}/orders/${(body.data as { readonly uuid: string }).uuid}`
})

async function open(look: { readonly locale?: 'ar'; readonly device?: 'phone' } = {}): Promise<Page> {
  const page = await openDashboard(browser, { origin, path, viewer: operator, ...look })
  useOnce(page)
  return page
}

const slips = {
  'the Escape key': (page: Page) => page.keyboard.press('Escape'),
  'a click beside it': (page: Page) => page.mouse.click(5, 5),
  'its cross': (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click(),
} as const

it.each(Object.entries(slips))('%s asks before it closes a dialog with a text', async (_, slip) => {
  const page = await open()
  await page.getByRole('button', { name: 'Leave out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave the order out of settlements?' })
  const reason = dialog.getByLabel('Reason')
  await reason.fill('The customer denies it')
  await slip(page)
  const question = page.getByRole('dialog', { name: 'Close without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await reason.inputValue()).toBe('The customer denies it')
  await reason.focus()
  await slip(page)
  await question.waitFor()
  // The key is meant for the question.
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await reason.inputValue()).toBe('The customer denies it')
  await slip(page)
  await question.getByRole('button', { name: 'Close without saving' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect([await question.count(), await browserAsks(page)]).toEqual([0, false])
})

it('Back asks too, and what is taken back or sent is asked about no more', async () => {
  const page = await open()
  await page.goto(`${origin}/dashboard/m/${merchant.merchant_id}/orders`)
  await page.getByRole('row').getByText(/^P-/).click()
  await page.getByRole('button', { name: 'Leave out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave the order out of settlements?' })
  await dialog.getByLabel('Reason').fill('Not delivered')
  await expect.poll(() => browserAsks(page)).toBe(true)
  await page.evaluate('history.back()')
  await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
  await leaveQuestion(page).waitFor({ state: 'detached' })
  await dialog.getByLabel('Reason').fill('')
  await expect.poll(() => browserAsks(page)).toBe(false)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Leave out' }).click()
  await dialog.getByLabel('Reason').fill('Not delivered')
  await dialog.getByRole('button', { name: 'Leave out' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Not delivered').waitFor()
  expect(await browserAsks(page)).toBe(false)
})

it('a choice alone is not asked about, and the question fits a phone in Arabic', async () => {
  const page = await open({ locale: 'ar', device: 'phone' })
  await page.getByRole('button', { name: 'حالة الشحن' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').selectOption('delivered')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'حالة الشحن' }).click()
  await dialog.getByLabel('التسمية بالعربية').fill('في الطريق إليك')
  await page.mouse.click(5, 5)
  await page.getByRole('dialog', { name: 'أتغلق دون حفظ؟' }).getByRole('button', { name: 'أغلق دون حفظ' }).waitFor()
  await expectAccessible(page, '[role=dialog]:not(:has(form))')
  await screenshot(page, 'dialog-asks-ar')
})
