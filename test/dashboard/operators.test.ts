import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { doErasures } from '../../src/features/erasure/job.ts'
import { ensureFirstProgram } from '../../src/features/merchants/programs.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults, makeMerchant, purchase, testApp } from '../support/api.ts'
import { expectAccessible, resize, screenshot, testBrowser } from '../support/browser.ts'
import { examine, openDashboard, visitPage, visitPages } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// Operators work in a program, and go from there to its merchants and back.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const database = testDatabase()
const app = testApp(database, { port, public_url: origin })
const browser = testBrowser()

let merchant: { readonly program_id: number; readonly merchant_id: number; readonly private_key: string }
let operator: Person

beforeAll(async () => {
  const fresh = { environment: 'sandbox', now: new Date() } as const
  const { program_id } = await app().db.transaction((tx) => ensureFirstProgram(tx, fresh))
  merchant = await makeMerchant(app().db, { name: 'Sidra Coffee', program_id })
  operator = await makePerson(app(), 'operator')
})

const ofProgram = (path: string) => `/p/${merchant.program_id}/${path}`
const api = () => `/programs/${merchant.program_id}/merchants/${merchant.merchant_id}`
const url = (path: string) => `${origin}/dashboard${path}`

/** Expects each name in the bar of a phone to stand on one line. */
async function keepsNamesOnOneLine(page: Page): Promise<void> {
  await resize(page, { width: 390, height: 844 })
  const names = page.locator('nav > a:visible > span, nav > button:visible > span')
  expect(await names.count()).toBe(5)
  const heights = (await Promise.all((await names.all()).map((name) => name.boundingBox()))).map((box) => box?.height)
  expect(Math.max(...heights.map(Number))).toBeLessThan(26)
}

it('shows a program, its merchants, and one of them', async () => {
  for (const name of ['Lavender Market', 'متجر ليان للعطور', 'Wadi Books'])
    await operator.call('POST', `/programs/${merchant.program_id}/merchants`, { name })
  await operator.call('PUT', `${api()}/documents/contract`, { seen: true, note: 'Signed on paper.' })
  const paths = { program: ofProgram(''), 'program-merchants': ofProgram('merchants') }
  await visitPages(browser, { origin, paths, viewer: operator, check: keepsNamesOnOneLine })
  await operator.call('POST', `${api()}/suspend`, { reason: 'Nobody has answered for a month.' })
  await visitPage(browser, 'program-merchant', {
    origin,
    path: ofProgram(`merchants/${merchant.merchant_id}`),
    viewer: operator,
  })
  await operator.call('POST', `${api()}/resume`, {})
})

it('leads an operator of one program straight there, to its merchants, and back', async () => {
  const page = await openDashboard(browser, { origin, path: '/', viewer: operator })
  await page.waitForURL(url(ofProgram('')))
  await page.getByRole('link', { name: '3 merchants are not verified' }).click()
  await page.waitForURL(url(ofProgram('merchants?stage=unverified')))
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /Find a page or a merchant/ }).fill('sidra')
  await page.getByRole('button', { name: /Sidra Coffee/ }).click()
  await page.waitForURL(url(ofProgram(`merchants/${merchant.merchant_id}`)))
  await page.getByRole('link', { name: 'Open its own pages' }).click()
  await page.waitForURL(url(`/m/${merchant.merchant_id}/`))
  await page.getByRole('link', { name: 'Default' }).click()
  await page.waitForURL(url(ofProgram(`merchants/${merchant.merchant_id}`)))
  await page.getByRole('button', { name: /^Switch program/ }).click()
  await page.getByRole('menuitem', { name: 'All merchants' }).click()
  await page.waitForURL(url(ofProgram('merchants')))
  await page.getByRole('heading', { level: 1, name: 'Merchants' }).waitFor()
})

