import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Order } from './order.ts'

const findOrdersText = prepared<Order>(
  'orders.find',
  `select o.id, o.order_uuid, o.merchant_id, o.type, o.source, o.reference_number, o.order_number, o.order_status, o.total_halalas,
     o.total_points, o.metadata, o.items, o.shipping_status, o.label_ar, o.label_en, o.settlement_id, o.created_at,
     o.updated_at
   from unnest($2::uuid[], $3::bigint[]) as k(order_uuid, merchant_id)
   join orders o on o.program_id = $1 and o.order_uuid = k.order_uuid and o.merchant_id = k.merchant_id`,
)

/** The orders of one program that exist and belong to the merchant who asks. */
export function findOrders(
  program_id: number,
  asked: readonly { readonly order_uuid: Uuid; readonly merchant_id: number }[],
): Statement<Order> {
  return findOrdersText(
    program_id,
    asked.map(({ order_uuid }) => order_uuid),
    asked.map(({ merchant_id }) => merchant_id),
  )
}
