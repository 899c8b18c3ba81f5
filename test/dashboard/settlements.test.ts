import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { exactSar, whoOwes } from '../../dashboard/src/pages/settlement/amounts.ts'
import { type Line, most_lines, readLines } from '../../dashboard/src/pages/statement/read-lines.ts'
import { setProgram } from '../../src/features/merchants/programs.ts'
import { suspendMerchant } from '../../src/features/merchants/suspension.ts'
import { doSettlementRuns } from '../../src/features/settlement/run-job.ts'
import { makeMerchant, makeProgram, purchase, testApp } from '../support/api.ts'
import { expectAccessible, screenshot, testBrowser } from '../support/browser.ts'
import { examine, moveTo, openDashboard, settled, visitPage } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// Operators close a period, alone and as two; merchants see their settlement and print its statement.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

let program: { readonly program_id: number; readonly name: string }
let shop: Awaited<ReturnType<typeof makeMerchant>>
let sara: Person
let omar: Person
let owner: Person
let first_order = ''

/** Does the work of a worker. */
const work = () => doSettlementRuns({ db: app().db, clock: app().clock, log: { warn: () => undefined } })

async function sell(): Promise<string> {
  const sent = await app().post('/v1/orders/earning', shop.private_key, purchase())
  return String((sent.body.data as { readonly uuid: string }).uuid)
}

beforeAll(async () => {
  program = await makeProgram(app().db)
  shop = await makeMerchant(app().db, { name: 'Sidra Coffee', program_id: program.program_id })
  await makeMerchant(app().db, { name: 'Quiet Books', program_id: program.program_id })
  const changes = { fee_earn_bp: 200, operator_name: 'Mall Company' }
  await setProgram(app().db, program.name, { changes, now: new Date() })
  ;[sara, omar] = [await makePerson(app(), 'operator'), await makePerson(app(), 'operator')]
  owner = await makePerson(app(), { ...shop, program_id: program.program_id, role: 'owner' })
  first_order = await sell()
  for (let more = 1; more < 60; more += 1) await sell()
})

const settlementsPage = () => `/p/${program.program_id}/settlements`
const show = (path: string, viewer: Person) => openDashboard(browser, { origin, path, viewer })

async function addUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add up' }).click()
  await page.getByText('Adding up: waits for its turn').waitFor()
  await work()
  await page.getByText('Added up until').waitFor()
  // The button was disabled meanwhile.
  await page.getByRole('button', { name: 'Add up' }).and(page.locator(':focus')).waitFor()
}

async function closePeriod(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close and settle' }).click()
  const dialog = page.getByRole('dialog', { name: 'Close the period?' })
  await dialog.getByRole('button', { name: 'Close and settle' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The button that opened it may not be pressed now.
  await page.locator('main:focus').waitFor()
}

/** The settlement of so many orders. An id or a time may hold the number too, so the cell is looked for. */
const rowOf = (orders: number, page: Page) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: String(orders), exact: true }) })

