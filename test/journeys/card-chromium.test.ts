import { readFileSync } from 'node:fs'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseColour } from '../../src/domain/colour.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { setBrand } from '../../src/features/merchants/brand.ts'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { type App, makeMerchant, makeProgram, purchase, startApp } from '../support/api.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser, type VisitOptions } from '../support/browser.ts'
import { enterCode } from '../support/checkout-browser.ts'
import { resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { portOfPages } from '../support/port.ts'
import { type ShopPage, testShop } from '../support/shop.ts'
import { root } from '../support/tree.ts'

// The card in a shop on another site, in a real Chromium: who sees a balance, and who does not.

const database = testDatabase()
const shop = testShop()
const other = testShop()
const browser = testBrowser()
let app: App
let origin: string
let merchant: MadeMerchant
let phone: Phone

beforeAll(async () => {
  const port = await portOfPages()
  origin = `https://localhost:${port}`
  app = await startApp(database, { port, public_url: origin })
  const { program_id } = await makeProgram(database.db)
  const changes = { return_hosts: [new URL(shop.origin).host] }
  merchant = await makeMerchant(database.db, { program_id, changes })
  phone = freshPhone()
  const bought = purchase({ phone_number: phone, total_price: 250 })
  expect((await app.post('/v1/orders/earning', merchant.private_key, bought)).status).toBe(200)
})
afterAll(() => app.stop())
// All codes of the file come from one address, and some are for one phone.
beforeEach(() => resetLimits(database))

const widget = (inside: string, key = merchant.public_key) =>
  `<script src="${origin}/widget.js" data-key="${key}" async></script>
<main style="font: 16px sans-serif; padding: 16px"><h1>Coffee</h1>${inside}</main>`
const basket = '<nuqta-earn amount="80"></nuqta-earn><nuqta-card amount="80"></nuqta-card>'

/** Opens a shop page on a site that is not ours. */
async function visit(page: ShopPage, options: Partial<VisitOptions> = {}): Promise<Page> {
  const opened = await browser.open({ origin, shops: [shop.origin], device: 'phone', ...options })
  // With a route Chromium reports every request, also the first one of a frame that gets a process of its own.
  await opened.context().route(`${shop.origin}/**`, (route) => route.continue())
  await opened.goto(shop.build(page))
  return opened
}

const cardOf = (page: Page): FrameLocator => page.frameLocator('nuqta-card iframe')

/** Types number and code in a window, as it opens. */
async function prove(window: Page, of: string = phone): Promise<void> {
  await window.fill('#field-phone', `0${of}`)
  await window.click('form:has(input[value="phone"]) button')
  await enterCode(window)
}

async function openWindow(page: Page): Promise<Page> {
  const opening = page.context().waitForEvent('page')
  await cardOf(page).locator('a[data-window]').click()
  const window = await opening
  await window.waitForLoadState()
  return window
}

const words = {
  en: { points: '2,500 points', saving: 'Up to 12.50 off this basket', see: 'See your points' },
  ar: { points: '2,500 نقطة', saving: 'خصم يصل إلى 12.50 على هذه السلة', see: 'عرض نقاطك' },
}
const dark_page = '<style>:root { color-scheme: dark; background: #111; color: #eee }</style>'

describe('a shopper', () => {
  it.each([
    ['en', 'phone', 320, false],
    ['ar', 'desktop', 1280, true],
  ] as const)(
    'in %s on a %s sees points and saving after a code, until they are hidden',
    async (...[lang, device, width, dark]) => {
      const { points, saving, see } = words[lang]
      const head = dark ? dark_page : ''
      const page = await visit({ lang, head, body: widget(basket) }, { locale: lang, device, width, dark })
      const card = cardOf(page)
      await card.getByRole('link', { name: see }).waitFor()
      await screenshot(page, `card-${lang}-1-stranger`)
      await expectAccessible(page)
      await expectToFit(page)
      const window = await openWindow(page)
      await screenshot(window, `card-${lang}-2-window`)
      await expectAccessible(window)
      const closed = window.waitForEvent('close')
      await prove(window)
      await closed
      await card.locator('[data-balance]').waitFor()
      expect(await card.locator('main').innerText()).toContain(points)
      expect((await card.locator('.saving').innerText()).replaceAll(/\s+/g, ' ')).toContain(saving)
      await screenshot(page, `card-${lang}-3-balance`)
      await expectAccessible(page)
      await expectToFit(page)
      await page.reload()
      await card.locator('[data-balance]').waitFor()
      await card.locator('[data-hide]').click()
      await card.getByRole('link', { name: see }).waitFor()
      await page.reload()
      await card.getByRole('link', { name: see }).waitFor()
    },
  )
})

describe('a card in a narrow column', () => {
  it.each(['en', 'ar'] as const)('holds millions of points, also in large text, %s', async (lang) => {
    const rich = freshPhone()
    const bought = purchase({ phone_number: rich, total_price: 1_234_567.8 })
    expect((await app.post('/v1/orders/earning', merchant.private_key, bought)).status).toBe(200)
    const column = `<div style="width: 240px">${basket}</div>`
    const page = await visit({ lang, body: widget(column) }, { locale: lang, device: 'desktop' })
    await prove(await openWindow(page), rich)
    const card = cardOf(page)
    await card.locator('[data-balance]').waitFor()
    const root = card.locator(':root')
    const beyond = () =>
      root.evaluate((one: { scrollWidth: number; clientWidth: number }) => one.scrollWidth - one.clientWidth)
    expect(await beyond()).toBe(0)
    await root.evaluate((one: { style: { fontSize: string } }) => {
      one.style.fontSize = '200%'
    })
    expect(await beyond()).toBe(0)
  })
})

describe('where the browser keeps the cookie back', () => {
  it('the card says so, and its window shows the points', async () => {
    const page = await visit({ body: widget(basket) })
    // Like Safari, and any browser that blocks third-party cookies.
    await page.context().route(`${origin}/widget/*/card?*`, async (route) => {
      const { cookie: _, ...headers } = await route.request().allHeaders()
      await route.fulfill({ response: await route.fetch({ headers }) })
    })
    const window = await openWindow(page)
    await prove(window)
    await window.locator('.hero').waitFor()
    expect(await window.locator('.hero').innerText()).toContain('2,500')
    await cardOf(page).locator('[data-held]').waitFor()
    await screenshot(page, 'card-held')
    await screenshot(window, 'card-held-window')
    await expectAccessible(window)
    const closed = window.waitForEvent('close')
    // The window may be gone before the click has been answered.
    await window
      .locator('[data-close] button')
      .click()
      .catch(() => undefined)
    await closed
    // In the same browser again: the window recognises the shopper without a code.
    const again = await openWindow(page)
    await again.locator('.hero').waitFor()
  })

  it.each([
    ['names no hosts', {}],
    ['names other hosts', { return_hosts: ['other.example'] }],
  ])('as where the merchant %s, there is a link to the window in the brand colour', async (name, changes) => {
    const { public_key, ...bare } = await makeMerchant(database.db, { program_id: merchant.program_id, changes })
    await setBrand(database.db, bare, { colour: parseColour('#f2c200') }, new Date())
    const page = await visit({ lang: 'ar', body: widget(basket, public_key) }, { locale: 'ar', width: 320 })
    const link = page.locator('nuqta-card a')
    await link.waitFor()
    expect(await link.innerText()).toBe('عرض نقاطك')
    await screenshot(page, `card-link-${name.split(' ')[1]}`)
    await expectAccessible(page)
    expect(await page.locator('iframe').count()).toBe(0)
    const opening = page.context().waitForEvent('page')
    await link.click()
    const window = await opening
    await prove(window)
    await window.locator('.hero').waitFor()
    expect(await window.evaluate('opener')).toBe(null)
  })
})

describe('another person', () => {
  /** What a page can try with a card that shows a balance in this browser. */
  const spying = `
    window.heard = []
    addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))
    window.spy = async (url) => {
      const found = []
      const note = (name, value) => found.push(name + ': ' + value)
      for (const mode of ['cors', 'no-cors'])
        await fetch(url, { mode, credentials: 'include' }).then((answer) => note(mode, answer.type), () => note(mode, 'refused'))
      await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams({ do: 'hide' }) }).catch(() => undefined)
      for (const frame of document.querySelectorAll('iframe')) {
        try { note('document', frame.contentWindow.document.body.innerText) } catch { note('document', 'refused') }
        note('frames', frame.contentWindow.length)
        frame.contentWindow.postMessage({ offered: 'x' }, '*')
        frame.contentWindow.postMessage({ nuqta: 'kept' }, '*')
      }
      return found
    }`

  it('who may frame the card reads nothing from it: no text, no size, no message, and cannot sign it out', async () => {
    const page = await visit(
      { body: `${widget(basket)}<script>${spying}</script>` },
      { maySay: /CORS|ERR_FAILED|ERR_BLOCKED_BY_RESPONSE|status of 403/ },
    )
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/card?')) posts.push(request.postData() ?? '')
    })
    const size = `JSON.stringify(document.querySelector('nuqta-card').shadowRoot.querySelector('iframe').getBoundingClientRect())`
    await cardOf(page).locator('a[data-window]').waitFor()
    const before = await page.evaluate(size)
    const window = await openWindow(page)
    const closed = window.waitForEvent('close')
    await prove(window)
    await closed
    await cardOf(page).locator('[data-balance]').waitFor()
    expect(await page.evaluate(size)).toBe(before)
    const url = `${origin}/widget/${merchant.public_key}/card?origin=${shop.origin}`
    await page.evaluate(
      "document.body.append(document.querySelector('nuqta-card').shadowRoot.querySelector('iframe').cloneNode())",
    )
    await page.frameLocator('body > iframe').locator('[data-balance]').waitFor()
    expect(await page.evaluate(`spy('${url}')`)).toEqual([
      'cors: refused',
      'no-cors: refused',
      'document: refused',
      'frames: 0',
    ])
    const sizes =
      "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/card')).map((one) => one.encodedBodySize + one.transferSize)"
    expect([...new Set(await page.evaluate<number[]>(sizes))]).toEqual([0])
    expect(await page.evaluate('[...new Set(heard)]')).toEqual(['{"nuqta":"card"}'])
    expect(posts.filter((body) => body.includes('take'))).toHaveLength(1)
    await page.reload()
    await cardOf(page).locator('[data-balance]').waitFor()
  })

  it('on an unnamed host cannot frame it, even on the same site, nor get a session from the window', async () => {
    const page = await visit(
      { body: widget(basket) },
      { maySay: /frame-ancestors|Refused to frame|ERR_BLOCKED/, shops: [shop.origin, other.origin] },
    )
    const window = await openWindow(page)
    const closed = window.waitForEvent('close')
    await prove(window)
    await closed
    await cardOf(page).locator('[data-balance]').waitFor()
    // Another port of the same host: the browser would send the cookie.
    const url = `${origin}/widget/${merchant.public_key}/card?origin=${shop.origin}`
    const opens = `${origin}/widget/${merchant.public_key}/window?origin=${shop.origin}&ask=${'A'.repeat(43)}`
    const framing = `<iframe src="${url}"></iframe><a href="${opens}" onclick="window.w = window.open(this.href); return false">open</a><script>${spying}</script>`
    await page.goto(other.build({ body: framing }))
    await page.waitForFunction("document.querySelector('iframe') !== null")
    const inside = page.frames()[1]
    await inside?.waitForLoadState().catch(() => undefined)
    expect(inside?.url()).not.toContain(origin)
    const opening = page.context().waitForEvent('page')
    await page.click('a')
    const mine = await opening
    await mine.locator('.hero, #field-phone').first().waitFor()
    if ((await mine.locator('#field-phone').count()) > 0) await prove(mine)
    await mine.locator('.hero').waitFor()
    await mine.waitForLoadState('networkidle')
    expect(await page.evaluate('heard')).toEqual([])
  })
})

