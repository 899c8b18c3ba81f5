import { expect, it } from 'vitest'
import { expectToFit, testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { walletStage } from '../support/wallet-stage.ts'

const stage = walletStage(testDatabase({ leaves: ['due messages'] }))
const browser = testBrowser()

/** How a link looks among its neighbours, as the browser draws it. */
const lookOf = (links: string) => `[...document.querySelectorAll('${links}')].map((link) => {
  const { backgroundColor, borderBlockEndColor } = getComputedStyle(link)
  const opaque = [backgroundColor, borderBlockEndColor].map((colour) => colour.match(/\\d+/g).slice(0, 3).join(' '))
  return [link.hasAttribute('aria-current'), opaque.join()]
})`

// Forced colours take away backgrounds and draw transparent borders: all tabs of the wallet had a line below them, and the
// period that a statement shows looked like the others.
it.each([
  ['the tabs of the wallet', '/wallet', '.pages a'],
  ['the periods of a statement', '/wallet/statement', '.periods a'],
  ['the pages of the documentation', '/docs/checkout', '.docs-pages a'],
])('forced colours show which of %s is open', async (_, path, links) => {
  const origin = `https://localhost:${stage.app.port}`
  const page = await browser.open({ origin, device: 'desktop' })
  const phone = freshPhone()
  await stage.customer(phone).buy(stage.books, 10_000)
  await continueAs(page.context(), await stage.signedIn(phone), origin)
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(origin + path)
  const looks = await page.evaluate<[boolean, string][]>(lookOf(links))
  const [current = [], others = []] = [true, false].map((is) =>
    looks.filter(([now]) => now === is).map(([, look]) => look),
  )
  expect(current).toHaveLength(1)
  expect(others).not.toContain(current[0])
  await expectToFit(page)
})
