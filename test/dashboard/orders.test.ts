import { beforeAll, describe, expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { screenshot, testBrowser } from '../support/browser.ts'
import { visitPages } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder, type MadeOrder, replacingOrder, rowOf } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase({ leaves: ['open holds'] })
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)
let earning: MadeOrder
let checkout: MadeOrder

beforeAll(async () => {
  for (let n = 0; n < 6; n += 1) {
    clock.advance(86_400)
    earning = await earningOrder(database.db, staff.shop.merchant, { clock, total: 10_000 + n * 3_745 })
  }
  await staff.services.refundOrder(staff.shop.merchant, earning.order_uuid, {
    amount_halalas: asHalalas(3_700),
    reason: 'One was broken',
  })
  checkout = await replacingOrder(database.db, staff.shop.merchant, { points: 500 })
})

const visit = async (path: string, look: { readonly width?: number; readonly mayFail?: RegExp } = {}) => {
  const { origin } = staff
  const page = await browser.open({ origin, device: 'desktop', ...look })
  await page.goto(`${origin}/dashboard${staff.pathOf(path)}`)
  return page
}

describe('the list of orders', () => {
  it('finds an order by its reference, and keeps the search in the URL', async () => {
    const { reference_number, order_number } = await rowOf(database.db, earning.order_uuid)
    const page = await visit('orders')
    await page.getByRole('table').waitFor()
    // All columns are in sight at a usual width.
    const panel = "document.querySelector('div:has(> table)')"
    expect(await page.evaluate(`${panel}.scrollWidth - ${panel}.clientWidth`)).toBe(0)
    await page.getByRole('searchbox').fill(String(reference_number).toLowerCase())
    await page.waitForURL(/[?&]q=/)
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: String(order_number) }).click()
    await page.getByRole('heading', { level: 1, name: /^Order/ }).waitFor()
  })
})

describe('on a phone', () => {
  it('the list comes before the filters, which one tap shows', async () => {
    const page = await visit('orders', { width: 390 })
    const more = page.getByRole('button', { name: 'More filters' })
    await more.waitFor()
    const first_day = page.getByLabel('From')
    expect(await first_day.isVisible()).toBe(false)
    await more.click()
    await first_day.waitFor()
    expect(await more.isVisible()).toBe(false)
  })
})

describe('an order', () => {
  it('is refunded after its preview was shown', async () => {
    const made = await earningOrder(database.db, staff.shop.merchant, { clock })
    const page = await visit(`orders/${made.order_uuid}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount (SAR)').fill('25')
    await dialog.getByText('The customer loses').waitFor()
    await dialog.getByText('250').waitFor()
    await screenshot(page, 'refund-dialog')
    await dialog.getByRole('button', { name: 'Refund 25.00 SAR' }).click()
    await page.getByText('The refund is made.').waitFor()
    expect(await rowOf(database.db, made.order_uuid)).toMatchObject({ order_status: 'partially_refunded' })
  })

  it('is refunded in the digits of an Arabic keyboard, and an amount that is missing or wrong is said to be', async () => {
    const made = await earningOrder(database.db, staff.shop.merchant, { clock })
    const page = await visit(`orders/${made.order_uuid}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByLabel('Amount (SAR)')
    await amount.fill('')
    await dialog.getByText('Enter a number.').waitFor()
    await dialog.getByText('What will happen is shown here once the amount is right.').waitFor()
    expect(await dialog.locator('.mantine-Skeleton-root').count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled()).toBe(true)
    await amount.fill('خمسة')
    await dialog.getByText('Write the number in digits').waitFor()
    await amount.fill('١٢٫٥٠')
    await dialog.getByRole('button', { name: 'Refund 12.50 SAR' }).click()
    await page.getByText('The refund is made.').waitFor()
    expect(await rowOf(database.db, made.order_uuid)).toMatchObject({ order_status: 'partially_refunded' })
  })

  it('says how much can still be refunded when the amount is more, also when somebody else refunds meanwhile', async () => {
    const made = await earningOrder(database.db, staff.shop.merchant, { clock })
    const page = await visit(`orders/${made.order_uuid}`, { mayFail: /refund-preview/ })
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByLabel('Amount (SAR)')
    const all = await amount.inputValue()
    expect(all).toBe('100.00')
    await amount.fill('90000')
    await dialog.getByText('100.00 SAR can still be refunded.').waitFor()
    await screenshot(page, 'refund-too-much')
    expect(await dialog.getByRole('alert').count()).toBe(0)
    expect(await dialog.getByRole('button', { name: /^Refund/ }).isDisabled()).toBe(true)
    const part = { amount_halalas: asHalalas(4_000), reason: null }
    await staff.services.refundOrder(staff.shop.merchant, made.order_uuid, part)
    await amount.fill(all)
    await dialog.getByText('60.00 SAR can still be refunded.').waitFor()
    await amount.fill('60')
    await dialog.getByRole('button', { name: 'Refund 60.00 SAR' }).click()
    await page.getByText('The refund is made.').waitFor()
    expect(await rowOf(database.db, made.order_uuid)).toMatchObject({ order_status: 'fully_refunded' })
  })

  it('that does not exist leaves a page with a heading', async () => {
    const page = await visit(`orders/${newUuid()}`, { mayFail: /\/orders\// })
    await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor()
  })

  it('is marked as paid by a person', async () => {
    const page = await visit(`orders/${checkout.order_uuid}`)
    await page.getByRole('button', { name: 'Mark as paid' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
    await page.getByText('The order is paid.').waitFor()
    expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ payment_method: '6' })
  })
})

// It advised to search for less, which finds even less.
it('the list says why a part of a number finds nothing', async () => {
  const page = await visit('orders?q=no-order-has-this')
  await page.getByText('numbers are found only in full').waitFor()
})

describe('a customer', () => {
  it('is found by phone and given points with a reason', async () => {
    const made = await earningOrder(database.db, staff.shop.merchant, { clock })
    const page = await visit(`customers?q=0${made.phone}`)
    await page.getByRole('link', { name: 'No name' }).click()
    await page.getByRole('button', { name: 'Adjust points' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Points').fill('50')
    await dialog.getByLabel('Reason').fill('A late parcel')
    await dialog.getByRole('button', { name: 'Add' }).click()
    // Wait until the dialog is gone: its field has the same text as the page.
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('A late parcel').waitFor()
  })
})

it('the pages of orders and customers fit and are accessible', async () => {
  const { customer_id } = await rowOf(database.db, earning.order_uuid)
  await visitPages(browser, {
    origin: staff.origin,
    paths: {
      'staff-customer': staff.pathOf(`customers/${customer_id}`),
      'staff-customers': staff.pathOf('customers'),
      'staff-order': staff.pathOf(`orders/${earning.order_uuid}`),
      'staff-orders': staff.pathOf('orders'),
    },
  })
})
