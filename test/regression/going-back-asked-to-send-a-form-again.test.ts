import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { continueAs, expectHeading, press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase({ leaves: ['open holds'] })
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url, collector: 'sandbox', today: true })
const browser = testBrowser()

// A form that is refused is answered with the page again. Browsers keep no answer to a POST: going back to it, from the page
// of the bank for example, showed an error of the browser that asks to send the form again, and a reload sent it.
it('going back past a refused choice shows the checkout as it stands, and a reload sends nothing', async () => {
  const { me, path } = await stage.choosing(3000, { total_price: 101 })
  const page = await browser.open({ origin: public_url, device: 'desktop' })
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + path)
  const choose = async (amount: string) => {
    await page.locator('label:has(.choice-title)', { hasText: 'Use some' }).click()
    await page.locator('input[name="amount"]').fill(amount)
    await press(page, 'confirm')
  }
  const wrong = page.getByText('Enter a whole number of points, 2 or more.').first()
  await choose('many')
  await wrong.waitFor()
  await page.waitForLoadState()
  await page.reload()
  await expectHeading(page, 'Use your points')
  expect(await wrong.count()).toBe(0)
  await choose('many')
  await wrong.waitFor()
  await page.waitForLoadState()
  await choose('1000')
  await expectHeading(page, 'Sandbox payment')
  await page.goBack()
  await expectHeading(page, 'Payment')
})
