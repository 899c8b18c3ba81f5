import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { showWallet } from '../../src/features/customers/service.ts'
import { createReadDemoStores } from '../../src/features/demo/stores.ts'
import { inTemporaryFolder } from '../http/support.ts'
import { type App, startApp } from '../support/api.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser, type VisitOptions } from '../support/browser.ts'
import { enterCode, press } from '../support/checkout-browser.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { openSandbox } from '../support/sandbox.ts'
import { formOf, Shopper, titleOf } from '../support/shopper.ts'
import { type Visitor, visitor } from '../support/visitor.ts'

const database = testDatabase()
const browser = testBrowser()
let app: App
let origin: string
beforeAll(async () => {
  const port = await portOfPages()
  origin = `https://localhost:${port}`
  await inTemporaryFolder((folder) => openSandbox(database.db, { folder }))
  app = await startApp(database, { port, public_url: origin })
})
afterAll(() => app.stop())

async function balance(phone: string): Promise<number> {
  const [store] = await createReadDemoStores(database.db)()
  return (await showWallet(database.db, store?.program_id ?? 0, phone)).posted
}

async function open(path: string, options: Partial<VisitOptions> = {}): Promise<Page> {
  const page = await browser.open({ origin, ...options })
  await page.goto(origin + path)
  return page
}

const choose = (page: Page, phone: string) => page.locator(`label:has-text("${phone}")`).click()

describe('in the demo shop', () => {
  it('a customer buys at the till and collects points, then pays with points and comes back', async () => {
    const before = await balance('500000001')
    const page = await open('/demo', { device: 'phone', locale: 'en' })
    await page.getByText('Coffee beans, 1 kg').click()
    await choose(page, '0500000002')
    await page.getByRole('button', { name: 'collect 960 points' }).click()
    await page.getByRole('heading', { name: 'You have collected 960 points' }).waitFor()
    expect(await balance('500000002')).toBe(960)

    await page.getByRole('link', { name: 'Now pay with points' }).click()
    await choose(page, '0500000001')
    await page.getByRole('button', { name: 'Pay with points' }).click()
    await press(page, 'given')
    await enterCode(page)
    await press(page, 'confirm')
    await page.getByRole('link', { name: /^Back to localhost/ }).click()
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
    expect(await page.locator('.summary').innerText()).toContain('8,400')
    expect(await balance('500000001')).toBe(before - 8_400)
    await screenshot(page, 'demo-done-phone-en')
  })

  it('the card shows a customer the balance, and how much it takes off the price', async () => {
    const page = await open('/demo/cups', { device: 'desktop' })
    const card = page.frameLocator('nuqta-card iframe')
    const opening = page.context().waitForEvent('page')
    await card.locator('a[data-window]').click()
    const window = await opening
    await screenshot(page, 'front-demo-card-stranger')
    const closed = window.waitForEvent('close')
    await window.fill('#field-phone', '0500000001')
    await window.click('form:has(input[value="phone"]) button')
    await enterCode(window)
    await closed
    await card.locator('.saving', { hasText: 'off this basket' }).waitFor()
    await screenshot(page, 'front-demo-card')
    await expectAccessible(page)
  })

  it('a new customer sees that points are waiting', async () => {
    const page = await open('/demo/dates', { locale: 'ar', device: 'desktop', scripts: false })
    await choose(page, '0500000003')
    await page.getByRole('button', { name: 'الشراء في المتجر' }).click()
    await page.locator('h1', { hasText: 'بانتظارك 790 نقطة' }).waitFor()
    expect(await balance('500000003')).toBe(0)
  })

  it('a customer who leaves the checkout sees that nothing was paid', async () => {
    const page = await open('/demo/dallah', { device: 'desktop' })
    await page.getByRole('button', { name: 'Pay with points' }).click()
    await page.locator('.way-out a').click()
    await page.getByRole('heading', { name: 'The order is not paid' }).waitFor()
  })
})

describe('the shop without a browser', () => {
  const shopper = (): Visitor => visitor((...request) => app.send(...request), { 'accept-language': 'en' })

  it('sells only to the numbers of the sandbox', async () => {
    const one = shopper()
    await one.open('/demo/cups')
    const before = await balance('500000001')
    await one.submit({ phone: '512345678', do: 'sell' })
    expect(await balance('500000001')).toBe(before + 420)
    await expect(balance('512345678')).rejects.toThrow('No customer')
  })

  it('sells at most 60 times an hour to one address', async () => {
    const one = new Shopper(app.send, origin, { 'accept-language': 'en' })
    const { action, fields } = formOf(await one.open('/demo/cups'), 'phone')
    const sell = () => one.post(action, new URLSearchParams({ ...fields, do: 'sell' }))
    let shown = await sell()
    for (let sales = 1; sales <= 60 && !shown.text.includes('sold enough'); sales += 1) shown = await sell()
    expect(shown.path).toBe('/demo/cups?note=too_many')
    const text = 'select (select count(*) from orders) + (select count(*) from pending_earning) as sales'
    expect(await database.db.one({ text, values: [] })).toEqual({ sales: 60 })
  })

  it('has its name in the reader’s language in the title', async () => {
    const titleIn = async (language: string) =>
      titleOf(await visitor((...request) => app.send(...request), { 'accept-language': language }).open('/demo/cups'))
    expect(await titleIn('ar')).toMatch(/ · المتجر التجريبي$/)
    expect(await titleIn('en')).toMatch(/ · Demo Store$/)
  })

  // In Arabic the page and its shop have one name, which the title said twice.
  it('is named once by the title of its window', async () => {
    const { text } = await app.page('/demo', { 'accept-language': 'ar' })
    expect(text).toContain('<title>المتجر التجريبي</title>')
  })

  it('answers 404 for unknown products, and names no order of another shop', async () => {
    expect((await app.page('/demo/other')).status).toBe(404)
    const unknown = await app.page('/demo/done?order_uuid=019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e')
    expect(unknown.text).toContain('There is no such order')
  })
})

describe('the pages in a browser', () => {
  it.each([
    ['/', 'phone', 'ar', 'light'],
    ['/', 'desktop', 'en', 'dark'],
    ['/demo', 'phone', 'en', 'dark'],
    ['/demo', 'desktop', 'ar', 'light'],
    ['/demo/dallah', 'phone', 'ar', 'dark'],
    ['/demo/dallah', 'desktop', 'en', 'light'],
  ] as const)('%s is accessible and fits on a %s, %s, %s', async (path, device, locale, mode) => {
    const page = await open(path, { device, locale, dark: mode === 'dark' })
    await screenshot(page, `front${path.replaceAll('/', '-')}-${device}-${locale}-${mode}`)
    await expectAccessible(page)
    await expectToFit(page)
  })

  it.each(['ar', 'en'] as const)(
    'the first page, the terms and “my data” fit 320 pixels with text of twice the size: %s',
    async (locale) => {
      for (const path of ['/', '/terms', '/wallet/data']) {
        const page = await open(path, { locale, width: 320 })
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        await expectToFit(page)
        await screenshot(page, `large${path.replaceAll('/', '-')}-${locale}`)
      }
    },
  )

  it.each(['light', 'dark'])('the page for an unknown path is accessible, %s', async (mode) => {
    const page = await browser.open({ origin, dark: mode === 'dark', locale: 'ar' })
    await page.route('**/nowhere', (route) => route.continue())
    expect((await page.goto(`${origin}/nowhere`))?.status()).toBe(404)
    await expectAccessible(page)
    await expectToFit(page)
  })
})
