import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url, collector: 'sandbox', today: true })
const browser = testBrowser()

// Above the button "Pay it all with points" the page said: "You pay what is left on the next page."
it('says where the rest is paid while there is a rest', async () => {
  const { me, path } = await stage.choosing(30_000)
  const page = await browser.open({ origin: public_url })
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + path)
  await page.getByRole('button', { name: 'Pay it all with points' }).waitFor()
  const rest = page.getByText('You pay what is left on the next page.')
  expect(await rest.isVisible()).toBe(false)
  await page.locator('label:has(.choice-title)', { hasText: 'Keep my points' }).click()
  await rest.waitFor()
})
