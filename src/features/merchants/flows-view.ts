import Type, { type Static } from 'typebox'
import { boolean, object, optional } from '../../http/api/fields.ts'
import type { MerchantChanges } from './queries.ts'

/** The flows of a merchant as pages of the dashboard show and switch them. */

export const flowsSchema = Type.Object({
  earning: Type.Boolean(),
  product_rating: Type.Boolean(),
  store_rating: Type.Boolean(),
  checkout: Type.Boolean(),
})

export const flowsChange = object({
  earning: optional(boolean()),
  product_rating: optional(boolean()),
  store_rating: optional(boolean()),
  checkout: optional(boolean()),
})

/** Flows that were not sent are undefined. */
export function flowColumns(flows: Static<typeof flowsChange> = {}) {
  return {
    earning_on: flows.earning,
    product_rating_on: flows.product_rating,
    store_rating_on: flows.store_rating,
    checkout_on: flows.checkout,
  } satisfies Partial<Record<keyof MerchantChanges, boolean | undefined>>
}
