import type { Earning } from '../../domain/earning.ts'
import type { Failure } from '../../domain/failures.ts'
import type { Order, ProductLine } from '../orders/order.ts'

/** What an accepted earning became. */
export type Earned =
  | { readonly kind: 'order'; readonly order: Order }
  /** It waits for its customer to activate the account; `id` is its public integer (decisions §3). */
  | { readonly kind: 'pending'; readonly id: number; readonly earning: Earning }

export type Outcome = Earned | { readonly kind: 'refused'; readonly failure: Failure }

/** The order that an earning becomes when it is awarded. */
export function awardedOrder(
  earning: Earning,
  stored: { readonly id: number; readonly reference_number: string; readonly created_at: Date },
): Order {
  return {
    id: stored.id,
    order_uuid: earning.order_uuid,
    merchant_id: earning.merchant.merchant_id,
    type: 1,
    source: earning.source,
    reference_number: stored.reference_number,
    order_number: earning.order_number,
    order_status: 'approved',
    total_halalas: earning.total_halalas,
    total_points: earning.points,
    metadata: parseJson<object>(earning.metadata),
    items: parseJson<ProductLine[]>(earning.items),
    shipping_status: 'new',
    label_ar: null,
    label_en: null,
    settlement_id: null,
    created_at: stored.created_at,
    updated_at: stored.created_at,
  }
}

function parseJson<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
