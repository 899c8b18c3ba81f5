import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import {
  expectAccessible,
  expectToFit,
  forgetFiles,
  screenshot,
  testBrowser,
  type VisitOptions,
} from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { rate, type ShopPage, testShop } from '../support/shop.ts'

const database = testDatabase()
const app = testApp(database)
const shop = testShop()
const browser = testBrowser()
let merchant: MadeMerchant
beforeAll(async () => {
  merchant = await makeMerchant(database.db)
})

const service_origin = () => `https://localhost:${app().port}`
const script = (data = '', key = merchant.public_key) =>
  `<script src="${service_origin()}/widget.js" data-key="${key}" ${data} async></script>`

/** Opens a shop page, which may request only the shop and our service. */
async function visit(page: ShopPage, options: Partial<VisitOptions> = {}): Promise<Page> {
  const opened = await browser.open({ origin: service_origin(), shops: [shop.origin], ...options })
  await opened.goto(shop.build(page))
  return opened
}

/** The texts of the visible widgets, in page order. */
const texts = (page: Page) => page.locator('nuqta-earn span:visible').allTextContents()
const expectTexts = (page: Page, expected: readonly string[]) => expect.poll(() => texts(page)).toEqual(expected)

const card = (inside: string) =>
  `<main style="font: 16px sans-serif; max-width: 20rem; padding: 1rem"><h1>Coffee</h1><p>199.50</p>${inside}</main>`

describe('a shop page', () => {
  it.each([
    ['en', 'Earn 1,995 points', 'ltr'],
    ['ar', 'اكسب 1,995 نقطة', 'rtl'],
  ] as const)('in %s shows what the amount earns at the script', async (lang, text, direction) => {
    const page = await visit({ lang, body: card(`<p>${script('data-amount="199.50"')}</p>`) })
    await expectTexts(page, [text])
    expect(await page.evaluate(`getComputedStyle(${line}).direction`)).toBe(direction)
    expect(await page.evaluate(`${line}.lang`)).toBe(lang)
    await screenshot(page, `widget-${lang}`)
    await expectAccessible(page)
    await expectToFit(page)
  })

  it('can set another language and other colours', async () => {
    const page = await visit({ body: card(`<p>${script('data-amount="20" data-lang="ar" data-theme="dark"')}</p>`) })
    await expectTexts(page, ['اكسب 200 نقطة'])
    expect(await coloursOf(page)).toEqual(dark)
  })

  it('can have several widgets, as elements and in the targets of the script', async () => {
    const body = card(`<p id="price"></p>
<ul><li>A <nuqta-earn amount="1"></nuqta-earn></li><li>B <nuqta-earn amount="0.2" lang="ar"></nuqta-earn></li>
<li>C <nuqta-earn></nuqta-earn></li></ul>`)
    const page = await visit({ head: script('data-amount="30" data-target="#price, .none"'), body })
    await expectTexts(page, ['Earn 300 points', 'Earn 10 points', 'اكسب نقطتين', 'Earn 300 points'])
    await screenshot(page, 'widget-several')
  })

  it('can change amount, key and language, and every widget updates', async () => {
    const other = await makeMerchant(database.db, { changes: { points_per_sar_e4: rate(1) } })
    const body = card(`${script('data-amount="30"')}<nuqta-earn id="own" amount="5"></nuqta-earn>`)
    const page = await visit({ body })
    await expectTexts(page, ['Earn 300 points', 'Earn 50 points'])
    await page.evaluate("document.querySelector('script').dataset.amount = '45.55'")
    await expectTexts(page, ['Earn 455 points', 'Earn 50 points'])
    await page.evaluate("document.querySelector('#own').setAttribute('amount', '0.30')")
    await expectTexts(page, ['Earn 455 points', 'Earn 3 points'])
    await page.evaluate("document.documentElement.lang = 'ar'")
    await expectTexts(page, ['اكسب 455 نقطة', 'اكسب 3 نقاط'])
    await page.evaluate(`document.querySelector('script').dataset.key = '${other.public_key}'`)
    await expectTexts(page, ['اكسب 45 نقطة'])
    await page.evaluate("document.querySelector('script').dataset.amount = 'ask us'")
    await expectTexts(page, [])
    await page.evaluate("document.querySelector('script').dataset.amount = '1'")
    await expectTexts(page, ['اكسب نقطة واحدة'])
  })

  it('can add, move and remove products later', async () => {
    const page = await visit({ body: card(`<div id="list"></div>${script()}`) })
    await page.waitForFunction("customElements.get('nuqta-earn') !== undefined")
    await page.evaluate(`document.querySelector('#list').innerHTML = '<nuqta-earn amount="7"></nuqta-earn>'`)
    await expectTexts(page, ['Earn 70 points'])
    await page.evaluate("document.querySelector('main').append(document.querySelector('nuqta-earn'))")
    await expectTexts(page, ['Earn 70 points'])
    await page.evaluate("document.querySelector('nuqta-earn').remove()")
    await expectTexts(page, [])
  })

  it('can include the script twice, for two merchants', async () => {
    const other = await makeMerchant(database.db, { changes: { points_per_sar_e4: rate(2) } })
    const body = card(`<p>${script('data-amount="10"')}</p><p>${script('data-amount="10"', other.public_key)}</p>`)
    await expectTexts(await visit({ body }), ['Earn 100 points', 'Earn 20 points'])
  })
})

