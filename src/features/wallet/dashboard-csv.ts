import Type from 'typebox'
import type { Locale } from '../../domain/locale.ts'
import type { Standing } from '../../domain/staff.ts'
import { Download } from '../../http/dashboard/answers.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { type Cell, csvFile, readPages } from '../../lib/csv.ts'
import type { CustomerStatus } from '../customers/status.ts'
import type { CustomerPageServices } from './dashboard.ts'
import type { ListedCustomer } from './dashboard-customers.ts'
import { viewListedCustomer } from './dashboard-view.ts'

/** The most customers of one file. */
const most_exported = 100_000

const csvColumns = {
  en: [
    'Customer id',
    'Name',
    'Phone',
    'State',
    'Can spend',
    'Reserved',
    'Orders',
    'Sales (SAR)',
    'First (UTC)',
    'Last (UTC)',
  ],
  ar: [
    'معرّف العميل',
    'الاسم',
    'الجوال',
    'الحالة',
    'متاح',
    'محجوز',
    'الطلبات',
    'المبيعات (ر.س)',
    'الأولى (UTC)',
    'الأخيرة (UTC)',
  ],
} as const

/** As the pages name them. */
const customerStates = {
  en: { invited: 'Invited', active: 'Active', erased: 'Erased', merged: 'Merged' },
  ar: { invited: 'مدعو', active: 'نشط', erased: 'محذوف', merged: 'مدموج' },
} as const satisfies Record<Locale, Record<CustomerStatus, string>>

/** docs/spec/dashboard-orders.md#csv */
export const exportCustomers = {
  tag: 'Customers',
  summary: `Save the customers of a merchant as CSV, the ${most_exported} who came last at most`,
  data: Type.String(),
  async handle({ merchant, standing, locale }: MerchantRequest, { customerPages }: CustomerPageServices) {
    const pages = readPages<ListedCustomer>(most_exported, async (last, limit) => {
      const found = await customerPages.list(merchant, { before: last?.visits ?? null, limit })
      return found.slice(0, limit)
    })
    const records = async function* () {
      for await (const page of pages) yield page.map((customer) => customerCells(customer, standing, locale))
    }
    return new Download({
      filename: `customers-${merchant.merchant_id}-last-${most_exported}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: csvFile(csvColumns[locale], records()),
    })
  },
} as const

function customerCells(customer: ListedCustomer, standing: Standing, locale: Locale): Cell[] {
  const { customer_id, name, phone, phone_masked, status, available, held, visits } = viewListedCustomer(
    customer,
    standing,
  )
  const { orders, sales, first_at, last_at } = visits
  const state = customerStates[locale][status]
  return [customer_id, name, phone ?? phone_masked, state, available, held, orders, sales, first_at, last_at]
}