it('an order in dispute is left out, the rest is added up and closed, and the order follows with two people', async () => {
  const order = await show(`/m/${shop.merchant_id}/orders/${first_order}`, sara)
  await order.getByRole('button', { name: 'Leave out' }).click()
  const dialog = order.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The customer denies it')
  await dialog.getByRole('button', { name: 'Leave out' }).click()
  // Wait until the dialog is gone: its field has the same text as the page.
  await dialog.waitFor({ state: 'detached' })
  await order.getByText('The customer denies it').waitFor()
  await expectAccessible(order)

  const disputes = { origin, path: `/p/${program.program_id}/disputes`, viewer: sara }
  await visitPage(browser, 'program-disputes', disputes)

  const page = await show(settlementsPage(), sara)
  await addUp(page)
  await page.getByRole('link', { name: 'Sidra Coffee' }).waitFor()
  await page.getByText('Agree with the wallets').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'settlements-added-up')
  await closePeriod(page)
  await page.getByText('Closing: waits for its turn').waitFor()
  await screenshot(page, 'settlements-closing')
  await work()
  await page.getByText('Closed and settled until').waitFor()
  await page.getByRole('cell', { name: '59', exact: true }).waitFor()

  await order.getByRole('button', { name: 'Take in again' }).click()
  await order.getByRole('dialog').getByRole('button', { name: 'Take in again' }).click()
  await order.getByRole('button', { name: 'Leave out' }).waitFor()
  await setProgram(app().db, program.name, { changes: { two_person_settlements: true }, now: new Date() })
  // Axe takes seconds for a statement of 59 orders: this period has a few.
  for (let more = 1; more < 3; more += 1) await sell()
  await addUp(page)
  await closePeriod(page)
  await page.getByText('A second person has to confirm this').waitFor()

  const overview = await show(`/p/${program.program_id}/`, omar)
  await overview.getByRole('link', { name: '1 change waits for a second person' }).click()
  await overview.getByRole('button', { name: 'Confirm' }).click()
  const confirm = overview.getByRole('dialog')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await confirm.waitFor({ state: 'detached' })
  const { merchant_id } = shop
  await sara.call('POST', `/programs/${program.program_id}/settlement-runs`, { kind: 'close', merchant_id })
  await overview.reload()
  await overview.getByRole('link', { name: `merchant ${merchant_id}`, exact: true }).waitFor()
  await work()
  await moveTo(overview, settlementsPage())
  await overview.getByText('Closed and settled until').waitFor()
  await overview.getByRole('cell', { name: '3', exact: true }).first().waitFor()
  await examine(overview, 'settlements-of-program')
})

it('the webhook is set, and its secret is shown once', async () => {
  const page = await show(settlementsPage(), sara)
  await page.getByLabel('URL').fill('https://198.51.101.7/told')
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^whsec_/).waitFor()
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(/^\*\*\*\*/).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Test' }).waitFor()
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  await dialog.getByRole('button', { name: 'Replace the secret' }).click()
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The next one from').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.locator('#content').getByRole('button', { name: 'Remove' }).waitFor({ state: 'detached' })
})

it('a notice names the merchant and the period of its settlement, in both languages', async () => {
  const of_program = `/programs/${program.program_id}`
  await sara.call('POST', `${of_program}/webhook`, { url: 'https://198.51.101.7/told' })
  const { body } = await sara.call('GET', `${of_program}/settlements`)
  const { settlement_id } = (body.data as readonly { settlement_id: string; orders: number }[]).find(
    ({ orders }) => orders === 59,
  ) ?? { settlement_id: '' }
  expect((await sara.call('POST', `${of_program}/settlements/${settlement_id}/tell`)).status).toBe(200)
  for (const [locale, until] of [
    ['en', 'Up to'],
    ['ar', 'حتى'],
  ] as const) {
    const page = await openDashboard(browser, { origin, path: settlementsPage(), viewer: sara, locale })
    const notice = page.getByRole('listitem').getByRole('link', { name: `Sidra Coffee · ${until}` })
    await notice.waitFor()
    expect(await notice.getAttribute('href')).toContain(settlement_id)
    expect(await notice.innerText()).not.toContain(settlement_id)
  }
})

it('a merchant finds its settlement, and prints a statement that leads to each order and entry', async () => {
  const page = await show(`/m/${shop.merchant_id}/settlements`, owner)
  await rowOf(59, page).getByRole('link').click()
  await page.getByText('The merchant owes the program').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Statement' }).click()
  const lines = page.getByRole('table').last().getByRole('row')
  await lines.nth(59).waitFor()
  expect(await lines.nth(1).innerText()).toMatch(/Order [0-9a-f-]{36}\s+Entry [0-9a-f-]{36}/)
  expect(await page.getByRole('article').innerText()).toContain('Mall Company')
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('button', { name: 'Print' }).waitFor({ state: 'hidden' })
  const paper = await page.pdf({ preferCSSPageSize: true })
  expect(paper.toString('latin1').match(/\/MediaBox\s*\[\s*0 0 59[45]\S* 84[12]\S*\s*\]/g)?.length).toBeGreaterThan(1)
})

