import type { Static } from 'typebox'
import { object, oneOf, optional, text } from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { exampleReplacingOrder } from './example.ts'
import type { OrderMove } from './move.ts'
import { type Order, viewOrder } from './order.ts'
import { orderSchema } from './schema.ts'
import type { MoveOrder } from './transition.ts'

export interface TransitionServices {
  readonly moveOrder: MoveOrder
  readonly clock: Clock
}

/** Spec, "POST /v1/orders/{orderUuid}/complete": names that merchants know by number. */
const paymentMethods = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const

type Asked<Body = undefined> = RouteRequest<Body, 'orderUuid'>

async function move(request: Asked<unknown>, { moveOrder, clock }: TransitionServices, asked: OrderMove) {
  const { merchant, params, locale, once } = request
  const view = (order: Order) => viewOrder(order, locale, clock.now())
  return view(await moveOrder(merchant, params.orderUuid, asked, once.keeping(view)))
}

/** Spec, "POST /v1/orders/{orderUuid}/authorize". */
export const authorizeOrder = {
  tag: 'Orders',
  summary: 'Authorize a new order',
  description: 'The first of two steps: reserved points stay reserved until the order is captured or cancelled.',
  data: orderSchema,
  failures: ['order_not_found', 'cannot_authorize', 'insufficient_points'],
  example: { data: exampleReplacingOrder({ order_status: 'authorized' }) },
  handle: (request: Asked, services: TransitionServices) => move(request, services, { action: 'authorize' }),
} as const

/** Spec, "POST /v1/orders/{orderUuid}/capture". */
export const captureOrder = {
  tag: 'Orders',
  summary: 'Capture an authorized order',
  data: orderSchema,
  failures: ['order_not_found', 'cannot_capture', 'insufficient_points'],
  example: { data: exampleReplacingOrder({ order_status: 'captured', settlement_status: 'pending' }) },
  handle: (request: Asked, services: TransitionServices) => move(request, services, { action: 'capture' }),
} as const

const completion = object({
  payment_method: optional(
    oneOf(paymentMethods, {
      description:
        '1 card network, 2 domestic debit card scheme, 3 mobile wallet payment, 4 card network, 5 buy-now-pay-later ' +
        'provider, 6 dashboard, 7 bank transfer, 8 wallet, 9 cash, 10 buy-now-pay-later provider.',
    }),
  ),
})

/** Spec, "POST /v1/orders/{orderUuid}/complete". */
export const completeOrder = {
  tag: 'Orders',
  summary: 'Mark a replacing order as fully paid',
  description: 'For remainders that you collect yourself. Fires `approved`, then `completed`.',
  body: completion,
  body_optional: true,
  data: orderSchema,
  failures: [
    'order_not_found',
    'not_a_replacing_order',
    'order_already_paid',
    'cannot_complete',
    'insufficient_points',
  ],
  example: {
    request: { payment_method: '9' },
    data: exampleReplacingOrder({ order_status: 'approved', settlement_status: 'pending' }),
  },
  handle: (request: Asked<Static<typeof completion>>, services: TransitionServices) =>
    move(request, services, { action: 'complete', payment_method: request.body.payment_method }),
} as const

const cancellation = object({
  reason: optional(text({ max: 500, description: 'Echoed in the event.', examples: ['Out of stock'] })),
})

/** Spec, "POST /v1/orders/{orderUuid}/cancel". */
export const cancelOrder = {
  tag: 'Orders',
  summary: 'Cancel a new or authorized order',
  description: 'Reserved points are released. Refund an order that is paid.',
  body: cancellation,
  body_optional: true,
  data: orderSchema,
  failures: ['order_not_found', 'cannot_cancel'],
  example: {
    request: { reason: 'Out of stock' },
    data: exampleReplacingOrder({ order_status: 'cancelled' }),
  },
  handle: (request: Asked<Static<typeof cancellation>>, services: TransitionServices) =>
    move(request, services, { action: 'cancel', reason: request.body.reason }),
} as const
