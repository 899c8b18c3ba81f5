import { expect, it } from 'vitest'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

// The host of the store in Chromium: whole, in its place among the words, and within a narrow screen however long it is.

const database = testDatabase()
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url })
const browser = testBrowser()

const long = `${'averylongname'.repeat(4)}.${'anotherlongname'.repeat(3)}.shop.example`

it.each([
  ['en', 'shop.example', 'Back to shop.example without paying'],
  ['en', long, `Back to ${long} without paying`],
  ['ar', long, `العودة إلى ${long} دون دفع`],
] as const)('is shown on the way out and at the end, %s: %s', async (locale, host, words) => {
  const callback_url = `https://${host}/`
  const { path } = await stage.open({ callback_url })
  const page = await browser.open({ origin: public_url, device: 'phone', locale })
  await page.goto(public_url + path)
  expect(await page.locator('.way-out a').innerText()).toBe(words)
  await expectToFit(page)
  await screenshot(page, `checkout-host-${host.length}-${locale}`)

  const done = await stage.choosing(30_000, { callback_url }, locale)
  await done.me.submit(done.page, 'confirm', { use: 'all' })
  await continueAs(page.context(), done.me, public_url)
  await page.goto(`${public_url}${done.path}?at=done`)
  expect(await page.locator('a[data-return="now"]').innerText()).toContain(host)
  await expectToFit(page)
  await expectAccessible(page)
})
