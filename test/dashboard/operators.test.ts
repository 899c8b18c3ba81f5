import { beforeAll, it } from 'vitest'
import { ensureFirstProgram } from '../../src/features/merchants/programs.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { expectAccessible, screenshot, testBrowser } from '../support/browser.ts'
import { openDashboard, visitPage } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// How an operator works in a program, and goes from there to its merchants and back.

const port = await freePort()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
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

it('shows a program, its merchants, and one of them', async () => {
  for (const name of ['Lavender Market', 'متجر ليان للعطور', 'Wadi Books'])
    await operator.call('POST', `/programs/${merchant.program_id}/merchants`, { name })
  await operator.call('PUT', `${api()}/documents/contract`, { seen: true, note: 'Signed on paper.' })
  await visitPage(browser, 'program', { origin, path: ofProgram(''), viewer: operator })
  await visitPage(browser, 'program-merchants', { origin, path: ofProgram('merchants'), viewer: operator })
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

it('takes a merchant in, invites its owner, verifies, publishes and suspends it', async () => {
  const page = await openDashboard(browser, { origin, path: ofProgram('merchants'), viewer: operator })
  await page.getByRole('button', { name: 'New merchant' }).click()
  const form = page.getByRole('dialog', { name: 'New merchant' })
  await form.getByLabel('Name', { exact: true }).fill('Corner Café')
  await form.getByLabel('Name in Arabic').fill('مقهى الزاوية')
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
})

it('finds a customer at all merchants, blocks them, and merges two numbers after a preview', async () => {
  const earn = (phone_number: string, name: string) =>
    app().post('/v1/orders/earning', merchant.private_key, purchase({ phone_number, name }))
  await earn('0512345671', 'نورة القحطاني')
  await earn('0512345671', 'نورة القحطاني')
  await earn('0512345672', 'Noura Alqahtani')
  const mayFail = /\/merge\?phone=/
  const page = await openDashboard(browser, { origin, path: ofProgram('customers'), viewer: operator, mayFail })
  await expectAccessible(page)
  await page.getByRole('searchbox', { name: 'Find a customer' }).fill('noura')
  await page.getByRole('link', { name: 'Noura Alqahtani' }).click()
  await page.getByRole('heading', { level: 1, name: 'Noura Alqahtani' }).waitFor()
  const path = new URL(page.url()).pathname.replace('/dashboard', '')
  await page.getByRole('button', { name: 'Block' }).click()
  const why = page.getByRole('dialog', { name: 'Block this customer?' })
  await why.getByLabel('Reason').fill('The phone was stolen.')
  await why.getByRole('button', { name: 'Block' }).click()
  // Its field holds the same words as the page until it is gone.
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
})

it('shows operators to each other, and lets one keep another out', async () => {
  const other = await makePerson(app(), 'operator')
  await visitPage(browser, 'operators', { origin, path: '/operator/people', viewer: operator })
  const page = await openDashboard(browser, { origin, path: '/operator/people', viewer: operator })
  const row = page.getByRole('row').filter({ hasText: other.email })
  await row.getByRole('button', { name: /^Keep out/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep out' }).click()
  await row.getByText('Kept out').waitFor()
  await page.getByRole('button', { name: 'New operator' }).click()
  await page.getByLabel('E-mail').fill('second@points.example')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page
    .getByRole('dialog', { name: 'Pass this link on' })
    .getByText(/dashboard\/link#/)
    .waitFor()
})
