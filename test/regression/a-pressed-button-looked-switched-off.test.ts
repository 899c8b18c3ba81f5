import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const port = await portOfPages()
const origin = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url: origin, collector: 'sandbox' })
const browser = testBrowser()

const looks = `[...document.querySelectorAll('button')].map((button) => {
  const [ring, words] = [getComputedStyle(button, '::after'), getComputedStyle(button.querySelector('span'), '::after')]
  return [ring.animationName, words.content.replaceAll('"', '')].filter((look) => look !== 'none').join(' ')
})`

// On a slow network a button turned grey for seconds, as one that cannot be pressed.
it.each([
  [true, ['turn', '']],
  [false, ['…', '']],
])('a button that was pressed shows that it works, with motion: %s', async (motion, expected) => {
  const { path } = await stage.open({ phone_number: freshPhone() })
  const page = await browser.open({ origin, motion })
  await page.goto(origin + path)
  // The browser stays on its page after such an answer.
  await page.route('**', async (route) => {
    if (route.request().method() === 'POST') await route.fulfill({ status: 204 })
    else await route.continue()
  })
  const answered = page.waitForResponse((response) => response.status() === 204)
  await press(page, 'given')
  await answered
  expect(await page.evaluate(looks)).toEqual(expected)
})
