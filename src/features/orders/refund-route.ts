import type { Static } from 'typebox'
import { parseSar } from '../../domain/money.ts'
import { money, object, optional, text } from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { exampleOrder } from './example.ts'
import { type Order, viewOrder } from './order.ts'
import type { RefundOrder } from './refund.ts'
import { orderSchema } from './schema.ts'

export interface RefundServices {
  readonly refundOrder: RefundOrder
  readonly clock: Clock
}

const refund = object({
  amount: optional(money({ description: 'SAR. Without it, all that is left is refunded.', examples: [49.9] })),
  reason: optional(text({ max: 500, description: 'Echoed in the event.', examples: ['Returned by the customer'] })),
})

/** Spec, "POST /v1/orders/{orderUuid}/refund". */
export const refundOneOrder = {
  tag: 'Orders',
  summary: 'Refund an order, whole or in part',
  description:
    'Points follow the money: earned points are taken back and redeemed points given back in the share of the total ' +
    'that is refunded, exact to the point over any number of partial refunds.',
  body: refund,
  body_optional: true,
  data: orderSchema,
  failures: [
    'order_not_found',
    'cannot_refund',
    'order_settled',
    'refund_window_over',
    'refund_amount_zero',
    'refund_exceeds_left',
  ],
  example: {
    request: { amount: 49.9, reason: 'Returned by the customer' },
    data: exampleOrder({ order_status: 'partially_refunded' }),
  },
  async handle(request: RouteRequest<Static<typeof refund>, 'orderUuid'>, { refundOrder, clock }: RefundServices) {
    const { merchant, params, body, locale, once } = request
    const amount_halalas = body.amount === undefined ? null : parseSar(body.amount)
    const asked = { amount_halalas, reason: body.reason ?? null }
    const view = (order: Order) => viewOrder(order, locale, clock.now())
    return view(await refundOrder(merchant, params.orderUuid, asked, once.keeping(view)))
  },
} as const
