import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { orderStates } from '../../src/domain/order.ts'
import { customerStatuses } from '../../src/features/customers/status.ts'
import { orderCells } from '../../src/features/orders/dashboard-csv.ts'
import { exportCustomers } from '../../src/features/wallet/dashboard-csv.ts'
import { root } from '../support/tree.ts'

const textsOf = (locale: string, area: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(`${root}dashboard/src/texts/${locale}/${area}.json`, 'utf8'))

// The file of orders had other Arabic words than the list that it is a file of.
it.each(['en', 'ar'] as const)('orders have the same states in a file as on the pages, in %s', (locale) => {
  const texts = textsOf(locale, 'common')
  for (const order_status of orderStates) {
    const order = { order_status, created_at: new Date(), phone: null, shipping_status: 'new' }
    const named = texts[`status_${order_status === 'fully_refunded' ? 'refunded' : order_status}`]
    expect(orderCells(order as never, locale, true)[4]).toBe(named)
  }
})

// The file of customers named their states in English for everybody, as the API does.
it.each(['en', 'ar'] as const)('customers have the same states in a file as on the pages, in %s', async (locale) => {
  const texts = textsOf(locale, 'customers')
  const at = new Date()
  const visits = { orders: 1, sales_halalas: 100n, first_at: at, last_at: at }
  const nobody = { customer_id: 'x', phone: null, name: null, created_at: at, activated_at: null, posted: 0, held: 0 }
  const states = [
    { status: 'invited', erased_at: null, merged_into: null },
    { status: 'active', erased_at: null, merged_into: null },
    { status: 'active', erased_at: at, merged_into: null },
    { status: 'active', erased_at: null, merged_into: 'y' },
  ]
  const list = async () => states.map((state) => ({ ...nobody, ...state, visits }))
  const asked = { merchant: { merchant_id: 1 }, standing: 'owner', locale }
  const file = await exportCustomers.handle(asked as never, { customerPages: { list } } as never)
  let text = ''
  for await (const chunk of file.chunks) text += String(chunk)
  const cells = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[3])
  expect(cells).toEqual(customerStatuses.map((status) => texts[`status_${status}`]))
})
