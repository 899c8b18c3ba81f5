import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { walletStage } from '../support/wallet-stage.ts'

const database = testDatabase({ leaves: ['due messages'] })
const stage = walletStage(database)
const browser = testBrowser()

// A phone that ended its browser while the message was read: the number was asked for again, and nothing said of the code.
it.each([
  ['en', 'This code no longer works. Ask for a new one.'],
  ['ar', 'لم يعد هذا الرمز صالحًا. اطلب رمزًا جديدًا.'],
] as const)('a code whose sign-in is lost is said to work no longer: %s', async (locale, says) => {
  const origin = `https://localhost:${stage.app.port}`
  const page = await browser.open({ origin, locale })
  await page.goto(`${origin}/wallet`)
  await page.locator('input[name="phone"]').fill(freshPhone())
  await page.locator('form:has(input[value="phone"]) button').click()
  await page.locator('input[name="code"]').waitFor()
  await page.waitForLoadState()
  const code = await page.locator('[data-code]').innerText()
  await page.context().clearCookies({ name: '__Host-nuqta-wallet' })
  await page.locator('input[name="code"]').fill(code)
  await page.locator('input[name="phone"]').waitFor()
  expect(await page.locator('[role="alert"]').innerText()).toBe(says)
})
