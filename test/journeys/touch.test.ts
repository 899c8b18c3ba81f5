import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { continueAs, enterCode, press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'
import { smallTargets } from '../support/touch.ts'
import { signedIn } from '../support/wallets.ts'

// What a customer presses on a phone, on every step of a checkout and in a wallet. Links in labels count too: a press beside one
// ticks the box.

const database = testDatabase({ leaves: ['open holds', 'due messages'] })
const port = await portOfPages()
const origin = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url: origin, collector: 'sandbox', today: true })
const browser = testBrowser()

const smallLinks = `[...document.querySelectorAll('label a')].map((one) => one.getBoundingClientRect())
  .filter(({ width, height }) => Math.min(width, height) < 44).map(({ width, height }) => width + ' x ' + height)`

/** Collects what is too small on the pages that a customer sees one after the other. */
function looking(page: Page) {
  const small: Record<string, string[]> = {}
  const look = async (name: string): Promise<void> => {
    await page.waitForLoadState()
    const found = [...(await smallTargets(page)), ...(await page.evaluate<string[]>(smallLinks))]
    if (found.length > 0) small[name] = found
  }
  return { small, look }
}

const payBy = async (page: Page, card: string) => {
  await page.locator(`input[name="card"][value="${card}"] + label`).click()
  await press(page, 'card')
  await page.locator('.outcome').waitFor()
}

it('is at least 44 pixels high and wide from the number to the receipt', async () => {
  const phone_number = await customerWith(database.db, stage.shop.merchant, { points: 3000, agrees: false })
  const products = Array.from({ length: 6 }, (_, at) => ({ product_name: `بن ${at}`, product_price: 20, quantity: 1 }))
  const { path } = await stage.open({ phone_number, products, callback_url: 'https://shop.example/thanks' })
  const page = await browser.open({ origin, locale: 'ar', leadsTo: ['https://shop.example'] })
  const { small, look } = looking(page)
  await page.goto(`${origin + path}?lang=ar`)
  await look('the number of the store')
  await press(page, 'continue')
  await page.locator('input[name="name"]').waitFor()
  await look('joining without a code')
  await page.goto(`${origin + path}?at=number`)
  await look('another number')
  await page.goto(origin + path)
  await press(page, 'given')
  await page.locator('input[name="code"]').waitFor()
  await look('the code')
  await enterCode(page)
  await page.locator('form#choice').waitFor()
  await page.locator('input[value="part"] + label').click()
  await look('the choice')
  await press(page, 'confirm')
  await page.locator('#field-terms-error').waitFor()
  await look('a refused choice')
  await page.locator('input[name="terms"]').check()
  await page.locator('input[name="amount"]').fill('1000')
  await press(page, 'confirm')
  await page.locator('input[name="card"]').first().waitFor()
  await look('the payment')
  await payBy(page, 'declined')
  await look('a declined payment')
  await press(page, 'resume')
  await page.locator('input[name="card"]').first().waitFor()
  await payBy(page, 'cancel')
  await look('a cancelled payment')
  await press(page, 'resume')
  await page.locator('input[name="card"]').first().waitFor()
  await payBy(page, 'succeeds')
  await look('the receipt')
  expect(small).toEqual({})
})

it('is at least 44 pixels high and wide where somebody is new', async () => {
  const { me, path } = await stage.choosing(0, {}, 'ar')
  const page = await browser.open({ origin, locale: 'ar' })
  const { small, look } = looking(page)
  await continueAs(page.context(), me, origin)
  await page.goto(origin + path)
  await page.locator('input[name="name"]').waitFor()
  await look('onboarding')
  await press(page, 'join')
  await page.locator('#field-name-error').waitFor()
  await look('onboarding that was refused')
  expect(small).toEqual({})
})

it('is at least 44 pixels high and wide in a wallet', async () => {
  const phone = await customerWith(database.db, stage.shop.merchant, { points: 3000, phone: freshPhone() })
  const me = await signedIn(stage.app.services, stage.shopper('ar'), {
    program_id: stage.shop.merchant.program_id,
    phone,
  })
  const page = await browser.open({ origin, locale: 'ar' })
  const { small, look } = looking(page)
  await page.goto(`${origin}/wallet`)
  await look('sign-in')
  await continueAs(page.context(), me, origin)
  for (const path of ['/wallet', '/wallet/statement', '/wallet/statement?from=x', '/wallet/data', '/terms']) {
    await page.goto(`${origin + path}`)
    await look(path)
  }
  expect(small).toEqual({})
})
