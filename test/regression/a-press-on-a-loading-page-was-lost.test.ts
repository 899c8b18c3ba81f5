import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { testShop } from '../support/shop.ts'

const database = testDatabase()
const app = testApp(database)
const shop = testShop()
const browser = testBrowser()

// Browsers report `pageshow` at the end of loading too. The button took it for the way back from the checkout, and gave up
// what it was opening.
it('the button opens the checkout when it is pressed before the page has loaded', async () => {
  const { public_key } = await makeMerchant(database.db)
  const origin = `https://localhost:${app().port}`
  const page = await browser.open({ origin, shops: [shop.origin] })
  const picture = Promise.withResolvers<void>()
  await page.route(`${shop.origin}/slow.png`, async (route) => {
    await picture.promise
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  })
  const answer = Promise.withResolvers<void>()
  await page.route('**/orders/checkout/**', async (route) => {
    await answer.promise
    await route.continue()
  })
  const order = JSON.stringify({ order_number: '1001', total_price: 100 })
  const listener = `<script>addEventListener('nuqta-opened', (event) => {
    event.preventDefault()
    document.title = event.detail.checkout_url
  })</script>`
  const body = `${listener}<nuqta-pay order='${order}'></nuqta-pay><script src="${origin}/widget.js" data-key="${public_key}" async></script><img src="/slow.png" alt="">`
  await page.goto(shop.build({ body }), { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Pay with points' }).click()
  await page.getByRole('button', { name: 'Opening the checkout' }).waitFor()
  picture.resolve()
  await page.waitForLoadState('load')
  // Shown as opening still; a request that was given up would never lead anywhere.
  expect(await page.locator('nuqta-pay button').textContent()).toBe('Opening the checkout…')
  answer.resolve()
  await expect.poll(() => page.title()).toContain('/checkout/')
})
