import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { screenshot, testBrowser, useOnce } from '../support/browser.ts'
import {
  browserAsks,
  type DashboardVisit,
  leaveQuestion,
  moveTo,
  openDashboard,
  password,
  push,
} from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { codeApp } from '../support/totp.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
let merchant: MadeMerchant
let owner: Person
let operator: Person

beforeAll(async () => {
  merchant = await makeMerchant(app().db)
  owner = await makePerson(app(), { ...merchant, role: 'owner' }, password)
  operator = await makePerson(app(), 'operator', password)
})

const ofMerchant = (path: string) => `/m/${merchant.merchant_id}/${path}`
const ofProgram = (path: string) => `/p/${merchant.program_id}/${path}`

/** Opens a page that has another one before it. */
async function open(path: string, visit: Partial<DashboardVisit> = {}): Promise<Page> {
  const before = path.startsWith('/p/') ? ofProgram('ledger') : ofMerchant('orders')
  const page = await openDashboard(browser, { origin, path: before, viewer: operator, ...visit })
  useOnce(page)
  await moveTo(page, path)
  return page
}

/** Goes back and stays: what is shown once is still there. Gives what was asked. */
async function goBackAndStay(page: Page, shown: ReturnType<Page['locator']>): Promise<string> {
  await shown.waitFor()
  const { href } = new URL(page.url())
  expect(await browserAsks(page)).toBe(true)
  await page.evaluate('history.back()')
  const asked = leaveQuestion(page)
  const text = await asked.innerText()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'detached' })
  expect([page.url(), await shown.isVisible()]).toEqual([href, true])
  return text
}

/** Ends the dialog by its button, and leaves without a question. */
async function endAndLeave(page: Page, done: string): Promise<void> {
  const stored = page.getByLabel('I have stored it')
  if ((await stored.count()) > 0) await stored.check()
  await page.getByRole('button', { name: done }).click()
  await expect.poll(() => browserAsks(page)).toBe(false)
  const from = page.url()
  await page.evaluate('history.back()')
  await expect.poll(() => page.url()).not.toBe(from)
  expect(await leaveQuestion(page).count()).toBe(0)
}

const once = /shown once|shown only now/

// The browser's Back left the page with a new key, which the old one no longer replaced: nobody knew it any more.
it('new keys stay in sight at Back and at a link, until they are stored', async () => {
  const page = await open(ofMerchant('settings/keys'))
  await page.getByRole('button', { name: 'Replace the private key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the private key' }).click()
  const key = page.getByText(/^sk_test_[0-9a-z]{26}$/)
  expect(await goBackAndStay(page, key)).toMatch(once)
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /Find/ }).fill('team')
  await page.getByRole('button', { name: /^Team/ }).click()
  await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await key.isVisible()).toBe(true)
  await page.getByLabel('I have stored it').check()
  await expect.poll(() => browserAsks(page)).toBe(false)
  await page.getByLabel('I have stored it').uncheck()
  expect(await goBackAndStay(page, key)).toMatch(once)
  await endAndLeave(page, 'Done')
})

it('a new key stays although the file that shows it is not loaded yet', async () => {
  const file = /\/assets\/secret-list-/
  const page = await openDashboard(browser, { origin, path: ofMerchant('orders'), viewer: operator })
  useOnce(page)
  const [held, release] = hold()
  await page.route(file, async (route) => {
    await held
    await route.continue()
  })
  await page.evaluate(push(ofMerchant('settings/keys')))
  await page.getByRole('button', { name: 'Replace the private key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the private key' }).click()
  await expect.poll(() => browserAsks(page)).toBe(true)
  await page.evaluate('history.back()')
  await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
  release()
  await page.getByText(/^sk_test_[0-9a-z]{26}$/).waitFor()
})

// Back between the press and the answer left without a question: the old key was gone, and the new one never shown.
it('a new key stays at Back before its answer is there', async () => {
  const page = await open(ofMerchant('settings/keys'))
  const [held, release] = hold()
  await page.route('**/keys/regenerate', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Replace the private key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the private key' }).click()
  await expect.poll(() => browserAsks(page)).toBe(true)
  await page.evaluate('history.back()')
  expect(await leaveQuestion(page).innerText()).toMatch(once)
  release()
  const key = page.getByText(/^sk_test_[0-9a-z]{26}$/)
  await key.waitFor()
  await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await goBackAndStay(page, key)).toMatch(once)
})

function hold(): [Promise<void>, () => void] {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return [held, release]
}