describe('the widget shows nothing and takes no space', () => {
  it.each([
    ['when earning is off', { earning_on: false }, '10'],
    ['when the amount is not a number', {}, 'free'],
    ['when the amount earns no point', {}, '0.09'],
  ])('%s', async (_, changes, amount) => {
    const { public_key } = await makeMerchant(database.db, { changes })
    const body = card(`<p id="here"></p>${script(`data-amount="${amount}" data-target="#here"`, public_key)}`)
    const page = await visit({ body })
    const answered = page.waitForResponse((response) => response.url().includes('/widget/'))
    await page.reload()
    await answered
    await page.waitForFunction("document.querySelector('#here nuqta-earn') !== null")
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await texts(page)).toEqual([])
    expect(await page.evaluate("document.querySelector('#here').getBoundingClientRect().height")).toBe(0)
  })

  it.each([
    ['the target is not a selector', 'data-amount="10" data-target="((("'],
    ['the key is empty', 'data-amount="10" data-key=""'],
    ['the target does not exist', 'data-amount="10" data-target="#none"'],
  ])('and does not disturb the shop when %s', async (_, data) => {
    const page = await visit({
      body: card(`<script src="${service_origin()}/widget.js" ${data} data-key="x"></script>`),
    })
    await page.waitForFunction("customElements.get('nuqta-earn') !== undefined")
    expect(await texts(page)).toEqual([])
  })

  it('when the shop hides it', async () => {
    const page = await visit({
      body: card(`${script()}<nuqta-earn amount="5" hidden></nuqta-earn><nuqta-earn amount="6">`),
    })
    await expectTexts(page, ['Earn 60 points'])
  })
})

