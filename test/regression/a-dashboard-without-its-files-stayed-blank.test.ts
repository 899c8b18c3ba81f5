import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

// While processes of two versions serve side by side, a page of one can ask the other for its files. It stayed blank for ever.

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

const assets = /\/dashboard\/assets\//

const visibilities = `[...document.querySelectorAll('.not-loaded')].map((one) => getComputedStyle(one).visibility)`

it('a dashboard whose files are missing says after a while that it is to be reloaded', async () => {
  const page = await browser.open({ origin: staff.origin, device: 'desktop', mayFail: assets })
  await page.route(assets, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await page.goto(`${staff.origin}/dashboard${staff.pathOf('orders')}`)
  expect(await page.evaluate(visibilities)).toEqual(['hidden'])
  await page.evaluate('for (const one of document.getAnimations()) one.finish()')
  expect(await page.evaluate(visibilities)).toEqual(['visible'])
  await page.getByText('Reload the page.').waitFor()
  await page.getByText('أعد تحميل الصفحة.').waitFor()
  await page.unroute(assets)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  expect(await page.evaluate(visibilities)).toEqual([])
})