it('the question names the secret and not the form below it, and is asked once', async () => {
  const page = await open(ofProgram('settlements'))
  await page.getByLabel('URL').fill('https://198.51.101.7/told')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await goBackAndStay(page, page.getByText(/^whsec_/))).toMatch(once)
  await page.getByLabel('I have stored it').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel('URL').fill('https://198.51.101.7/changed')
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
  expect(await goBackAndStay(page, page.getByText(/^whsec_/))).toMatch(once)
  await page.evaluate('history.back()')
  await leaveQuestion(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(`${origin}/dashboard${ofProgram('ledger')}`)
})

it('the keys of a new merchant stay, and lead on to the merchant unasked', async () => {
  const page = await open(ofProgram('merchants'))
  await page.getByRole('button', { name: 'New merchant' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Corner Books')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  expect(await goBackAndStay(page, page.getByText(/^sk_test_/))).toMatch(once)
  await page.getByLabel('I have stored it').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { level: 1, name: 'Corner Books' }).waitFor()
})

it('the link of an invitation stays, and goes by one button alone', async () => {
  const page = await open(ofMerchant('team'), { viewer: owner })
  await page.route('**/team/invitations', (route) => {
    const data = { email: 'noura@shop.example', role: 'support', link: 'https://nuqta.example/dashboard/link#once' }
    return route.fulfill({ status: 201, json: { status: true, message: '', appended_data: {}, data } })
  })
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByRole('dialog').getByLabel('E-mail').fill('noura@shop.example')
  await page.keyboard.press('Enter')
  expect(await goBackAndStay(page, page.getByText('#once'))).toMatch(once)
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count()).toBe(0)
  await endAndLeave(page, 'Done')
})

it('the key of an authenticator app stays until it is confirmed, and so do the recovery codes', async () => {
  const page = await open('/account', { viewer: owner, mayFail: /\/dashboard\/api\// })
  await page.getByRole('button', { name: 'Set up' }).click()
  const setup = page.getByRole('dialog', { name: 'Set up the authenticator app' })
  const key = setup.locator('code')
  expect(await goBackAndStay(page, key)).toContain('not saved yet')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await setup.getByLabel('Code', { exact: true }).fill(codeApp((await key.innerText()).trim()).next())
  await setup.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Keep these recovery codes' })
  expect(await goBackAndStay(page, codes)).toMatch(once)
  await endAndLeave(page, 'I have kept them')
})

// Back while new recovery codes were on their way left without a question: the old ones were void, the new ones never shown.
it('new recovery codes stay at Back before they are there', async () => {
  const account = { email: operator.email, name: 'Sara', locale: null, has_password: true, totp: true, passkeys: 0 }
  const page = await open('/account', { answers: { '/account': { ...account, recovery_codes: 3 } } })
  const [held, release] = hold()
  await page.route('**/account/recovery-codes', async (route) => {
    await held
    const data = { recovery_codes: ['abcd-efgh'] }
    await route.fulfill({ json: { status: true, message: '', appended_data: {}, data } })
  })
  await page.getByRole('button', { name: 'Make new ones' }).click()
  await expect.poll(() => browserAsks(page)).toBe(true)
  await page.evaluate('history.back()')
  expect(await leaveQuestion(page).innerText()).toMatch(once)
  release()
  const codes = page.getByRole('dialog', { name: 'Keep these recovery codes' })
  await codes.waitFor()
  await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await goBackAndStay(page, codes)).toMatch(once)
  await endAndLeave(page, 'I have kept them')
})

it.each([
  { locale: 'en', replace: 'Replace the private key', ask: 'Leave without saving?' },
  { locale: 'ar', replace: 'استبدل المفتاح الخاص', ask: 'أتغادر دون حفظ؟' },
] as const)('the question stands above the secret on a phone ($locale)', async ({ locale, replace, ask }) => {
  const page = await open(ofMerchant('settings/keys'), { device: 'phone', locale })
  await page.getByRole('button', { name: replace }).click()
  await page.getByRole('dialog').getByRole('button', { name: replace }).click()
  await page.getByText(/^sk_test_[0-9a-z]{26}$/).waitFor()
  await page.evaluate('history.back()')
  // A click needs the button to be in sight, not covered by the secret.
  const cancel = leaveQuestion(page, ask).getByRole('button').first()
  await cancel.click({ trial: true })
  await screenshot(page, `secret-asked-${locale}`)
  await cancel.click()
  await leaveQuestion(page, ask).waitFor({ state: 'detached' })
})
