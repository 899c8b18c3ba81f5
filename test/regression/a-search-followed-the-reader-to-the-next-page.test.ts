import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder, rowOf } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

// A search waits for more letters. While the order's page still loaded, that wait ended, and the page was in the history twice.

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

it.each([
  { how: 'waits', entered: false },
  { how: 'was entered', entered: true },
])('a search that $how stays behind when the reader follows a link', async ({ entered }) => {
  const made = await earningOrder(database.db, staff.shop.merchant, { clock })
  const { order_number } = await rowOf(database.db, made.order_uuid)
  const page = await browser.open({ origin: staff.origin, device: 'desktop' })
  useOnce(page)
  await page.clock.install()
  const list = `${staff.origin}/dashboard${staff.pathOf('orders')}`
  await page.goto(list)
  const found = page.getByRole('link', { name: String(order_number) })
  await found.waitFor()
  const held = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  const field = page.getByRole('searchbox')
  await field.fill(`0${made.phone}`)
  if (entered) await field.press('Enter')
  await found.click()
  await page.waitForURL(/\/orders\/./)
  await page.clock.runFor(1_000)
  held.resolve()
  await page.getByRole('heading', { level: 1, name: String(order_number) }).waitFor()
  await page.goBack()
  expect(page.url()).toBe(list)
  await page.unrouteAll({ behavior: 'wait' })
})
