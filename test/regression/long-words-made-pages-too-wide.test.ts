import { beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { expectToFit, resize, testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const word = 'W'.repeat(60)
const staff = staffedShop(database, clock)
let order_uuid: Uuid

beforeAll(async () => {
  const { shop, services } = staff
  const items = JSON.stringify([{ product_name: word, product_price: 10, quantity: 1 }])
  const earning = earningOf(shop.merchant, { order_number: word, items })
  order_uuid = earning.order_uuid
  await services.earn(earning)
  await services.refundOrder(shop.merchant, order_uuid, {
    amount_halalas: asHalalas(100),
    reason: word.repeat(3),
  })
})

const visit = (page: string) => openDashboard(browser, { origin: staff.origin, path: staff.pathOf(page) })

// Phones showed a page that was as wide as its longest word, so that nothing on it could be read.
it('an order number and a reason without a space break where the page ends', async () => {
  const list = await visit('orders')
  await list.getByText(word).first().waitFor()
  const order = await visit(`orders/${order_uuid}`)
  await order.getByText(word.repeat(3)).first().waitFor()
  for (const page of [list, order])
    for (const width of [1440, 360]) {
      await resize(page, { width, height: 800 })
      await expectToFit(page)
    }
})

// Its price stood beyond the edge of its card.
it('a product without a space leaves room for its price', async () => {
  const page = await visit(`orders/${order_uuid}`)
  await resize(page, { width: 360, height: 800 })
  await page.getByRole('table', { name: 'Items' }).waitFor()
  const rest = await page.evaluate<number>(`(() => {
    const table = document.querySelector('table[aria-label="Items"]')
    return table.scrollWidth - table.parentElement.clientWidth
  })()`)
  expect(rest).toBeLessThanOrEqual(0)
})
