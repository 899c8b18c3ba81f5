import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetPage } from '../../src/pages/design/assets.ts'
import { showFailure } from '../../src/pages/design/failure.ts'
import { startServer, type TestServer } from '../http/support.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { smallTargets } from '../support/touch.ts'
import { galleryListPage, galleryPage, galleryWaitingPage } from './gallery.ts'

let server: TestServer
let origin: string
beforeAll(async () => {
  const rows = [galleryPage, galleryListPage, galleryWaitingPage, assetPage]
  server = await startServer([], {}, { pages: { rows, showFailure } })
  origin = `https://localhost:${server.port}`
})
afterAll(() => server.stop())

const browser = testBrowser()

const shown = [
  ['form', '/gallery'],
  ['wrong', '/gallery?wrong=1'],
  ['brand', '/gallery?colour=%23ffd43b'],
  ['list', '/gallery/list'],
  ['wide', '/gallery/list?wide=1'],
  ['waiting', '/gallery/waiting'],
] as const

describe('every component', () => {
  it.each([
    ['phone', 'ar', 'light'],
    ['phone', 'en', 'dark'],
    ['desktop', 'ar', 'dark'],
    ['desktop', 'en', 'light'],
  ] as const)('is accessible and fits on a %s, %s, %s', async (device, locale, mode) => {
    const page = await browser.open({ origin, device, locale, dark: mode === 'dark' })
    for (const [name, path] of shown.filter(([name]) => name !== (device === 'phone' ? 'wide' : 'list'))) {
      await page.goto(origin + path)
      await screenshot(page, `gallery-${name}-${device}-${locale}-${mode}`)
      await expectAccessible(page)
      await expectToFit(page)
    }
  })

  it.each(['ar', 'en'] as const)('fits a width of 320 pixels, also with text at 200%%: %s', async (locale) => {
    const page = await browser.open({ origin, locale, width: 320 })
    for (const [name, path] of shown) {
      await page.goto(origin + path)
      await expectToFit(page)
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      await expectToFit(page)
      await screenshot(page, `gallery-${name}-large-${locale}`)
    }
  })

  it('has targets of at least 44 pixels', async () => {
    const page = await browser.open({ origin })
    for (const [, path] of shown) {
      await page.goto(origin + path)
      const small = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('a, button, input:not([type=hidden]), summary')]
        .filter((one) => one.checkVisibility() && !one.matches('.skip, p a, label a, .notice a'))
        .map((one) => one.matches('input') ? one.closest('.input, .choice, .check') : one)
        .filter((one) => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 44)
        .map((one) => one.outerHTML)`)
      expect(small).toEqual([])
      expect(await smallTargets(page)).toEqual([])
    }
  })

  it('shows the focus, which starts at the skip link', async () => {
    const page = await browser.open({ origin, device: 'desktop' })
    await page.goto(`${origin}/gallery`)
    for (const expected of ['a.skip', 'a.language', 'a.back', '#field-name']) {
      await page.keyboard.press('Tab')
      const [matches, outline] = await page.evaluate<[boolean, string]>(`(() => {
        const one = document.activeElement
        const ring = one.closest('.input') ?? one
        return [one.matches(${JSON.stringify(expected)}), getComputedStyle(ring).outlineStyle]
      })()`)
      expect([expected, matches, outline]).toEqual([expected, true, 'solid'])
    }
  })
})

describe('a form', () => {
  it('works without scripts, and its result can be reloaded', async () => {
    const page = await browser.open({ origin, scripts: false })
    await page.goto(`${origin}/gallery`)
    await page.getByLabel('Your name').fill('ليلى')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(({ search }) => search === `?sent=${encodeURIComponent('ليلى')}`)
    await page.reload()
    expect(await page.getByLabel('Your name').inputValue()).toBe('ليلى')
  })

  it('is sent once on a double click, and can be sent again after going back', async () => {
    const page = await browser.open({ origin })
    const sent: string[] = []
    await page.goto(`${origin}/gallery`)
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    const button = page.getByRole('button', { name: 'Continue' })
    await button.evaluate((one: { click(): void }) => {
      one.click()
      one.click()
    })
    await page.waitForURL(/sent=/)
    expect(sent).toHaveLength(1)
    await page.goBack()
    expect(await button.getAttribute('aria-busy')).toBeNull()
  })

  it('shows the input of a choice only while the choice is selected', async () => {
    const page = await browser.open({ origin })
    await page.goto(`${origin}/gallery`)
    const part = page.getByLabel('Points', { exact: true })
    expect(await part.isVisible()).toBe(true)
    await page.getByLabel('All of it').check()
    await part.waitFor({ state: 'hidden' })
  })

  it('is refused with instructions when cookies are off', async () => {
    const page = await browser.open({ origin, locale: 'ar' })
    await page.goto(`${origin}/gallery`)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'متابعة' }).click()
    await page.getByRole('heading', { name: 'ملفات تعريف الارتباط موقوفة' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'gallery-refused')
    await page.getByRole('link', { name: 'فتح الصفحة من جديد' }).click()
    await page.getByRole('heading', { name: 'استخدم نقاطك' }).waitFor()
  })
})

describe('a printed page', () => {
  it('shows no buttons and links', async () => {
    const page = await browser.open({ origin, device: 'desktop', dark: true })
    await page.goto(`${origin}/gallery/list?wide=1`)
    await page.emulateMedia({ media: 'print', colorScheme: 'light' })
    await screenshot(page, 'gallery-print')
    expect(await page.getByRole('table').isVisible()).toBe(true)
    for (const hidden of ['.button', '.language', '.skip'])
      expect(await page.locator(hidden).first().isVisible()).toBe(false)
  })

  // The last line of a page of the terms was the heading of what stood on the next one.
  it('keeps headings with what they are about', async () => {
    const page = await browser.open({ origin })
    await page.goto(`${origin}/gallery/list`)
    await page.emulateMedia({ media: 'print' })
    const breaks = await page.evaluate<string[]>(
      `[...document.querySelectorAll('h1, h2, h3')].map((one) => getComputedStyle(one).breakAfter)`,
    )
    expect(new Set(breaks)).toEqual(new Set(['avoid']))
  })
})

describe('the reader’s system', () => {
  const coloursOf = (selector: string) => `(() => {
    const { color, borderBlockStartColor, borderInlineStartColor } = getComputedStyle(document.querySelector('${selector}'))
    return { color, start: borderBlockStartColor, side: borderInlineStartColor }
  })()`

  it.each(['light', 'dark'] as const)('that asks for more contrast gets no grey words, %s', async (colorScheme) => {
    const page = await browser.open({ origin })
    await page.emulateMedia({ contrast: 'more', colorScheme })
    await page.goto(`${origin}/gallery`)
    const of = (selector: string) => page.evaluate<{ color: string }>(coloursOf(selector))
    expect((await of('.lead')).color).toBe((await of('h1')).color)
    await page.emulateMedia({ contrast: null })
  })

  // They closed the ring of what turns, so that it seemed to stand still.
  it('that forces its colours sees what turns, and the edges of messages', async () => {
    const page = await browser.open({ origin })
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(`${origin}/gallery/waiting`)
    const { start, side } = await page.evaluate<{ start: string; side: string }>(coloursOf('.spinner'))
    expect(start).not.toBe(side)
    await page.goto(`${origin}/gallery`)
    const width = `getComputedStyle(document.querySelector('.notice')).borderBlockStartWidth`
    expect(await page.evaluate(width)).toBe('1px')
  })
})

describe('these tests', () => {
  it('run with the fonts, styles and scripts loaded', async () => {
    const page = await browser.open({ origin, locale: 'ar' })
    const loaded: string[] = []
    page.on('requestfinished', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto(`${origin}/gallery`)
    await page.evaluate('document.fonts.ready.then(() => undefined)')
    const known = () => loaded.filter((path) => /^\/assets\/(nuqta|plex-arabic-400|forms)\./.test(path))
    await expect.poll(known).toHaveLength(3)
    expect(await page.evaluate(`document.fonts.check('1rem "Plex"', 'نقطة')`)).toBe(true)
  })
})