describe('a shop of one page', () => {
  it('adds, changes and removes parts, and opens the checkout with the text that its server wrote', async () => {
    const page = await visit(
      {
        body: `<main><h1>Coffee</h1><p id="price"></p><p id="card"></p><p id="pay"></p></main><script src="${origin}/widget.js"></script>`,
      },
      { maySay: /ERR_FAILED/ },
    )
    const posted: (string | null)[] = []
    await page.context().route(`${origin}/api/v1/orders/checkout/**`, async (route) => {
      posted.push(route.request().postData())
      if (posted.length === 1) await route.abort()
      else await route.continue()
    })
    const order = `{ "order_number":"W-1", "total_price": 80.00 , "metadata":{"b":1,"a":2} }`
    await page.evaluate(`window.shop = Nuqta.init({ key: '${merchant.public_key}', earn: '#price', card: '#card', pay: document.querySelector('#pay'),
      amount: '80', lang: 'en', order: async () => ${JSON.stringify(order)} })`)
    await page.locator('nuqta-earn span', { hasText: 'Earn 800 points' }).waitFor()
    await cardOf(page).getByRole('link', { name: 'See your points' }).waitFor()
    const steps = await page.evaluate('history.length')
    await page.evaluate("shop.update({ amount: 95, lang: 'ar' })")
    await page.locator('nuqta-earn span', { hasText: 'اكسب 950 نقطة' }).waitFor()
    await cardOf(page).getByRole('link', { name: 'عرض نقاطك' }).waitFor()
    expect(await page.evaluate('history.length')).toBe(steps)
    await page.evaluate("shop.update({ lang: 'en', theme: 'dark' })")
    await cardOf(page).locator(':root[data-theme="dark"] a').waitFor()
    const pay = page.locator('nuqta-pay button')
    await pay.click()
    await page.locator('nuqta-pay p', { hasText: 'could not be opened' }).waitFor()
    await screenshot(page, 'widget-pay-failed')
    await expectAccessible(page)
    await pay.click()
    await page.waitForURL(`${origin}/checkout/**`)
    expect(posted).toEqual([order, order])
    await page.goBack()
    await page.evaluate(`window.shop = Nuqta.init({ key: '${merchant.public_key}', card: '#card', amount: 5 })`)
    await cardOf(page).locator('a[data-window]').waitFor()
    await page.evaluate(
      "shop.destroy(); shop.update({ amount: 1 }); shop.destroy(); Nuqta.init({ card: '(((' , key: 'x' })",
    )
    expect(await page.locator('nuqta-earn, nuqta-card, nuqta-pay').count()).toBe(0)
  })

  it('can start with the snippet of the guide', async () => {
    const [, sample = ''] = /```html\n(<main>[\s\S]*?)```/.exec(readFileSync(`${root}docs/widget.md`, 'utf8')) ?? []
    const page = await visit({ body: '<h1>Coffee</h1>' })
    const order = '{"order_number":"D-1","total_price":199.5}'
    await page.context().route(`${shop.origin}/nuqta-order`, (route) => route.fulfill({ body: order }))
    const body = sample.replaceAll('https://nuqta.example.com', origin).replaceAll('pk_live_…', merchant.public_key)
    await page.goto(shop.build({ body }))
    await page.locator('nuqta-earn span', { hasText: 'Earn 1,995 points' }).waitFor()
    await page.evaluate("dispatchEvent(new CustomEvent('basket', { detail: { total: 20 } }))")
    await page.locator('nuqta-earn span', { hasText: 'Earn 200 points' }).waitFor()
    await cardOf(page).locator('a[data-window]').waitFor()
    await page.locator('nuqta-pay button').click()
    await page.waitForURL(`${origin}/checkout/**`)
  })

  it('goes on without the service: nothing is shown, nothing is thrown, and a hanging frame becomes a link', async () => {
    const page = await visit({ body: '<h1>Coffee</h1>' }, { maySay: /ERR_FAILED/ })
    await page.context().route(`${origin}/widget/**`, (route) => route.abort())
    await page.goto(shop.build({ body: `${widget(basket)}<nuqta-pay order="{}"></nuqta-pay>` }))
    await page.waitForFunction("customElements.get('nuqta-pay') !== undefined")
    expect(await page.evaluate("document.querySelector('main').innerText.trim()")).toBe('Coffee')
    await page.context().unroute(`${origin}/widget/**`)
    await page.context().route(`${origin}/widget/*/card?*`, (route) => route.abort())
    await page.reload()
    await page.locator('nuqta-card a', { hasText: 'See your points' }).waitFor()
  })
})
