import Type, { type Static } from 'typebox'
import type { Earning, RatingAudit } from '../../domain/earning.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { NO_MONEY } from '../../domain/money.ts'
import { integer, jsonText, metadata, object, optional, phoneNumber, text } from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import { exampleMetadata, exampleOrder, orderSchema } from '../orders/view.ts'
import { type EarningServices, newEarning, viewEarned } from './new-earning.ts'
import { pendingSchema } from './pending.ts'

const common = {
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
  ...common,
  product_id: text({ max: 255, description: 'Your id or SKU of the product.', examples: ['SKU-77'] }),
  product_name: optional(text({ max: 255, description: 'Kept for audit.', examples: ['Coffee beans 1 kg'] })),
})

const storeRating = object(common)

const exampleReview = {
  phone_number: '+966512345678',
  review_reference: 'review-1001',
  rating: 5,
  comment: 'Fresh and fragrant',
  metadata: exampleMetadata,
}

/** The order of a review has no products. */
function exampleRatingOrder(total_points: number) {
  const { items: _, ...order } = exampleOrder({ order_number: exampleReview.review_reference, total_price: 0 })
  return { ...order, total_points }
}

const description =
  "Awards the merchant's flat points. One earning of a merchant at a time: retry a 429 after its `Retry-After`. " +
  'A repeated `review_reference` answers with the `order_uuid` of the first in `appended_data`.'

/** Spec, "POST /v1/orders/earning/product-rating". */
export const earnForProductRating = {
  tag: 'Earning',
  summary: 'Award points for the rating of a product',
  description,
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

/** Spec, "POST /v1/orders/earning/store-rating". */
export const earnForStoreRating = {
  tag: 'Earning',
  summary: 'Award points for the rating of the store',
  description,
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

/** Decisions §5: its order number is the `review_reference`, its total is 0. */
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