it('lists say in words who owes an amount, to each reader and in both languages, and download', async () => {
  const sides = { en: ['you owe it', 'merchant owes it'], ar: ['عليك', 'على المتجر'] } as const
  for (const locale of ['en', 'ar'] as const) {
    const [own, all] = [
      { path: `/m/${shop.merchant_id}/settlements`, viewer: owner },
      { path: settlementsPage(), viewer: sara },
    ]
    for (const [place, look] of [own, all].entries()) {
      const page = await openDashboard(browser, { origin, ...look, locale })
      expect(await rowOf(59, page).innerText()).toMatch(new RegExp(`${sides[locale][place]}$`))
      expect(await rowOf(59, page).getByRole('cell').last().innerText()).not.toMatch(/[+−]/)
      const file = page.getByRole('main').getByRole('link', { name: 'CSV' })
      expect(await file.getAttribute('href')).toMatch(/\/settlements\.csv\?lang=(en|ar)$/)
    }
  }
})

it('lists of a program are narrowed to a merchant, who is found by a part of its name, and so is their file', async () => {
  const page = await show(settlementsPage(), sara)
  await rowOf(59, page).waitFor()
  const merchant = page.getByRole('combobox', { name: 'Merchant' })
  await merchant.fill('books')
  await page.getByRole('option', { name: 'Quiet Books' }).click()
  await page.waitForURL(/\?merchant=\d+$/)
  await rowOf(59, page).waitFor({ state: 'detached' })
  await merchant.fill('sidra')
  await page.getByRole('option', { name: 'Sidra Coffee' }).click()
  await rowOf(59, page).waitFor()
  await expectAccessible(page)
  const narrowed = new RegExp(`\\?merchant=${shop.merchant_id}&lang=en$`)
  expect(await page.getByRole('main').getByRole('link', { name: 'CSV' }).getAttribute('href')).toMatch(narrowed)
  const again = await show(`${settlementsPage()}?merchant=${shop.merchant_id}`, sara)
  await rowOf(59, again).waitFor()
  expect(await again.getByRole('combobox', { name: 'Merchant' }).inputValue()).toBe('Sidra Coffee')
  await again.getByRole('button', { name: 'Clear filters' }).click()
  await again.waitForURL((url) => url.search === '')
  expect(await again.getByRole('combobox', { name: 'Merchant' }).inputValue()).toBe('')
  const disputes = await show(`/p/${program.program_id}/disputes?merchant=${shop.merchant_id}`, sara)
  await disputes.getByText('Nothing matches these filters').waitFor()
})

it('a settlement says who owes what, to the last digit, and that nobody owes nothing', () => {
  expect([1, -1, 0].map(whoOwes)).toEqual(['settlements.owes', 'settlements.owed_to', 'settlements.nothing_due'])
  expect([2_294.03, -0.005, 7.6, 0.000001].map(exactSar)).toEqual(['2,294.03', '−0.005', '7.60', '0.000001'])
})

it('a statement for paper ends at its bound, and says so', async () => {
  const line = { id: '' } as Line
  const pages = (count: number) => {
    let read = 0
    return async (after: string | undefined) => {
      expect(after).toBe(read === 0 ? undefined : String(read))
      read += 1
      return { rows: Array.from({ length: 100 }, () => line), next: read < count ? String(read) : null }
    }
  }
  expect(await readLines(pages(3))).toMatchObject({ lines: { length: 300 }, more: false })
  expect(await readLines(pages(most_lines / 100))).toMatchObject({ lines: { length: most_lines }, more: false })
  expect(await readLines(pages(1_000))).toMatchObject({ lines: { length: most_lines }, more: true })
})

it('the pages of a suspended merchant say so, and a statement is accessible and fits', async () => {
  await suspendMerchant(app().db, shop, {
    ...{ reason: 'No papers', keys_off: false, now: new Date() },
    by: { source: 'command', name: 'Sara' },
  })
  const list = `/m/${shop.merchant_id}/settlements`
  const page = await show(list, owner)
  await page.getByText('This merchant is suspended').waitFor()
  await rowOf(3, page).getByRole('link').click()
  await page.waitForURL(/settlements\/[0-9a-f-]{36}$/)
  await settled(page)
  const path = new URL(page.url()).pathname.replace('/dashboard', '')
  await visitPage(browser, 'statement', { origin, path: `${path}/statement`, viewer: owner })
})
