import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { setMember } from '../../src/features/staff/member-queries.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { resize, testBrowser } from '../support/browser.ts'
import {
  type DashboardVisit,
  openDashboard,
  password,
  settled,
  signIn,
  visitPage,
  visitPages,
} from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// The frame of every page: signing in, the account, navigation, languages, and sessions that end.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

let merchant: { readonly program_id: number; readonly merchant_id: number }
let owner: Person

beforeAll(async () => {
  merchant = await makeMerchant(app().db, { name: 'Sidra Coffee' })
  owner = await makePerson(app(), { ...merchant, role: 'owner' }, password)
  const other = await makeMerchant(app().db, { name: 'ليان للعطور' })
  const membership = { staff_uuid: owner.staff_uuid, role: 'manager' } as const
  await app().db.transaction(async (tx) => void tx.run(setMember(other, membership, new Date())))
})

const visit = (path: string, options: Partial<DashboardVisit> = {}) =>
  openDashboard(browser, { origin, path, ...options })
const atMerchant = (path: string) => `/m/${merchant.merchant_id}/${path}`

describe('every page of the frame', () => {
  it('shows the sign-in, and how to get a link where nobody has a password yet', () =>
    visitPage(browser, 'sign-in', {
      ...{ origin, path: '/sign-in' },
      check: (page) => page.getByText('bin/nuqta operator create --email owner@demo.example').waitFor(),
    }))

  it('says what to do about a link that does not work any more, and asks for the address of a forgotten password', () =>
    visitPages(browser, {
      origin,
      paths: { 'link-over': `/link#${'a'.repeat(26)}`, forgot: '/forgot' },
      mayFail: /\/(session|links\/open)$/,
    }))

  it('shows the merchants of who is signed in, and the account', () =>
    visitPages(browser, { origin, paths: { merchants: '/', account: '/account' }, viewer: owner }))
})

describe('a sign-in', () => {
  it('leads back to where the person was going, with the query', async () => {
    const page = await visit(atMerchant('orders?status=approved'))
    await page.waitForURL(/\/dashboard\/sign-in\?back=/)
    await signIn(page, owner.email)
    await page.waitForURL(`${origin}/dashboard${atMerchant('orders?status=approved')}`)
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  })

  it('leads straight to the merchant of a person with only one', async () => {
    const person = await makePerson(app(), { ...merchant, role: 'read_only' }, password)
    const page = await visit('/sign-in')
    await signIn(page, person.email)
    await page.waitForURL(`${origin}/dashboard${atMerchant('')}`)
  })

  it('leads to no other site', async () => {
    const page = await visit(`/sign-in?back=${encodeURIComponent('//evil.example/')}`)
    await signIn(page, owner.email)
    await page.waitForURL(`${origin}/dashboard/`)
  })

  it('says what is wrong, in the language of the page', async () => {
    const page = await visit('/sign-in', { locale: 'ar', mayFail: /\/(session|sign-in)$/ })
    await page.getByLabel('البريد الإلكتروني').fill('nobody@shop.example')
    await page.getByLabel('كلمة المرور', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'سجّل الدخول', exact: true }).click()
    expect(await page.getByRole('alert').innerText()).toMatch(/غير صحيحة/)
  })
})

