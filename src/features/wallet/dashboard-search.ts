import Type, { type Static } from 'typebox'
import { text } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { OrderPageServices } from '../orders/dashboard.ts'
import { listedOrderSchema, viewListed } from '../orders/dashboard-view.ts'
import type { CustomerPageServices } from './dashboard.ts'
import { customerOfMerchantSchema, viewCustomerOfMerchant } from './dashboard-view.ts'

const most_customers_found = 4
const most_orders_found = 6
const searchQuery = Type.Object({ q: text({ max: 255 }) })

/** docs/spec/dashboard-orders.md#search */
export const searchMerchant = {
  tag: 'Search',
  summary: 'Find orders and customers by a number, a reference, a phone, a uuid or a name',
  description: `At most ${most_customers_found} customers and ${most_orders_found} orders.`,
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
      customers: customers.slice(0, most_customers_found).map((customer) => viewCustomerOfMerchant(customer, standing)),
      orders: orders.slice(0, most_orders_found).map((order) => viewListed(order, standing)),
    }
  },
} as const
