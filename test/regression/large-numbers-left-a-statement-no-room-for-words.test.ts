import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectToFit, resize, testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { walletStage } from '../support/wallet-stage.ts'

const stage = walletStage(testDatabase({ leaves: ['due messages'] }))
const browser = testBrowser()

/** The least room that the words of a movement have, as a part of its row. */
const leastRoom = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.min(...[...document.querySelectorAll('.movements tbody tr')].map(
    (row) => row.cells[1].getBoundingClientRect().width / row.getBoundingClientRect().width))`)

// Beside millions of points, or with large text, the words of a statement were broken letter by letter.
it.each(['ar', 'en'] as const)(
  'a statement gives words room beside large numbers and in large text, %s',
  async (locale) => {
    const phone = freshPhone()
    for (const count of [1, 2]) await stage.customer(phone).buy(stage.books, 123_456_700 * count, `${locale}-${count}`)
    const origin = `https://localhost:${stage.app.port}`
    const page = await browser.open({ origin, width: 320, locale })
    await continueAs(page.context(), await stage.signedIn(phone), origin)
    await page.goto(`${origin}/wallet/statement`)
    expect(await leastRoom(page)).toBeGreaterThan(0.4)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(await leastRoom(page)).toBeGreaterThan(0.4)
    await expectToFit(page)
  },
)

/** What stands in a box that ends before it, and what a box cuts off. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.hero, .list-words, .table, .movements .numeric')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)`)

// The largest purchase gave a balance that ran out of its card, and numbers that a statement cut off at its edge; beside a
// long name the dates of a statement were broken into three lines. An order number without a space began outside of its row.
it.each(['ar', 'en'] as const)('the largest numbers and long names stand whole in a wallet, %s', async (locale) => {
  const phone = freshPhone()
  const order_number = `INV-${'0123456789'.repeat(5)}-${locale}`
  await stage.customer(phone).buy(stage.books, 999_999_999_999, order_number)
  const origin = `https://localhost:${stage.app.port}`
  const page = await browser.open({ origin, width: 320, locale })
  await continueAs(page.context(), await stage.signedIn(phone), origin)
  for (const path of ['/wallet', '/wallet/statement']) {
    await page.goto(origin + path)
    for (const width of [320, 360, 390, 1280]) {
      await resize(page, { width, height: 800 })
      expect(await cutOff(page), `${path} at ${width}`).toEqual([])
      await expectToFit(page)
    }
  }
  const lines = await page.evaluate<number[]>(`[...document.querySelectorAll('.movements td:first-child time')]
    .map((time) => new Set([...time.getClientRects()].map(({ top }) => Math.round(top))).size)`)
  expect(lines).toEqual([1, 1, 1])
})