describe('a session that ends while a page is open', () => {
  it('asks for a sign-in over the page, which keeps what was typed, and sends it once however often the button is pressed', async () => {
    const person = await makePerson(app(), { ...merchant, role: 'support' }, password)
    const page = await visit('/account', { viewer: person, mayFail: /\/dashboard\/api\// })
    await page.getByLabel('Name', { exact: true }).fill('Noura')
    await page.context().clearCookies()
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'You were signed out' })
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Noura')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.url())
    })
    await save.dblclick()
    await page.getByText('Saved.').waitFor()
    expect(sent).toHaveLength(1)
  })

  it('ends everywhere in the browser by signing out', async () => {
    const person = await makePerson(app(), { ...merchant, role: 'support' })
    const page = await visit(atMerchant('orders'), { viewer: person })
    await page.getByRole('button', { name: 'Your account and preferences' }).first().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${origin}/dashboard/sign-in`)
    await page.goto(`${origin}/dashboard${atMerchant('orders')}`)
    await page.waitForURL(/\/dashboard\/sign-in\?back=/)
  })
})

describe('navigation', () => {
  it('finds pages by the palette, which keeps what is typed while it is loading, and shows where one is on a low screen', async () => {
    const page = await visit(atMerchant('orders'), { viewer: owner })
    await page.keyboard.press('Control+k')
    for (const letter of 'custoo') await page.keyboard.press(letter)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('m')
    const field = page.getByRole('textbox', { name: /Find a page/ })
    await expect.poll(() => field.inputValue()).toBe('custom')
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('e')
    expect(await field.inputValue()).toBe('custome')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    expect(await page.title()).toBe('Customers · Nuqta')

    await resize(page, { width: 1280, height: 600 })
    await page.goto(`${origin}/dashboard${atMerchant('audit')}`)
    const current = page.getByRole('navigation').getByRole('link', { name: 'Audit log' })
    await current.waitFor()
    const { y = 0, height = 0 } = (await current.boundingBox()) ?? {}
    const account = page.getByRole('button', { name: 'Your account and preferences' }).first()
    expect(y).toBeGreaterThan(0)
    expect(y + height).toBeLessThanOrEqual((await account.boundingBox())?.y ?? 0)
  })

  it('changes the language of the pages that are open, keeps it where the person goes next, and remembers it with the account', async () => {
    const person = await makePerson(app(), { ...merchant, role: 'support' })
    const page = await visit(atMerchant('orders'), { viewer: person })
    const tab = await page.context().newPage()
    await tab.goto(`${origin}/dashboard${atMerchant('customers')}`)
    await settled(tab)
    await tab.getByRole('button', { name: 'Your account and preferences' }).first().click()
    const saved = tab.waitForResponse((response) => response.url().endsWith('/dashboard/api/account'))
    await tab.getByRole('menuitem', { name: 'العربية' }).click()
    await page.getByRole('heading', { level: 1, name: 'الطلبات' }).waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await page.getByRole('link', { name: 'العملاء' }).click()
    await page.getByRole('heading', { level: 1, name: 'العملاء' }).waitFor()
    expect(await tab.locator('html').getAttribute('lang')).toBe('ar')
    expect(await tab.locator('html').getAttribute('dir')).toBe('rtl')
    expect((await saved).status()).toBe(200)
    await page.evaluate('localStorage.clear()')
    await page.reload()
    await settled(page)
    expect(await page.locator('html').getAttribute('lang')).toBe('ar')
  })

  it('has a page for an unknown address', async () => {
    const mayFail = /\/dashboard\/api\/merchants\/999$/
    for (const path of ['/m/999/orders', '/m/none/orders', atMerchant('nothing')]) {
      const page = await visit(path, { viewer: owner, mayFail })
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
      await browser.leave(page)
    }
  })

  it('shows only pages that the role opens, and names another in the title, in the language of the page', async () => {
    const reader = await makePerson(app(), { ...merchant, role: 'read_only' })
    for (const [locale, title] of [
      ['ar', 'دورك لا يفتح هذه الصفحة · نُقطة'],
      ['en', 'Your role does not open this page · Nuqta'],
    ] as const) {
      const page = await visit(atMerchant('audit'), { viewer: reader, locale, mayFail: /\/audit/ })
      await expect.poll(() => page.title()).toBe(title)
      if (locale === 'ar') await browser.leave(page)
      else await expectOwnPages(page)
    }
  })
})

/** Expects the navigation of a reader, and that it ends where the window does, beside the banner of a sandbox. */
async function expectOwnPages(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Team' }).waitFor()
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  const account = page.getByRole('button', { name: 'Your account and preferences' }).first()
  const { y = 0, height = 0 } = (await account.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
}
