import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const port = await portOfPages()
const origin = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url: origin, collector: 'sandbox' })
const browser = testBrowser()

// A customer whose connection hung pressed the browser's Stop. The button kept turning, and took no press until a reload.
it('a form whose page never came can be sent again', async () => {
  const phone_number = await customerWith(database.db, stage.shop.merchant, { points: 3000, phone: freshPhone() })
  const { path } = await stage.open({ total_price: 101, order_number: '10233', phone_number })
  const page = await browser.open({ origin })
  useOnce(page)
  await page.clock.install()
  await page.goto(origin + path)
  // The browser stays on its page after such an answer, as after its Stop.
  await page.route('**', async (route) => {
    if (route.request().method() === 'POST') await route.fulfill({ status: 204 })
    else await route.continue()
  })
  const answered = page.waitForResponse((response) => response.status() === 204)
  await press(page, 'given')
  await answered
  expect(await page.locator('button[aria-busy]').count()).toBe(1)
  await page.clock.fastForward(30_000)
  expect(await page.locator('button[aria-busy]').count()).toBe(0)
  await page.unroute('**')
  await press(page, 'given')
  await page.locator('input[name="code"]').waitFor()
})
