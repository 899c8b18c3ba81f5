import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, testBrowser, useOnce } from '../support/browser.ts'
import { continueAs, expectHeading, press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'

// In a lift, a code that was typed or a payment that was waited for gave way to an error page of the browser, which offers to
// send the form again.

const database = testDatabase({ leaves: ['open holds'] })
const port = await portOfPages()
const origin = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url: origin, collector: 'sandbox', today: true })
const browser = testBrowser()
const store = 'https://shop.example'
const disconnected = { origin, leadsTo: [store], maySay: /ERR_INTERNET_DISCONNECTED/ }

/** A browser that does not know the network by which it reaches the service. */
const saysOffline = "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })"

/** What the page says about the network; null while it says nothing. */
const saidOf = async (page: Page) => {
  const notice = page.locator('.offline [role="alert"]')
  return (await notice.isVisible()) ? notice.innerText() : null
}

it.each([
  ['en', 'You are offline, so nothing was sent.'],
  ['ar', 'لا يوجد اتصال بالإنترنت'],
] as const)('a form that is sent without a network stays with what was typed: %s', async (locale, says) => {
  const phone_number = await customerWith(database.db, stage.shop.merchant, { points: 3000, phone: freshPhone() })
  const { path } = await stage.open({ phone_number })
  const page = await browser.open({ ...disconnected, locale })
  await page.goto(`${origin + path}?lang=${locale}`)
  await press(page, 'given')
  await page.locator('input[name="code"]').waitFor()
  await page.waitForLoadState()
  const code = await page.locator('[data-code]').innerText()
  await page.context().setOffline(true)
  // It sends itself.
  await page.locator('input[name="code"]').fill(code)
  await expect.poll(() => saidOf(page)).toContain(says)
  expect(await page.locator('input[name="code"]').inputValue()).toBe(code)
  expect(await page.locator('[aria-busy]').count()).toBe(0)
  await expectAccessible(page)
  await page.context().setOffline(false)
  await expect.poll(() => saidOf(page)).toBeNull()
  await press(page, 'code')
  await page.locator('form#choice').waitFor()
})

it('a form is sent if the server answers although the browser calls itself offline', async () => {
  const { path } = await stage.open({ phone_number: freshPhone() })
  const page = await browser.open({ origin })
  useOnce(page)
  await page.addInitScript(saysOffline)
  await page.goto(origin + path)
  await press(page, 'given')
  await page.locator('input[name="code"]').waitFor()
})

/** Pays by a card whose payment is decided later, on a page with a clock of its own. */
async function waitForPayment(page: Page): Promise<void> {
  const { me, path } = await stage.choosing(3000, { total_price: 101, callback_url: `${store}/thanks` })
  await page.clock.install()
  await continueAs(page.context(), me, origin)
  await page.goto(origin + path)
  await press(page, 'confirm')
  await page.locator('input[name="card"][value="slow"] + label').click()
  await press(page, 'card')
  await expectHeading(page, 'Waiting for your payment')
}

it('a page that waits for a payment, and a receipt, wait for the network too', async () => {
  const page = await browser.open(disconnected)
  useOnce(page)
  await waitForPayment(page)
  await page.context().setOffline(true)
  await page.clock.runFor(9_000)
  expect(await page.locator('h1').innerText()).toBe('Waiting for your payment')
  stage.app.clock.advance(16)
  await page.context().setOffline(false)
  await page.clock.runFor(5_000)
  await expectHeading(page, 'Paid. Thank you!')
  await page.context().setOffline(true)
  await page.clock.runFor(20_000)
  expect(await page.locator('h1').innerText()).toBe('Paid. Thank you!')
  await page.context().setOffline(false)
  await page.clock.runFor(1_000)
  await page.waitForURL(`${store}/**`)
})

it('a page that waits for a payment, and a receipt, go on although the browser calls itself offline', async () => {
  const page = await browser.open({ origin, leadsTo: [store] })
  useOnce(page)
  await page.addInitScript(saysOffline)
  await waitForPayment(page)
  stage.app.clock.advance(16)
  await page.clock.runFor(5_000)
  await expectHeading(page, 'Paid. Thank you!')
  await page.clock.runFor(20_000)
  await page.waitForURL(`${store}/**`)
})
