import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectToFit, testBrowser } from '../support/browser.ts'
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
