import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { continueAs, expectHeading, press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

// A page that waits for a payment asks again every few seconds, and a receipt leads back to the store. Where the service took
// longer to answer, that gave up the form that the customer had sent, or the page that they had asked for.

const database = testDatabase({ leaves: ['open holds'] })
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url, collector: 'sandbox', today: true })
const browser = testBrowser()
const store = 'https://shop.example'

/** As soon as the customer is on the way to another page, more time passes than the pages' timers wait. */
const clock = `{
  const later = setTimeout
  const [timers, now] = [[], performance.now.bind(performance)]
  let ahead_ms = 0
  globalThis.setTimeout = (run) => timers.push(run)
  performance.now = () => now() + ahead_ms
  addEventListener('beforeunload', () => later(() => {
    ahead_ms += 16_000
    for (const run of timers.splice(0)) run()
    console.info('time has passed')
  }))
}`

/** A customer who has confirmed a checkout. */
async function confirmed(points: number): Promise<Page> {
  const { me, path } = await stage.choosing(points, { total_price: 101, callback_url: `${store}/thanks` })
  const page = await browser.open({ origin: public_url, leadsTo: [store] })
  useOnce(page)
  await page.addInitScript(clock)
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + path)
  await press(page, 'confirm')
  return page
}

/** Holds some of the requests that a page makes next, until they are released. */
async function hold(page: Page, isHeld: (method: string, url: string) => boolean): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(`${public_url}/checkout/**`, async (route) => {
    const request = route.request()
    if (isHeld(request.method(), request.url())) await held.promise
    await route.continue()
  })
  return held.resolve
}

it('a page that waits for a payment does not give up a form that was sent', async () => {
  const page = await confirmed(3_000)
  await page.locator('input[name="card"][value="slow"] + label').click()
  await press(page, 'card')
  await expectHeading(page, 'Waiting for your payment')
  const release = await hold(page, (method) => method === 'POST')
  const passed = page.waitForEvent('console')
  const sent = press(page, 'resume')
  await passed
  release()
  await sent
  await expect.poll(() => page.locator('h1').textContent()).toBe('This payment page has been used')
})

it('a receipt does not lead to the store while the customer is on the way to another page', async () => {
  const page = await confirmed(50_000)
  await expectHeading(page, 'Paid. Thank you!')
  const release = await hold(page, (_, url) => url.includes('lang=ar'))
  const passed = page.waitForEvent('console')
  const followed = page.locator('a.language').click()
  await passed
  release()
  await followed
  await expect.poll(() => page.locator(':root').getAttribute('lang')).toBe('ar')
})
