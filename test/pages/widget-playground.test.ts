import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, makeMerchant, startApp } from '../support/api.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const browser = testBrowser()
let app: App
let origin: string
let key: string
beforeAll(async () => {
  const port = await portOfPages()
  origin = `https://localhost:${port}`
  app = await startApp(database, { port, public_url: origin })
  key = (await makeMerchant(database.db)).public_key
  await makeMerchant(database.db)
})
afterAll(() => app.stop())

const playground = '/widget/playground'
const escaped = (tag: string) => tag.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

describe('/widget/playground', () => {
  it('shows the tag for the first merchant, and for the chosen settings', async () => {
    const first = await app.page(playground)
    const tag = `<script src="${origin}/widget.js"\n  data-key="${key}"\n  data-amount="199.50"\n  async></script>`
    expect([first.status, first.text.includes(escaped(tag))]).toEqual([200, true])
    const chosen = await app.page(`${playground}?amount=12.75&language=ar&theme=dark&key=pk_test_x`)
    expect(chosen.text).toContain(
      escaped(['data-key="pk_test_x"', 'data-amount="12.75"', 'data-lang="ar"', 'data-theme="dark"'].join('\n  ')),
    )
    expect(chosen.text).toContain('<title>Widget playground</title>')
    expect((await app.page(`${playground}?lang=ar`)).text).toContain('<h1>تجربة أداة النقاط</h1>')
  })

  it('escapes what is typed', async () => {
    const evil = '"><script>alert(1)</script>'
    const { text } = await app.page(
      `${playground}?${new URLSearchParams({ amount: evil, key: evil, theme: evil, product: evil })}`,
    )
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('data-theme=')
  })

  it('answers 404 in production', async () => {
    const production = await startApp(database, { environment: 'production' })
    try {
      const { status, headers } = await production.page(playground)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await production.page('/widget.js')).toMatchObject({ status: 200 })
    } finally {
      await production.stop()
    }
  })
})

describe('the playground in a browser', () => {
  it.each([
    ['phone', 'ar', 'light'],
    ['phone', 'en', 'dark'],
    ['desktop', 'ar', 'dark'],
    ['desktop', 'en', 'light'],
  ] as const)('is accessible and fits on a %s, %s, %s', async (device, locale, mode) => {
    const page = await browser.open({ origin, device, locale, dark: mode === 'dark' })
    await page.goto(origin + playground)
    const text = { ar: 'اكسب 1,995 نقطة', en: 'Earn 1,995 points' }[locale]
    await expect.poll(() => page.locator('nuqta-earn span:visible').allTextContents()).toEqual([text, text])
    await screenshot(page, `playground-${device}-${locale}-${mode}`)
    await expectAccessible(page)
    await expectToFit(page)
  })

  it('updates while settings change, and copies the tag', async () => {
    const page = await browser.open({ origin, device: 'desktop' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(origin + playground)
    await page.getByLabel('Price in SAR').fill('20.05')
    await page.getByLabel('Product').fill('Brass dallah')
    expect(await page.locator('[data-product]').allInnerTexts()).toEqual(['Brass dallah', 'Brass dallah'])
    await page.getByText('العربية').nth(1).click()
    await page.getByText('Dark', { exact: true }).click()
    const shown = () => page.locator('nuqta-earn span:visible').allTextContents()
    await expect.poll(shown).toEqual(['اكسب 200 نقطة', 'اكسب 200 نقطة'])
    expect(await page.locator('[data-price]').first().innerText()).toContain('20.05')
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText('Copied').waitFor()
    const data = [`data-key="${key}"`, 'data-amount="20.05"', 'data-lang="ar"', 'data-theme="dark"']
    const tag = `<script ${[`src="${origin}/widget.js"`, ...data, 'async'].join('\n  ')}></script>`
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(tag)
    await expect.poll(() => page.locator('[data-sample]').innerText()).toBe(tag)
    await screenshot(page, 'playground-chosen')

    // The card, and the button that opens a checkout of the price.
    const card = page.getByText('nuqta-card amount')
    expect(await card.innerText()).toBe('<nuqta-card amount="20.05"></nuqta-card>')
    expect(await page.getByText('nuqta-pay order').innerText()).toContain(`"total_price":20.05}`)
    expect(await page.getByText('Nuqta.init').innerText()).toContain(`key: "${key}",\n  amount: "20.05",`)
    await page.frameLocator('nuqta-card iframe').getByText('عرض نقاطك').waitFor()

    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => page.locator('[data-sample]').innerText()).toBe(tag)
    await expect.poll(shown).toEqual(['اكسب 200 نقطة', 'اكسب 200 نقطة'])

    const opened = page.waitForResponse(/\/checkout\//)
    await page.getByRole('button', { name: 'الدفع بالنقاط' }).click()
    expect((await opened).request().postDataJSON()).toMatchObject({ total_price: 20.05 })
    await page.waitForURL(/\/checkout\//)
  })

  it('shows the tag for the chosen settings without scripts too', async () => {
    const page = await browser.open({ origin, scripts: false })
    await page.goto(origin + playground)
    await page.getByLabel('Price in SAR').fill('7')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => page.locator('[data-sample]').innerText()).toContain('data-amount="7"')
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    // The basket would be an empty box.
    expect(await page.locator('.shop:has(> nuqta-card)').isVisible()).toBe(false)
  })
})