it('creates a merchant, invites its owner, verifies, publishes and suspends it', async () => {
  const page = await openDashboard(browser, { origin, path: ofProgram('merchants'), viewer: operator })
  await page.getByRole('button', { name: 'New merchant' }).click()
  const form = page.getByRole('dialog', { name: 'New merchant' })
  await form.getByLabel('Name', { exact: true }).fill('Corner Café')
  await form.getByLabel('Name in Arabic').fill('مقهى الزاوية')
  // A mistake in the address is told before anything is made.
  await form.getByLabel("Owner's e-mail").fill('owner@corner')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('Enter an address such as name@shop.example').waitFor()
  await form.getByLabel("Owner's e-mail").fill('owner@corner.example')
  await form.getByRole('button', { name: 'Create' }).click()
  const keys = page.getByRole('dialog', { name: 'The merchant is made' })
  await keys.getByText(/^sk_test_/).waitFor()
  await keys.getByRole('checkbox').check()
  await keys.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { level: 1, name: 'Corner Café' }).waitFor()
  await page.getByText('Not verified', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'People' }).getByText('1', { exact: true }).waitFor()

  await page.getByRole('checkbox', { name: 'Commercial register' }).click()
  await page.getByText('1 of 4 seen.', { exact: false }).waitFor()
  await page.getByRole('textbox', { name: 'Notes' }).fill('They open in March.')
  await page.getByRole('region', { name: 'Notes' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Changed/).waitFor()
  await page.getByRole('switch', { name: 'Verified' }).click()
  await page.getByText('Not published', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'Published' }).click()
  await page.getByText('Live', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Suspend' }).click()
  const why = page.getByRole('dialog', { name: /^Suspend/ })
  await why.getByLabel('Reason').fill('The contract has ended.')
  await why.getByRole('checkbox', { name: 'Refuse its keys too' }).check()
  await why.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('This merchant is suspended').waitFor()
  await page.getByRole('button', { name: 'Lift the suspension' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lift the suspension' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'Keys', checked: true }).waitFor()

  // The question names the merchant as its page does.
  const path = new URL(page.url()).pathname.replace('/dashboard', '')
  const arabic = await openDashboard(browser, { origin, path, viewer: operator, locale: 'ar' })
  await arabic.getByRole('button', { name: 'إيقاف', exact: true }).click()
  await arabic.getByRole('dialog', { name: /^إيقاف .*مقهى الزاوية/ }).waitFor()
})

it('finds a customer at all merchants, blocks them, and merges two numbers after a preview', async () => {
  const earn = (phone_number: string, name: string) =>
    app().post('/v1/orders/earning', merchant.private_key, purchase({ phone_number, name }))
  await earn('0512345671', 'نورة القحطاني')
  await earn('0512345671', 'نورة القحطاني')
  await earn('0512345672', 'Noura Alqahtani')
  const mayFail = /\/merge\?phone=/
  const page = await openDashboard(browser, { origin, path: ofProgram('customers'), viewer: operator, mayFail })
  await page.getByRole('searchbox', { name: 'Find a customer' }).fill('noura')
  await page.getByRole('link', { name: 'Noura Alqahtani' }).click()
  await page.getByRole('heading', { level: 1, name: 'Noura Alqahtani' }).waitFor()
  const path = new URL(page.url()).pathname.replace('/dashboard', '')
  await page.getByRole('button', { name: 'Block' }).click()
  const why = page.getByRole('dialog', { name: 'Block this customer?' })
  await why.getByLabel('Reason').fill('The phone was stolen.')
  await why.getByRole('button', { name: 'Block' }).click()
  // Wait until the dialog is gone: its field has the same text as the page.
  await why.waitFor({ state: 'detached' })
  await page.getByText('This customer is blocked').waitFor()
  await page.getByText('The phone was stolen.').waitFor()
  await visitPage(browser, 'program-customer', { origin, path, viewer: operator })
  await page.getByRole('button', { name: 'Lift the block' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lift the block' }).click()
  await page.getByRole('button', { name: 'Block', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Merge' }).click()
  const merge = page.getByRole('dialog', { name: 'Merge into another number' })
  await merge.getByLabel('Number that stays').fill('0512345672')
  await merge.getByRole('button', { name: 'See what would move' }).click()
  await merge.getByText('This is the number that is to be given up. Enter the other one.').first().waitFor()
  await merge.getByLabel('Number that stays').fill('051 234 5671')
  await merge.getByRole('button', { name: 'See what would move' }).click()
  await merge.getByText('نورة القحطاني').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'program-customer-merge')
  await merge.getByRole('button', { name: 'Merge for good' }).click()
  await page.getByRole('heading', { level: 1, name: 'نورة القحطاني' }).waitFor()
  await page.getByText('From an earlier number').waitFor()
  await page.getByRole('link', { name: /^P-/ }).nth(2).waitFor()
  await openDashboard(browser, { origin, path, viewer: operator, locale: 'ar' }).then((old) =>
    old.getByRole('link', { name: 'فتح العميل الباقي' }).click(),
  )
  const merged = path.replace(/^.*\/customers/, `/m/${merchant.merchant_id}/customers`)
  const ofMerchant = await openDashboard(browser, { origin, path: merged, viewer: operator })
  await ofMerchant.getByText('This customer was merged').waitFor()
  await expectAccessible(ofMerchant)
  await screenshot(ofMerchant, 'customer-merged')
  await ofMerchant.getByRole('link', { name: 'Open the customer who stays' }).click()
  await ofMerchant.getByRole('heading', { level: 1, name: 'نورة القحطاني' }).waitFor()
})

it('requests an erasure with the number typed once more, cancels it, and sees it performed', async () => {
  const phone_number = '0512345673'
  await app().post('/v1/orders/earning', merchant.private_key, purchase({ phone_number, name: 'Reem Alharbi' }))
  const page = await openDashboard(browser, {
    ...{ origin, path: ofProgram(`customers?q=${phone_number}`), viewer: operator, mayFail: /\/erasure$/ },
  })
  await page.getByRole('link', { name: 'Reem Alharbi' }).click()
  await page.getByRole('heading', { level: 1, name: 'Reem Alharbi' }).waitFor()
  const path = new URL(page.url()).pathname.replace('/dashboard', '')
  const dialog = page.getByRole('dialog', { name: 'Erase this customer?' })
  const ask = async () => {
    await page.getByRole('button', { name: 'Erase this customer' }).click()
    await dialog.getByLabel('Reason').fill('She asked by mail')
  }
  await ask()
  await dialog.getByLabel("The customer's number").fill('0512345671')
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await dialog.getByText('This is not the number of this customer.').first().waitFor()
  await expectAccessible(page)
  await screenshot(page, 'program-customer-erase')
  await dialog.getByLabel("The customer's number").fill('+966 51 234 5673')
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  // In this test no process may erase.
  await page.getByText('nuqta customers erase --requested').waitFor()
  const paths = { 'program-customer-erasure': path, 'program-customers': ofProgram('customers') }
  await visitPages(browser, { origin, paths, viewer: operator })
  await page.getByRole('button', { name: 'Cancel the erasure' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the erasure' }).click()
  await ask()
  await dialog.getByLabel("The customer's number").fill(phone_number)
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByText('The erasure waits').waitFor()
  const secrets = createSecretBox(defaults.secret_key)
  await doErasures({
    owner: database.owner,
    secrets,
    log: { warn: (about: unknown) => expect.fail(JSON.stringify(about)) },
  })
  await page.getByText('Erased', { exact: true }).waitFor()
  await page.getByText('Reem Alharbi').first().waitFor({ state: 'detached' })
})

it('shows operators to each other, and lets one disable another', async () => {
  const other = await makePerson(app(), 'operator')
  const page = await openDashboard(browser, { origin, path: '/operator/people', viewer: operator })
  const row = page.getByRole('row').filter({ hasText: other.email })
  await row.getByRole('button', { name: /^Keep out/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep out' }).click()
  await row.getByText('Kept out').waitFor()
  await page.getByRole('button', { name: 'New operator' }).click()
  await page.getByLabel('E-mail').fill('second@points.example')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = page.getByRole('dialog', { name: 'Pass this link on' })
  await link.getByText(/dashboard\/link#/).waitFor()
  await link.getByRole('checkbox').check()
  await link.getByRole('button', { name: 'Done' }).click()
  await link.waitFor({ state: 'detached' })
  await examine(page, 'operators', keepsNamesOnOneLine)
})
