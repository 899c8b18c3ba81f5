import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { type App, makeMerchant, makeProgram, purchase, startApp } from '../support/api.ts'
import {
  expectAccessible,
  expectToFit,
  freePort,
  screenshot,
  testBrowser,
  type VisitOptions,
} from '../support/browser.ts'
import { resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { type ShopPage, testShop } from '../support/shop.ts'

// The card in a shop on another site, in a real Chromium: who sees a balance, and who does not.

const database = testDatabase()
const shop = testShop()
const browser = testBrowser()
let app: App
let origin: string
let merchant: MadeMerchant
let phone: Phone

beforeAll(async () => {
  const port = await freePort()
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
  const opened = await browser.open({ origin, leadsTo: [shop.origin], device: 'phone', ...options })
  await opened.context().route(`${shop.origin}/**`, (route) => route.continue())
  await opened.goto(shop.build(page))
  return opened
}

const cardOf = (page: Page): FrameLocator => page.frameLocator('nuqta-card iframe')

/** Types number and code in a window, as it opens. */
async function prove(window: Page, of: string = phone): Promise<void> {
  await window.fill('#field-phone', `0${of}`)
  await window.click('form:has(input[value="phone"]) button')
  await window.fill('#field-code', (await window.locator('[data-code]').textContent()) ?? '')
  await window.click('form:has(input[value="code"]) button')
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
