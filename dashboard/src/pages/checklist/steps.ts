import type { DataOf } from '../../api/client.ts'
import { is_sandbox } from '../../app/page-facts.ts'

type ItemName = DataOf<'/merchants/{merchantId}/checklist', 'get'>[number]['item']

export type Step = {
  readonly item: ItemName
  /** A command to paste. */
  readonly snippet?: (origin: string, public_key: string) => string
} & (
  | { readonly page: string; readonly pageName: 'keys' | 'webhooks' | 'deliveries' | 'brand' | 'orders' }
  | { readonly page?: never; readonly pageName?: never }
)

/** A sandbox has a certificate of its own authority, which `data/sandbox.env` names. */
const curl = is_sandbox ? 'curl --cacert "$NUQTA_CA"' : 'curl'

/** What the reader puts in: the private key of this merchant. `$NUQTA_PRIVATE_KEY` of a sandbox's shell is another one's. */
const private_key = 'YOUR_PRIVATE_KEY'

/** An earning as a shop's server sends it. */
const earning = (origin: string): string => `${curl} ${origin}/api/v1/orders/earning \\
  -H "x-api-key: ${private_key}" -H 'content-type: application/json' \\
  -d '{"phone_number":"+966512345678","order_number":"1001","total_price":100,
       "products":[{"product_name":"Coffee","product_price":50,"quantity":2}]}'`

const checkout = (
  origin: string,
  public_key: string,
): string => `${curl} ${origin}/api/v1/orders/checkout/${public_key} \\
  -H 'content-type: application/json' -d '{"order_number":"web-1001","total_price":100}'`

const refund = (origin: string): string => `${curl} ${origin}/api/v1/orders/ORDER_ID/refund \\
  -H "x-api-key: ${private_key}" -H 'content-type: application/json' \\
  -d '{"amount":10,"reason":"One cup was cold"}'`

/** In the order in which a merchant takes them. */
export const steps: readonly Step[] = [
  { item: 'first_earning', snippet: earning, page: 'settings/keys', pageName: 'keys' },
  { item: 'webhook_registered', page: 'webhooks', pageName: 'webhooks' },
  { item: 'webhook_verified', page: 'deliveries', pageName: 'deliveries' },
  { item: 'checkout_opened', snippet: checkout },
  { item: 'checkout_paid' },
  { item: 'first_refund', snippet: refund, page: 'orders', pageName: 'orders' },
  { item: 'brand_set', page: 'settings/brand', pageName: 'brand' },
]
