import { expect } from 'vitest'
import { type App, purchase } from './api.ts'

// Every POST of the interface, as a repeatable request.

export interface Merchant {
  readonly program_id: number
  readonly merchant_id: number
  readonly private_key: string
  readonly public_key: string
}

export interface Endpoint {
  /** Its path in the route table. */
  readonly row: string
  /** Where this merchant sends it; the same each time. */
  readonly path: (merchant: Merchant, app: App) => string | Promise<string>
  readonly body: () => Record<string, unknown>
  /** The same request, with another amount or name. */
  readonly other: Record<string, unknown>
  /** Fields that it refuses with a 422. */
  readonly bad: unknown
  /** How many effects of this kind the merchant has. */
  readonly count: string
}

const paths = new WeakMap<Merchant, Promise<string>>()

/** The merchant's order for this action, created at its first use. */
function ofOrder(action: string, make: (app: App, merchant: Merchant) => Promise<string>): Endpoint['path'] {
  return (merchant, app) => {
    const known = paths.get(merchant) ?? make(app, merchant).then((uuid) => `/v1/orders/${uuid}/${action}`)
    paths.set(merchant, known)
    return known
  }
}

export async function newOrder(app: App, { public_key, private_key }: Merchant): Promise<string> {
  const body = { total_price: 100, order_number: '1', phone_number: '500000001' }
  const { data } = (await app.post(`/v1/orders/checkout/${public_key}`, private_key, body)).body
  return (data as { order_uuid: string }).order_uuid
}

async function authorizedOrder(app: App, merchant: Merchant): Promise<string> {
  const uuid = await newOrder(app, merchant)
  expect(await app.post(`/v1/orders/${uuid}/authorize`, merchant.private_key)).toMatchObject({ status: 200 })
  return uuid
}

async function earnedOrder(app: App, { private_key }: Merchant): Promise<string> {
  const { data } = (await app.post('/v1/orders/earning', private_key, purchase())).body
  return (data as { uuid: string }).uuid
}

let numbered = 0
const rating = () => ({ phone_number: '500000001', review_reference: `R-${++numbered}`, product_id: 'SKU' })
const ordersOf = (source: string) =>
  `select count(*)::int as count from orders where program_id = $1 and merchant_id = $2 and source = '${source}'`
const eventsNamed = (name: string) =>
  `select count(*)::int as count from event where program_id = $1 and merchant_id = $2 and name = '${name}'`

export const endpoints: readonly Endpoint[] = [
  {
    row: '/v1/orders/earning',
    path: () => '/v1/orders/earning',
    body: () => purchase(),
    other: { total_price: 7 },
    bad: {},
    count: ordersOf('purchase'),
  },
  {
    row: '/v1/orders/earning/product-rating',
    path: () => '/v1/orders/earning/product-rating',
    body: rating,
    other: { rating: 5 },
    bad: {},
    count: ordersOf('product_rating'),
  },
  {
    row: '/v1/orders/earning/store-rating',
    path: () => '/v1/orders/earning/store-rating',
    body: rating,
    other: { rating: 5 },
    bad: {},
    count: ordersOf('store_rating'),
  },
  {
    row: '/v1/orders/checkout/:publicKey',
    path: ({ public_key }) => `/v1/orders/checkout/${public_key}`,
    body: () => ({ total_price: 100, order_number: '1' }),
    other: { total_price: 7 },
    bad: {},
    count: ordersOf('checkout'),
  },
  {
    row: '/v1/orders/:orderUuid/authorize',
    path: ofOrder('authorize', newOrder),
    body: () => ({ any: 'body' }),
    other: { any: 'other body' },
    bad: [1],
    count: eventsNamed('authorized'),
  },
  {
    row: '/v1/orders/:orderUuid/capture',
    path: ofOrder('capture', authorizedOrder),
    body: () => ({ any: 'body' }),
    other: { any: 'other body' },
    bad: [1],
    count: eventsNamed('captured'),
  },
  {
    row: '/v1/orders/:orderUuid/complete',
    path: ofOrder('complete', newOrder),
    body: () => ({ payment_method: '1' }),
    other: { payment_method: '2' },
    bad: { payment_method: '99' },
    count: eventsNamed('completed'),
  },
  {
    row: '/v1/orders/:orderUuid/cancel',
    path: ofOrder('cancel', newOrder),
    body: () => ({ reason: 'Out of stock' }),
    other: { reason: 'Other' },
    bad: { reason: 1 },
    count: eventsNamed('cancelled'),
  },
  {
    // Refund a part: without idempotency, a repeat would refund again.
    row: '/v1/orders/:orderUuid/refund',
    path: ofOrder('refund', earnedOrder),
    body: () => ({ amount: 10 }),
    other: { amount: 20 },
    bad: { amount: -1 },
    count: eventsNamed('refunded'),
  },
  {
    row: '/v1/orders/:orderUuid/status',
    path: ofOrder('status', earnedOrder),
    body: () => ({ status: 'delivered', name_en: 'At the door' }),
    other: { status: 'cancelled' },
    bad: {},
    count: eventsNamed('shipping_status_updated'),
  },
  {
    row: '/v1/webhooks',
    path: () => '/v1/webhooks',
    body: () => ({ name: 'Main', url: 'https://shop.example.com/' }),
    other: { name: 'Other' },
    bad: {},
    count: 'select count(*)::int as count from webhook where program_id = $1 and merchant_id = $2',
  },
  {
    row: '/v1/integration/status',
    path: () => '/v1/integration/status',
    body: () => ({ integration_active: false }),
    other: { integration_active: true },
    bad: {},
    count:
      'select count(*)::int as count from api_key where program_id = $1 and merchant_id = $2 and not integration_active',
  },
]

export function endpointOf(row: string): Endpoint {
  const endpoint = endpoints.find((one) => one.row === row)
  if (endpoint === undefined) throw new Error(`no endpoint ${row}`)
  return endpoint
}
