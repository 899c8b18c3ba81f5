import Type, { type Static } from 'typebox'
import { parseUuid } from '../../domain/ids.ts'
import { availablePoints, type Wallet } from '../../domain/ledger.ts'
import { asHalalas, toSar } from '../../domain/money.ts'
import { asPoints } from '../../domain/points.ts'
import { adjustmentLimits, type Standing } from '../../domain/staff.ts'
import { terms } from '../../domain/terms.ts'
import { object, oneOf, text } from '../../http/api/fields.ts'
import { refuseFields } from '../../http/api/validation.ts'
import { DashboardAnswer, Download } from '../../http/dashboard/answers.ts'
import { limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { type Cell, csvFile, readPages } from '../../lib/csv.ts'
import type { OrderPageServices } from '../orders/dashboard.ts'
import { customerSchema, listedOrderSchema, viewListed, viewPerson } from '../orders/dashboard-view.ts'
import type { AdjustByStaff } from './adjust.ts'
import type {
  CustomerAtMerchant,
  CustomerCursor,
  CustomerDetail,
  CustomerPages,
  ListedCustomer,
  Movement,
} from './dashboard-customers.ts'

/** What the dashboard's endpoints about customers need. */
export interface CustomerPageServices {
  readonly customerPages: CustomerPages
  readonly adjustByStaff: AdjustByStaff
}

const nullable = <S extends Type.TSchema>(schema: S, about = {}) => Type.Union([schema, Type.Null()], about)
const instant = () => Type.String({ format: 'date-time' })
const walletSchema = { posted: Type.Integer(), held: Type.Integer(), available: Type.Integer() }

/** A customer with the wallet. */
const customerOfMerchantSchema = Type.Object({
  ...customerSchema.properties,
  ...walletSchema,
  status: oneOf(['invited', 'active', 'erased']),
  created_at: instant(),
  activated_at: nullable(instant()),
})

function viewCustomerOfMerchant(customer: CustomerAtMerchant, standing: Standing) {
  const { posted, held, status, created_at, activated_at, erased_at } = customer
  return {
    ...viewPerson(customer, standing),
    ...viewWallet({ posted, held }),
    status: erased_at === null ? status : ('erased' as const),
    created_at: created_at.toISOString(),
    activated_at: activated_at?.toISOString() ?? null,
  }
}

function viewWallet({ posted, held }: Pick<Wallet, 'posted' | 'held'>) {
  return { posted, held, available: availablePoints({ posted, held }) }
}

const detailSchema = Type.Object({
  customer: customerOfMerchantSchema,
  pending: Type.Array(
    Type.Object({
      pending_uuid: Type.String({ format: 'uuid' }),
      source: oneOf(['purchase', 'product_rating', 'store_rating']),
      order_number: Type.String(),
      total_price: Type.Number({ description: 'SAR.' }),
      total_points: Type.Integer(),
      created_at: instant(),
    }),
    { description: 'Earnings at this merchant that wait until the customer joins.' },
  ),
  consent: nullable(
    Type.Object({
      terms_version: Type.String(),
      current: Type.Boolean({ description: 'Whether these are the terms of today.' }),
      locale: oneOf(['ar', 'en']),
      source: oneOf(['checkout', 'wallet']),
      created_at: instant(),
    }),
  ),
  adjustment: Type.Object({
    limit: nullable(
      Type.Integer({ description: 'The most points that you may add or take at once; null: any number.' }),
    ),
    most_taken: Type.Integer({ description: 'The most points that may be taken: the wallet does not go below zero.' }),
  }),
})

function viewDetail({ customer, pending, consent }: CustomerDetail, standing: Standing) {
  const limit = adjustmentLimits[standing]
  const spendable = Math.max(0, availablePoints(customer))
  return {
    customer: viewCustomerOfMerchant(customer, standing),
    pending: pending.map(({ total_halalas, created_at, ...earning }) => ({
      ...earning,
      total_price: toSar(total_halalas),
      created_at: created_at.toISOString(),
    })),
    consent:
      consent === null
        ? null
        : {
            ...consent,
            current: consent.terms_version === terms.version,
            created_at: consent.created_at.toISOString(),
          },
    adjustment: { limit, most_taken: limit === null ? spendable : Math.min(limit, spendable) },
  }
}

const customerListQuery = Type.Object({
  q: Type.Optional(text({ max: 255, description: 'A phone or a uuid.' })),
  ...listQuery,
})

const listedCustomerSchema = Type.Object({
  ...customerOfMerchantSchema.properties,
  visits: nullable(
    Type.Object({
      orders: Type.Integer(),
      sales: Type.Number({ description: 'SAR.' }),
      first_at: instant(),
      last_at: instant(),
    }),
    { description: 'Paid orders here; null for a customer who was searched for.' },
  ),
})

function viewListedCustomer(customer: ListedCustomer, standing: Standing) {
  const { orders, sales_halalas, first_at, last_at } = customer.visits
  return {
    ...viewCustomerOfMerchant(customer, standing),
    visits: {
      orders,
      sales: toSar(asHalalas(sales_halalas)),
      first_at: first_at.toISOString(),
      last_at: last_at.toISOString(),
    },
  }
}

/** docs/spec/dashboard-orders.md#customers */
export const listCustomersOfMerchant = {
  tag: 'Customers',
  summary: 'List who has paid orders at a merchant, or find a customer',
  query: customerListQuery,
  data: Type.Array(listedCustomerSchema),
  pagination: listPagination,
  async handle(
    { merchant, query, standing }: MerchantRequest<undefined, never, Static<typeof customerListQuery>>,
    { customerPages }: CustomerPageServices,
  ) {
    const { q } = query
    if (q !== undefined) {
      const found = await customerPages.find(merchant, q)
      const rows = found.map((customer) => ({ ...viewCustomerOfMerchant(customer, standing), visits: null }))
      return new DashboardAnswer(rows, { beside: { next: null } })
    }
    const limit = limitOf(query)
    const customers = await customerPages.list(merchant, { before: readVisit(query.after), limit })
    return pageOf(customers, { limit, view: (customer) => viewListedCustomer(customer, standing), cursor: visitText })
  },
} as const

function visitText({ visits: { last_at, customer_id } }: ListedCustomer): string {
  return `${last_at.getTime()}_${customer_id}`
}

function readVisit(after: string | undefined): CustomerCursor | null {
  if (after === undefined) return null
  const [, time, uuid] = /^(\d{1,15})_(.*)$/.exec(after) ?? []
  const customer_id = parseUuid(uuid ?? '')
  if (customer_id === null) return refuseFields({ field: 'after', rule: 'in' })
  return { last_at: new Date(Number(time)), customer_id }
}

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
      for await (const page of pages) yield page.map((customer) => customerCells(customer, standing))
    }
    return new Download({
      filename: `customers-${merchant.merchant_id}-last-${most_exported}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: csvFile(csvColumns[locale], records()),
    })
  },
} as const

function customerCells(customer: ListedCustomer, standing: Standing): Cell[] {
  const { customer_id, name, phone, phone_masked, status, available, held, visits } = viewListedCustomer(
    customer,
    standing,
  )
  const { orders, sales, first_at, last_at } = visits
  return [customer_id, name, phone ?? phone_masked, status, available, held, orders, sales, first_at, last_at]
}

/** docs/spec/dashboard-orders.md#customer */
export const readCustomerOfMerchant = {
  tag: 'Customers',
  summary: 'Read a customer with the wallet, pending earnings and consent',
  data: detailSchema,
  failures: ['not_found'],
  async handle(
    { merchant, params, standing }: MerchantRequest<undefined, 'customerId'>,
    { customerPages }: CustomerPageServices,
  ) {
    return viewDetail(await customerPages.read(merchant, params.customerId), standing)
  },
} as const

const historyQuery = Type.Object(listQuery)

/** docs/spec/dashboard-orders.md#history */
export const listHistoryOfCustomer = {
  tag: 'Customers',
  summary: "List what happened to a customer's points at this merchant, the newest first",
  description:
    'Movements of orders at other merchants of the program are left out. A page may be short before the end.',
  query: historyQuery,
  data: Type.Array(
    Type.Object({
      version: Type.Integer(),
      at: instant(),
      kind: oneOf(['earn', 'hold', 'release', 'reverse', 'return', 'adjust']),
      hold_state: nullable(oneOf(['open', 'posted', 'released'])),
      points: Type.Integer(),
      balance_after: Type.Integer({ description: 'The available points after it.' }),
      source: nullable(oneOf(['purchase', 'product_rating', 'store_rating', 'checkout'])),
      product_name: nullable(Type.String()),
      order_uuid: nullable(Type.String({ format: 'uuid' })),
      order_number: nullable(Type.String()),
      reason: nullable(Type.String()),
    }),
  ),
  pagination: listPagination,
  failures: ['not_found'],
  async handle(
    { merchant, params, query }: MerchantRequest<undefined, 'customerId', Static<typeof historyQuery>>,
    { customerPages }: CustomerPageServices,
  ) {
    const page = { before: readVersion(query.after), limit: limitOf(query) }
    const { movements, next } = await customerPages.history(merchant, params.customerId, page)
    return new DashboardAnswer(movements.map(viewMovement), { beside: { next: next === null ? null : String(next) } })
  },
} as const

function viewMovement({ merchant_name: _, merchant_id: _id, at, ...movement }: Movement) {
  return { ...movement, at: at.toISOString() }
}

function readVersion(after: string | undefined): number | null {
  if (after === undefined) return null
  if (!/^\d{1,15}$/.test(after)) return refuseFields({ field: 'after', rule: 'in' })
  return Number(after)
}

const adjustment = object({
  points: Type.Integer({
    minimum: -1_000_000_000,
    maximum: 1_000_000_000,
    description: 'Below 0 they are taken. Your role has a limit, and the wallet does not go below zero.',
  }),
  reason: text({ max: 500, description: 'The customer reads it in the wallet.' }),
})

/** docs/spec/dashboard-orders.md#adjustments */
export const adjustCustomer = {
  tag: 'Customers',
  summary: "Add points to a customer's wallet, or take them",
  body: adjustment,
  data: Type.Object(walletSchema),
  failures: ['not_found', 'validation'],
  async handle(
    { merchant, params, body, standing, actor, once }: MerchantRequest<Static<typeof adjustment>, 'customerId'>,
    { customerPages, adjustByStaff }: CustomerPageServices,
  ) {
    const { program } = merchant
    await customerPages.refuseUnknown(merchant, params.customerId)
    const wallet = await adjustByStaff(
      {
        ...{ program, customer_id: params.customerId, reason: body.reason, by: actor },
        ...{ points: asPoints(body.points), limit: adjustmentLimits[standing] },
      },
      once.keeping(viewWallet),
    )
    return viewWallet(wallet)
  },
} as const

const most_found = 8
const most_orders_found = 6
const searchQuery = Type.Object({ q: text({ max: 255 }) })

/** docs/spec/dashboard-orders.md#search */
export const searchMerchant = {
  tag: 'Search',
  summary: 'Find orders and customers by a number, a reference, a phone or a uuid',
  description: `At most ${most_found} results, customers first.`,
  query: searchQuery,
  data: Type.Object({
    customers: Type.Array(customerOfMerchantSchema),
    orders: Type.Array(listedOrderSchema),
  }),
  async handle(
    { merchant, query, standing }: MerchantRequest<undefined, never, Static<typeof searchQuery>>,
    { customerPages, orderPages }: CustomerPageServices & OrderPageServices,
  ) {
    const page = { before: undefined, limit: most_orders_found }
    const [customers, { orders }] = await Promise.all([
      customerPages.find(merchant, query.q),
      orderPages.list(merchant, { q: query.q }, page),
    ])
    return {
      customers: customers.map((customer) => viewCustomerOfMerchant(customer, standing)),
      orders: orders.slice(0, most_orders_found).map((order) => viewListed(order, standing)),
    }
  },
} as const
