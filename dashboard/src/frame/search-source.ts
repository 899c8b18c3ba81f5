import { queryOptions } from '@tanstack/react-query'
import { send } from '../api/client.ts'

/** What the palette finds besides pages. */
interface Everything {
  readonly orders: readonly Row[]
  readonly customers: readonly Row[]
}

interface Row {
  readonly id: string
  readonly icon: 'orders' | 'person'
  readonly title: string
  readonly detail?: string
  readonly path: string
}

/** Asks the service for orders and customers by a number, reference, phone or uuid. */
export function findEverything(merchantId: number, q: string) {
  return queryOptions({
    queryKey: ['/merchants/{merchantId}/search', merchantId, q] as const,
    enabled: q.length >= 2,
    throwOnError: false,
    queryFn: async ({ signal }): Promise<Everything> => {
      const params = { path: { merchantId: Number(merchantId) }, query: { q } }
      const { orders, customers } = await send('get', '/merchants/{merchantId}/search', { params, signal })
      return {
        orders: orders.map(({ uuid, order_number, reference_number, created_at }) => ({
          id: uuid,
          icon: 'orders',
          title: `\u2068${order_number}\u2069`,
          detail: `\u2068${reference_number}\u2069 · ${created_at.slice(0, 10)}`,
          path: `orders/${uuid}`,
        })),
        customers: customers.map(({ customer_id, name, phone, phone_masked }) => ({
          id: customer_id,
          icon: 'person',
          title: name ?? `\u2068${phone ?? phone_masked ?? customer_id}\u2069`,
          detail: `\u2068${phone ?? phone_masked ?? customer_id}\u2069`,
          path: `customers/${customer_id}`,
        })),
      }
    },
  })
}
