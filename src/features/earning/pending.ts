import Type from 'typebox'
import type { Earning } from '../../domain/earning.ts'
import { toSar } from '../../domain/money.ts'

/** What earnings answer while the customer has not activated the account (decisions §3, "Pending activation"). */
export const pendingSchema = Type.Object(
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

/** Shapes a pending earning for its merchant. */
export function viewPending(id: number, earning: Earning): Type.Static<typeof pendingSchema> {
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