describe("the shop's own styles and policy", () => {
  const hostile_styles = `<style>* { letter-spacing: 9px !important; text-transform: uppercase !important }
nuqta-earn, nuqta-earn *, span, div { display: none !important; visibility: hidden !important; opacity: 0 !important;
position: absolute !important; transform: scale(0) !important; color: transparent !important; font-size: 3px !important;
background: red !important; border: 9px solid red !important; filter: blur(9px) !important; float: left !important }</style>`

  it('do not change the widget by accident', async () => {
    const body = card(`<p>${script('data-amount="199.50"')}</p>`)
    const plain = await visit({ body })
    await expectTexts(plain, ['Earn 1,995 points'])
    const [size, look] = [await boxOf(plain), await lookOf(plain)]
    const styled = await visit({ head: hostile_styles, body })
    await expectTexts(styled, ['Earn 1,995 points'])
    expect(await lookOf(styled)).toEqual(look)
    expect(await boxOf(styled)).toEqual(size)
    await screenshot(styled, 'widget-spoilt')
  })

  it('can style the part named earn', async () => {
    const head = '<style>nuqta-earn::part(earn) { background: rgb(1, 2, 3); border-radius: 0 }</style>'
    const page = await visit({ head, body: card(script('data-amount="10"')) })
    await expectTexts(page, ['Earn 100 points'])
    expect((await coloursOf(page)).background).toBe('rgb(1, 2, 3)')
  })

  it('may forbid everything but our script and its request', async () => {
    const policy = `default-src 'none'; script-src ${service_origin()}; connect-src ${service_origin()}; require-trusted-types-for 'script'`
    const body = `<main><h1>Coffee</h1><p>${script('data-amount="199.50"')}</p></main>`
    const page = await visit({ body, policy })
    await expectTexts(page, ['Earn 1,995 points'])
    expect(await coloursOf(page)).toEqual(light)
    await screenshot(page, 'widget-strict')
  })

  it.each([
    ['a light page, the reader prefers dark', '', true, 'light'],
    ['a dark page', '<style>:root { color-scheme: dark; background: #111 }</style>', false, 'dark'],
    ['a page of both, the reader prefers dark', '<meta name="color-scheme" content="light dark">', true, 'dark'],
    ['a page of both, the reader prefers light', '<meta name="color-scheme" content="light dark">', false, 'light'],
  ] as const)('decide the colours on %s', async (_, head, prefers, expected) => {
    const page = await visit({ head, body: card(script('data-amount="10"')) }, { dark: prefers })
    await expectTexts(page, ['Earn 100 points'])
    expect(await coloursOf(page)).toEqual({ light, dark }[expected])
    await screenshot(page, `widget-colours-${expected}-${prefers ? 'dark' : 'light'}`)
  })
})

describe('a shopper', () => {
  it('is not tracked: no cookie, nothing stored, no cookie or referrer sent', async () => {
    const page = await visit({ body: card('') })
    // A file from the cache would not show what its request sends.
    await forgetFiles(page)
    await page
      .context()
      .addCookies([{ name: 'known', value: 'yes', url: service_origin(), sameSite: 'None', secure: true }])
    const asked: Request[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(service_origin())) asked.push(request)
    })
    // One request for the rate, however many products the page has.
    const body = card(`${script('data-amount="10"')}${'<nuqta-earn amount="20"></nuqta-earn>'.repeat(40)}`)
    await page.goto(shop.build({ body }))
    await expectTexts(page, ['Earn 100 points', ...Array(40).fill('Earn 200 points')])
    const paths = asked.map((request) => new URL(request.url()).pathname)
    expect(paths).toEqual(['/widget.js', `/widget/${merchant.public_key}`])
    const sent = (await asked[1]?.allHeaders()) ?? {}
    expect(sent).toHaveProperty('origin', shop.origin)
    expect(sent).not.toHaveProperty('cookie')
    expect(sent).not.toHaveProperty('referer')
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['known'])
    const stored = 'JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage), document.cookie])'
    expect(await page.evaluate(stored)).toBe('[[],[],""]')
    expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0)
  })
})

/** A script expression for the text line of the first widget. */
const line = "document.querySelector('nuqta-earn').shadowRoot.querySelector('span')"

const light = { colour: 'rgb(10, 90, 66)', background: 'rgb(230, 243, 237)' }
const dark = { colour: 'rgb(166, 228, 204)', background: 'rgb(21, 53, 42)' }

function coloursOf(page: Page): Promise<typeof light> {
  const style = `getComputedStyle(${line})`
  return page.evaluate(`({ colour: ${style}.color, background: ${style}.backgroundColor })`)
}

/** All computed styles of the line and its parent. */
function lookOf(page: Page): Promise<object> {
  return page.evaluate(`[${line}, ${line}.parentElement].map((one) => Object.fromEntries(
    [...getComputedStyle(one)].map((name) => [name, getComputedStyle(one).getPropertyValue(name)])))`)
}

/** The size of the line. A line that does not wrap has a size that depends on its styles only. */
function boxOf(page: Page): Promise<object> {
  return page.evaluate(`(({ width, height }) => ({ width, height }))(${line}.getBoundingClientRect())`)
}
