import { describe, expect, it } from 'vitest'
import { expectAccessible, testBrowser } from '../support/browser.ts'

// Axe took joined Arabic letters for the icons of a font, and left their contrast out: more than half of the texts of a page.

const browser = testBrowser()

const pageOf = (lang: string, text: string, colour: string): string => `<!doctype html>
  <html lang="${lang}"><head><title>${text}</title></head>
  <body style="background: #fff; color: ${colour}"><main><h1>${text}</h1></main></body></html>`

describe.each([
  ['ar', 'لا نقاط للاستخدام'],
  ['en', 'No points to use'],
] as const)('text in %s', (locale, text) => {
  it('is refused where it is too pale, and accepted where it is not', async () => {
    const page = await browser.open({ origin: 'null', locale })
    await page.setContent(pageOf(locale, text, '#aaa'))
    await expect(expectAccessible(page)).rejects.toMatchObject({ actual: [expect.stringContaining('color-contrast')] })
    await page.setContent(pageOf(locale, text, '#555'))
    await expectAccessible(page)
  })
})
