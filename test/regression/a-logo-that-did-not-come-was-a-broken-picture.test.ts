import { expect, it } from 'vitest'
import { setBrand } from '../../src/features/merchants/brand.ts'
import { testBrowser, useOnce } from '../support/browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { pngOf } from '../support/logos.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const port = await portOfPages()
const origin = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url: origin, collector: 'sandbox' })
const browser = testBrowser()

const looks = `(() => {
  const [logo, name] = [document.querySelector('img.brand-logo'), document.querySelector('.brand-name')]
  const letter = getComputedStyle(logo, '::after')
  const words = document.createRange()
  words.selectNodeContents(name)
  const [beside, last] = [logo.getBoundingClientRect(), [...words.getClientRects()].at(-1)]
  const far = document.dir === 'rtl' ? beside.left - last.right : last.left - beside.right
  return { letter: letter.content, width: letter.width, far: Math.round(far) }
})()`

// The header had the picture that browsers draw for a missing one. And the lines of a name in the other script ended at the far
// side, away from the logo.
it.each([
  ['ar', 'Beans & Company Roasters of the North of Riyadh', 'B'],
  ['en', 'محمصة شمال الرياض للقهوة المختصة والحلويات', 'م'],
] as const)('the name of a store stands beside its logo, or beside its letter: %s', async (locale, name, letter) => {
  await setBrand(database.db, stage.shop.merchant, { name, logo: pngOf(64, 64, 0x11) }, new Date())
  const { path } = await stage.open()
  const page = await browser.open({ origin, locale, maySay: /ERR_FAILED/ })
  useOnce(page)
  await page.route('**/brand/**', (route) => route.abort())
  await page.goto(`${origin + path}?lang=${locale}`)
  const shown = await page.evaluate<{ letter: string; width: string; far: number }>(looks)
  expect(shown).toEqual({ letter: `"${letter}"`, width: '40px', far: 12 })
})
