import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { checkStanding } from '../../http/api/auth.ts'
import { WithoutKey } from '../../http/api/idempotency.ts'
import { type Route, route } from '../../http/api/route.ts'
import { newUuid } from '../../lib/ids.ts'
import { type CheckoutServices, openOneCheckout } from '../checkout/route.ts'
import { type EarningServices, earnForProductRating, earnForPurchase, earnForStoreRating } from '../earning/route.ts'
import { type OrderServices, refundOneOrder } from '../orders/routes.ts'

/** The endpoints that a demo shop calls, each with the fields, checks and answers of the API. */

type ApiServices = CheckoutServices & EarningServices & OrderServices

const endpoints = {
  earn: route({
    post: '/v1/orders/earning',
    key: 'private',
    standing: 'published',
    flow: 'earning',
    ...earnForPurchase,
  }),
  rate: route({
    post: '/v1/orders/earning/product-rating',
    key: 'private',
    standing: 'published',
    flow: 'product_rating',
    ...earnForProductRating,
  }),
  'rate store': route({
    post: '/v1/orders/earning/store-rating',
    key: 'private',
    standing: 'published',
    flow: 'store_rating',
    ...earnForStoreRating,
  }),
  checkout: route({
    post: '/v1/orders/checkout/:publicKey',
    key: 'public',
    standing: 'published',
    flow: 'checkout',
    ...openOneCheckout,
  }),
  refund: route({ post: '/v1/orders/:orderUuid/refund', key: 'private', ...refundOneOrder }),
} as const

/** A request of a shop's server. */
export interface ShopRequest {
  readonly merchant: Merchant
  readonly body: Readonly<Record<string, unknown>>
  /** The `:names` of the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly locale?: Locale
  readonly client_address?: string
}

/** Calls an endpoint within this process and gives the `data` of its answer. Refuses as the endpoint does. */
export type ShopApi = (
  endpoint: keyof typeof endpoints,
  request: ShopRequest,
) => Promise<Readonly<Record<string, unknown>>>

export function createShopApi(services: ApiServices): ShopApi {
  return async (name, { merchant, body, params = {}, locale = 'en', client_address = '127.0.0.1' }) => {
    const endpoint: Route<ApiServices> = endpoints[name]
    checkStanding(endpoint, merchant)
    const data = await endpoint.run(
      {
        body,
        body_bytes: Buffer.from(JSON.stringify(body)),
        params,
        query: { lang: locale },
        merchant,
        locale,
        request_id: newUuid(),
        client_address,
        headers: {},
        once: new WithoutKey(),
      },
      services,
    )
    return { ...data }
  }
}
