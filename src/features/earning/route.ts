import Type, { type Static } from 'typebox'
import { type Earning, type EarningSource, pointsFor, type RatingAudit } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { type Halalas, NO_MONEY, toSar } from '../../domain/money.ts'
import { parsePhone } from '../../domain/phone.ts'
import {
  halalas,
  integer,
  jsonText,
  max_product_name,
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
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import {
  exampleMetadata,
  exampleOrder,
  exampleProducts,
  type OrderView,
  orderSchema,
  viewOrder,
} from '../orders/view.ts'
import type { Earn, Earned } from './service.ts'

export interface EarningServices {
  readonly earn: Earn
  readonly clock: Clock
}

/** The answer while the customer has not activated the account. docs/spec/earning.md#pending-activation */
const pendingSchema = Type.Object(
  {
    pending_client_activation: Type.Literal(true),
    pending_earning_order: Type.Object({
      id: Type.Integer(),
      merchant_order_number: Type.String({ description: 'The `order_number`, or the `review_reference` of a rating.' }),
      total_price: Type.Number({ description: 'SAR; 0 for a rating.' }),
      total_points: Type.Integer({ description: 'Awarded on activation.' }),
    }),
  },
  { title: 'PendingActivation' },
)

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

/** docs/spec/earning.md#earn */
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

const ratingFields = {
  phone_number: phoneNumber(),
  review_reference: text({
    max: 255,
    description: 'Your id of the review, unique among your reviews of this kind.',
    examples: ['review-1001'],
  }),
  rating: optional(integer({ min: 1, max: 5, description: 'Kept for audit; points do not depend on it.' })),
  comment: optional(text({ max: 5_000, description: 'Kept for audit.', examples: ['Fresh and fragrant'] })),
  metadata: optional(metadata()),
}

const productRating = object({
  ...ratingFields,
  product_id: text({ max: 255, description: 'Your id or SKU of the product.', examples: ['SKU-77'] }),
  product_name: optional(
    text({ max: max_product_name, description: 'Kept for audit.', examples: ['Coffee beans 1 kg'] }),
  ),
})

const storeRating = object(ratingFields)

const exampleReview = {
  phone_number: '+966512345678',
  review_reference: 'review-1001',
  rating: 5,
  comment: 'Fresh and fragrant',
  metadata: exampleMetadata,
}

/** The order of a rating has no products. */
function exampleRatingOrder(total_points: number) {
  const { items: _, ...order } = exampleOrder({ order_number: exampleReview.review_reference, total_price: 0 })
  return { ...order, total_points }
}

const ratingDescription =
  "Awards the merchant's flat points. One earning of a merchant at a time: retry a 429 after its `Retry-After`. " +
  'A repeated `review_reference` answers with the `order_uuid` of the first in `appended_data`.'

/** docs/spec/earning.md#product-rating */
export const earnForProductRating = {
  tag: 'Earning',
  summary: 'Award points for the rating of a product',
  description: ratingDescription,
  body: productRating,
  data: Type.Union([orderSchema, pendingSchema]),
  failures: ['earning_in_progress'],
  example: {
    request: { ...exampleReview, product_id: 'SKU-77', product_name: 'Coffee beans 1 kg' },
    data: exampleRatingOrder(50),
  },
  async handle(request: RouteRequest<Static<typeof productRating>>, { earn, clock }: EarningServices) {
    const { body, merchant, locale, once } = request
    const { product_id, product_name = null } = body
    const earning = ratingEarning(merchant, 'product_rating', body, { product_id, product_name })
    return viewEarned(await earn({ ...earning, order_uuid: once.uuid }), locale, clock)
  },
} as const

/** docs/spec/earning.md#store-rating */
export const earnForStoreRating = {
  tag: 'Earning',
  summary: 'Award points for the rating of the store',
  description: ratingDescription,
  body: storeRating,
  data: Type.Union([orderSchema, pendingSchema]),
  failures: ['earning_in_progress'],
  example: { request: exampleReview, data: exampleRatingOrder(100) },
  async handle(request: RouteRequest<Static<typeof storeRating>>, { earn, clock }: EarningServices) {
    const { body, merchant, locale, once } = request
    const earning = ratingEarning(merchant, 'store_rating', body, { product_id: null, product_name: null })
    return viewEarned(await earn({ ...earning, order_uuid: once.uuid }), locale, clock)
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

/** The earning of a rating. docs/spec/earning.md#rating-orders */
function ratingEarning(
  merchant: Merchant,
  source: 'product_rating' | 'store_rating',
  body: Static<typeof storeRating>,
  product: Pick<RatingAudit, 'product_id' | 'product_name'>,
): Omit<Earning, 'order_uuid'> {
  const { phone_number, review_reference, rating = null, comment = null } = body
  return {
    ...newEarning(merchant, source, phone_number, NO_MONEY),
    order_number: review_reference,
    name: null,
    shipping_halalas: null,
    tax_halalas: null,
    discount_halalas: null,
    shipping_address: null,
    items: null,
    metadata: jsonText(body.metadata),
    audit: { ...product, rating, comment },
  }
}

/** The fields that all earnings share: the points at the current rates, and the ids of the rows to write. */
function newEarning(
  merchant: Merchant,
  source: EarningSource,
  phone_number: string,
  total_halalas: Halalas,
): Pick<
  Earning,
  'merchant' | 'source' | 'phone' | 'total_halalas' | 'points' | 'audit' | 'transfer_id' | 'event_id' | 'customer_id'
> {
  const phone = parsePhone(phone_number)
  if (phone === null) throw new TypeError('a validated phone number does not parse')
  const ids = { transfer_id: newUuid(), event_id: newUuid(), customer_id: newUuid() }
  const points = pointsFor(merchant, source, total_halalas)
  return { merchant, source, phone, total_halalas, points, audit: null, ...ids }
}

/** The order, or the pending earning. */
function viewEarned(earned: Earned, locale: Locale, clock: Clock): OrderView | Static<typeof pendingSchema> {
  if (earned.kind === 'pending') return viewPending(earned.id, earned.earning)
  return viewOrder(earned.order, locale, clock.now())
}

function viewPending(id: number, earning: Earning): Static<typeof pendingSchema> {
  return {
    pending_client_activation: true,
    pending_earning_order: {
      id,
      merchant_order_number: earning.order_number,
      total_price: toSar(earning.total_halalas),
      total_points: earning.points,
    },
  }
}
