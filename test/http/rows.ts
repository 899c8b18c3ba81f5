import Type from 'typebox'
import {
  integer,
  metadata,
  money,
  object,
  oneOf,
  optional,
  phoneNumber,
  productLines,
  shippingAddress,
  text,
  url,
} from '../../src/http/api/fields.ts'
import { Answer } from '../../src/http/api/responses.ts'
import { type Route, route } from '../../src/http/api/route.ts'

/** Rows like the real ones. Their handlers echo the request. */
export interface Services {
  /** Handlers wait for it. */
  pause?: Promise<void>
  /** The failing row throws it. */
  failure?: unknown
  handled: number
}

export const purchase = object({
  phone_number: phoneNumber(),
  total_price: money(),
  products: productLines(),
  order_number: text({ max: 255, examples: ['1001'] }),
  name: optional(text({ max: 255 })),
  shipping_amount: optional(money()),
  shipping_address: optional(shippingAddress()),
  metadata: optional(metadata()),
  rating: optional(integer({ min: 1, max: 5 })),
  state: optional(oneOf(['new', 'delivered'])),
  callback_url: optional(url()),
})

export const validPurchase = {
  phone_number: '+966512345678',
  total_price: 100.5,
  products: [{ product_name: 'Coffee', product_price: 50.25, quantity: 2 }],
  order_number: '1001',
}

const anything = Type.Object({})
const described = { tag: 'Sample', data: anything } as const

export const rows: readonly Route<Services>[] = [
  route({
    ...described,
    post: '/v1/orders/earning',
    key: 'private',
    standing: 'published',
    flow: 'earning',
    body: purchase,
    summary: 'Echo a purchase',
    failures: ['earning_in_progress', 'order_number_repeated'],
    example: { request: validPurchase, data: {} },
    async handle({ body, merchant, locale }, services: Services) {
      services.handled++
      await services.pause
      return { body, merchant_id: merchant.merchant_id, locale }
    },
  }),
  route({
    ...described,
    get: '/v1/orders/:orderUuid',
    key: 'private',
    summary: 'Echo a uuid',
    failures: ['order_not_found'],
    handle: async ({ params, query, client_address, request_id }) => ({ params, query, client_address, request_id }),
  }),
  route({
    ...described,
    post: '/v1/orders/:orderUuid/refund',
    key: 'private',
    body: object({ amount: optional(money()), reason: optional(text({ max: 500 })) }),
    body_optional: true,
    summary: 'Echo a refund',
    handle: async ({ body, params }) => ({ body, params }),
  }),
  route({
    ...described,
    post: '/v1/orders/:orderUuid/capture',
    key: 'private',
    summary: 'Echo an order without a body',
    handle: async ({ params }) => ({ params }),
  }),
  route({
    ...described,
    delete: '/v1/webhooks/:uuid',
    key: 'private',
    summary: 'Delete nothing',
    handle: async () => ({}),
  }),
  route({ ...described, get: '/v1/webhooks', key: 'private', summary: 'A list', handle: async () => [] }),
  route({
    ...described,
    post: '/v1/orders/checkout/:publicKey',
    key: 'public',
    standing: 'published',
    flow: 'checkout',
    cors: 'any',
    body: object({ total_price: money(), order_number: text() }),
    summary: 'Echo a checkout',
    handle: async ({ body, merchant }) => new Answer({ body, merchant_id: merchant.merchant_id }, { extra: 1 }),
  }),
  route({
    ...described,
    post: '/v1/failing',
    key: 'private',
    summary: 'Throw what the test wants',
    async handle(_request, services: Services) {
      throw services.failure
    },
  }),
]

export function newServices(): Services {
  return { handled: 0 }
}
