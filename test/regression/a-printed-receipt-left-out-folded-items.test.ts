import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(testDatabase(), { port, public_url, collector: 'sandbox' })
const browser = testBrowser()

// A receipt of six items was printed with the first four, and did not say that there were more.
it('a printed receipt has every item, and nothing that only a screen can do', async () => {
  const products = ['A', 'B', 'C', 'D', 'E', 'F'].map((letter) => ({
    product_name: `Item ${letter}`,
    product_price: 10,
    quantity: 1,
  }))
  const { me, page: chosen } = await stage.choosing(20_000, { total_price: 60, products })
  const { path } = await me.submit(chosen, 'confirm', { use: 'all' })
  const page = await browser.open({ origin: public_url, device: 'desktop' })
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + path)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await page.getByText('You can close this page now.').isVisible()).toBe(true)
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.item:visible').count()).toBe(6)
  expect(await page.getByText('2 more items').isVisible()).toBe(false)
  expect(await page.getByText('You can close this page now.').isVisible()).toBe(false)
})
