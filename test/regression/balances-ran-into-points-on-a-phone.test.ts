import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { walletStage } from '../support/wallet-stage.ts'

const stage = walletStage(testDatabase({ leaves: ['due messages'] }))
const browser = testBrowser()

// A statement on a phone showed 24,700 and +12,355 as one number.
it.each(['ar', 'en'] as const)('a statement keeps points and balance apart, %s', async (locale) => {
  const phone = freshPhone()
  for (const count of [1, 2]) await stage.customer(phone).buy(stage.cafe, 123_456_700 * count, `${locale}-${count}`)
  const origin = `https://localhost:${stage.app.port}`
  const page = await browser.open({ origin, width: 360, locale })
  await continueAs(page.context(), await stage.signedIn(phone), origin)
  await page.goto(`${origin}/wallet/statement`)
  const gaps = await page.evaluate<number[]>(`[...document.querySelectorAll('.movements tbody tr')].flatMap((row) => {
    const texts = [...row.cells].slice(-2).map((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return range.getBoundingClientRect()
    })
    const [left, right] = texts.sort((a, b) => a.left - b.left)
    return row.cells.length === 4 && left.width > 0 && right.width > 0 ? [right.left - left.right] : []
  })`)
  expect(gaps.length).toBeGreaterThan(1)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
})
