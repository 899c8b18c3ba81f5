import Type, { type Static } from 'typebox'
import type { Earning } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import {
  halalas,
  jsonText,
  metadata,
  money,
  object,
  optional,
  optionalHalalas,
  phoneNumber,
  productLines,
  roundPrice,
  shippingAddress,
  text,
} from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import { exampleMetadata, exampleOrder, exampleProducts, orderSchema } from '../orders/view.ts'
import { type EarningServices, newEarning, viewEarned } from './new-earning.ts'
import { pendingSchema } from './pending.ts'

const purchase = object({
  phone_number: phoneNumber(),
  total_price: money({ description: 'SAR. Authoritative: points follow it alone.', examples: [199.5] }),
  products: productLines(),
  order_number: text({ max: 255, description: 'Your reference, unique among your purchases.', examples: ['1001'] }),
  name: optional(text({ max: 255, description: "The customer's name.", examples: ['Sara'] })),
  shipping_amount: optional(money()),
  tax_amount: optional(money()),
  discount_amount: optional(money()),
  shipping_address: optional(shippingAddress()),
  metadata: optional(metadata()),
})

/** Spec, "POST /v1/orders/earning". */
export const earnForPurchase = {
  tag: 'Earning',
  summary: 'Award points for a purchase',
  description:
    'Call it once the purchase is confirmed. One earning of a merchant at a time: retry a 429 after its `Retry-After`. ' +
    'A repeated `order_number` answers with the `order_uuid` of the first in `appended_data`. Points that would bring a ' +
    'wallet above 100,000,000,000,000 are a 422 on `total_price`.',
  body: purchase,
  data: Type.Union([orderSchema, pendingSchema]),
  failures: ['earning_in_progress', 'order_number_repeated'],
  example: {
    request: {
      phone_number: '+966512345678',
      total_price: 151,
      products: exampleProducts,
      order_number: '1001',
      name: 'Sara',
      shipping_amount: 15,
      tax_amount: 19.7,
      discount_amount: 0,
      shipping_address: { city: 'Riyadh', line1: 'Olaya St 1' },
      metadata: exampleMetadata,
    },
    data: exampleOrder(),
  },
  async handle(
    { body, merchant, locale, once }: RouteRequest<Static<typeof purchase>>,
    { earn, clock }: EarningServices,
  ) {
    return viewEarned(await earn(purchaseEarning(merchant, body, once.uuid)), locale, clock)
  },
} as const

function purchaseEarning(merchant: Merchant, body: Static<typeof purchase>, order_uuid: Uuid): Earning {
  const total_halalas = halalas(body.total_price)
  return {
    ...newEarning(merchant, 'purchase', body.phone_number, total_halalas),
    order_uuid,
    order_number: body.order_number,
    name: body.name ?? null,
    shipping_halalas: optionalHalalas(body.shipping_amount),
    tax_halalas: optionalHalalas(body.tax_amount),
    discount_halalas: optionalHalalas(body.discount_amount),
    shipping_address: jsonText(body.shipping_address),
    items: JSON.stringify(body.products.map(roundPrice)),
    metadata: jsonText(body.metadata),
  }
}
