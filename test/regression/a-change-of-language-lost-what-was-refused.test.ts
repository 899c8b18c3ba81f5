import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { enterCode, expectHeading, press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const port = await portOfPages()
const origin = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url: origin, collector: 'sandbox', today: true })
const browser = testBrowser()

const inArabic = ':root[lang="ar"]'

// The page in the other language came without the message, with an empty box and nothing said about it.
it('a choice that lacked the consent says so in the other language, until no points are chosen', async () => {
  const phone_number = await customerWith(database.db, stage.shop.merchant, { points: 3000, agrees: false })
  const { path } = await stage.open({ phone_number })
  const page = await browser.open({ origin })
  await page.goto(origin + path)
  await press(page, 'given')
  await page.locator('input[name="code"]').waitFor()
  await enterCode(page)
  await expectHeading(page, 'Use your points')
  await press(page, 'confirm')
  await page.locator('#field-terms-error').waitFor()
  await page.waitForLoadState()
  await page.locator('a.language').click()
  await page.locator(inArabic).waitFor()
  expect(await page.locator('#field-terms-error').innerText()).toContain('وافق على الشروط')
  expect(await page.title()).toMatch(/^خطأ: /)
  await page.waitForLoadState()
  await page.locator('label:has(.choice-title)', { hasText: 'الاحتفاظ' }).click()
  await page.locator('a.language').click()
  await page.locator(':root[lang="en"]').waitFor()
  expect(await page.locator('#field-terms-error').count()).toBe(0)
})

// They were led back to the number that the store had sent.
it('a refused number and a refused name are asked for again in the other language', async () => {
  const { path } = await stage.open({ phone_number: freshPhone() })
  const page = await browser.open({ origin })
  await page.goto(`${origin + path}?at=number`)
  await page.locator('input[name="phone"]').fill('055 512')
  await press(page, 'phone')
  await page.locator('#field-phone-error').waitFor()
  await page.waitForLoadState()
  await page.locator('a.language').click()
  await page.locator(`${inArabic} input[name="phone"]`).waitFor()
  // What was typed is nowhere in the address.
  expect(page.url()).not.toContain('512')
  await page.goto(`${origin + path}?at=join&lang=en`)
  await page.locator('form:has(input[name="joins"][value="yes"]) button').click()
  await page.locator('#field-name-error').waitFor()
  await page.waitForLoadState()
  await page.locator('a.language').click()
  await page.locator(`${inArabic} input[name="name"]`).waitFor()
})
