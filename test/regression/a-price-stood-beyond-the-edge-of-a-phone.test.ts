import { it } from 'vitest'
import { expectToFit, testBrowser, useOnce } from '../support/browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const port = await portOfPages()
const origin = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url: origin, collector: 'sandbox' })
const browser = testBrowser()

// "200 × SAR 1,264.75" was kept on one line, however narrow.
it.each(['ar', 'en'] as const)('an order fits a narrow phone with text of twice the size, in %s', async (locale) => {
  const products = [{ product_name: 'قهوة Ethiopia Yirgacheffe', product_price: 12_264.75, quantity: 200 }]
  const { path } = await stage.open({ products, order_number: 'ORD-2026/11/30-الرياض-000123456789' })
  const page = await browser.open({ origin, width: 320, locale })
  useOnce(page)
  await page.goto(`${origin + path}?lang=${locale}`)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await expectToFit(page)
})
