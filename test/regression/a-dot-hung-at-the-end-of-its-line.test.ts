import { expect, it } from 'vitest'
import { expectToFit, testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { walletStage } from '../support/wallet-stage.ts'

const database = testDatabase({ leaves: ['open holds', 'due messages'] })
const stage = walletStage(database)
const browser = testBrowser()

/** For each line of facts: whether its dots stand between two facts, or are cut off at the edge where the line begins. */
const dots = `[...document.querySelectorAll('.list-text')].flatMap((line) => {
  const isolated = [...line.querySelectorAll('time')]
  return isolated.map((day) => {
    const fact = day.closest('.detail')
    const before = fact?.previousElementSibling
    if (!before) return 'a dot that nothing holds'
    const [own, last] = [fact.getBoundingClientRect(), before.getBoundingClientRect()]
    if (Math.abs(own.top - last.top) < 4) return 'between'
    // The words begin where the line does, and the dot before them is outside of the box that cuts it off.
    const box = line.closest('.list-words').getBoundingClientRect()
    const words = day.getBoundingClientRect()
    const isRight = getComputedStyle(line).direction === 'rtl'
    return Math.abs(isRight ? box.right - words.right : words.left - box.left) < 1 ? 'cut off' : 'at the edge'
  })
})`

// Reserved points on a phone: "Order 2026-11-30-A ·" on one line, and the day on the next.
it.each(['ar', 'en'] as const)('the dot between an order and its day ends no line, in %s', async (locale) => {
  const phone = freshPhone()
  const customer = stage.customer(phone, 'نورة')
  await customer.buy(stage.cafe, 90_000)
  // At some of these lengths the day fits beside the number, whatever the font.
  const numbers = [1, 5, 9, 13, 17].map((length) => `${'7'.repeat(length)}-A`)
  for (const order_number of numbers) await customer.reserve(stage.cafe, { total: 1_000, points: 10, order_number })
  const me = await stage.signedIn(phone, locale)
  const origin = `https://localhost:${stage.app.port}`
  const page = await browser.open({ origin, locale })
  await continueAs(page.context(), me, origin)
  await page.goto(`${origin}/wallet`)
  await page.locator('.hero').waitFor()
  await page.waitForLoadState()
  const shown = await page.evaluate<string[]>(dots)
  expect(shown).toHaveLength(numbers.length)
  expect(shown.filter((where) => where !== 'between' && where !== 'cut off')).toEqual([])
  expect(shown).toContain('cut off')
  await expectToFit(page)
})
