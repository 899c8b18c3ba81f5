import type { Static } from 'typebox'
import { parseSar } from '../../domain/money.ts'
import { shippingStatuses } from '../../domain/order.ts'
import { atLeastOne, money, object, oneOf, optional, text } from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { MoveOrder, OrderMove } from './move.ts'
import type { Order } from './order.ts'
import { type RefundOrder, refund_failures } from './refund.ts'
import type { ReadOrder } from './service.ts'
import type { UpdateShipping } from './shipping.ts'
import { exampleOrder, exampleReplacingOrder, orderSchema, viewOrder } from './view.ts'

/** What the handlers of the order endpoints need. */
export interface OrderServices {
  readonly readOrder: ReadOrder
  readonly moveOrder: MoveOrder
  readonly refundOrder: RefundOrder
  readonly updateShipping: UpdateShipping
  readonly clock: Clock
}

type OrderRequest<Body = undefined> = RouteRequest<Body, 'orderUuid'>

/** docs/spec/orders.md#read */
export const readOneOrder = {
  tag: 'Orders',
  summary: 'Read an order',
  data: orderSchema,
  failures: ['order_not_found'],
  example: { data: exampleOrder({ since: '3 hours ago' }) },
  async handle({ merchant, params, locale }: OrderRequest, { readOrder, clock }: OrderServices) {
    return viewOrder(await readOrder(merchant, params.orderUuid), locale, clock.now())
  },
} as const

async function move(request: OrderRequest<unknown>, { moveOrder, clock }: OrderServices, asked: OrderMove) {
  const { merchant, params, locale, once } = request
  const view = (order: Order) => viewOrder(order, locale, clock.now())
  return view(await moveOrder(merchant, params.orderUuid, asked, once.keeping(view)))
}

/** docs/spec/orders.md#authorize */
export const authorizeOrder = {
  tag: 'Orders',
  summary: 'Authorize a new order',
  description: 'The first of two steps: reserved points stay reserved until the order is captured or cancelled.',
  data: orderSchema,
  failures: ['order_not_found', 'cannot_authorize', 'insufficient_points'],
  example: { data: exampleReplacingOrder({ order_status: 'authorized' }) },
  handle: (request: OrderRequest, services: OrderServices) => move(request, services, { action: 'authorize' }),
} as const

/** docs/spec/orders.md#capture */
export const captureOrder = {
  tag: 'Orders',
  summary: 'Capture an authorized order',
  data: orderSchema,
  failures: ['order_not_found', 'cannot_capture', 'insufficient_points'],
  example: { data: exampleReplacingOrder({ order_status: 'captured', settlement_status: 'pending' }) },
  handle: (request: OrderRequest, services: OrderServices) => move(request, services, { action: 'capture' }),
} as const

/** Merchants know payment methods by number (docs/spec/orders.md#payment-methods). */
const paymentMethods = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const

export const completion = object({
  payment_method: optional(
    oneOf(paymentMethods, {
      description:
        '1 card network, 2 domestic debit card scheme, 3 mobile wallet payment, 4 card network, 5 buy-now-pay-later ' +
        'provider, 6 dashboard, 7 bank transfer, 8 wallet, 9 cash, 10 buy-now-pay-later provider.',
    }),
  ),
})

/** docs/spec/orders.md#complete */
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
  handle: (request: OrderRequest<Static<typeof completion>>, services: OrderServices) =>
    move(request, services, { action: 'complete', payment_method: request.body.payment_method }),
} as const

export const cancellation = object({
  reason: optional(text({ max: 500, description: 'Echoed in the event.', examples: ['Out of stock'] })),
})

/** docs/spec/orders.md#cancel */
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
  handle: (request: OrderRequest<Static<typeof cancellation>>, services: OrderServices) =>
    move(request, services, { action: 'cancel', reason: request.body.reason }),
} as const

export const refunding = object({
  amount: optional(money({ description: 'SAR. Without it, all that is left is refunded.', examples: [49.9] })),
  reason: optional(text({ max: 500, description: 'Echoed in the event.', examples: ['Returned by the customer'] })),
})

/** docs/spec/orders.md#refund */
export const refundOneOrder = {
  tag: 'Orders',
  summary: 'Refund an order, whole or in part',
  description:
    'Points follow the money: earned points are taken back and redeemed points given back in the share of the total ' +
    'that is refunded, exact to the point over any number of partial refunds.',
  body: refunding,
  body_optional: true,
  data: orderSchema,
  failures: refund_failures,
  example: {
    request: { amount: 49.9, reason: 'Returned by the customer' },
    data: exampleOrder({ order_status: 'partially_refunded' }),
  },
  async handle(request: OrderRequest<Static<typeof refunding>>, { refundOrder, clock }: OrderServices) {
    const { merchant, params, body, locale, once } = request
    const amount_halalas = body.amount === undefined ? null : parseSar(body.amount)
    const asked = { amount_halalas, reason: body.reason ?? null }
    const view = (order: Order) => viewOrder(order, locale, clock.now())
    return view(await refundOrder(merchant, params.orderUuid, asked, once.keeping(view)))
  },
} as const

const shipping = object({
  status: optional(oneOf(shippingStatuses, { description: 'Any value may follow any.' })),
  name_ar: optional(text({ max: 120, description: 'Custom label in Arabic.', examples: ['قيد التجهيز'] })),
  name_en: optional(text({ max: 120, description: 'Custom label in English.', examples: ['Being prepared'] })),
})
export const shippingUpdate = atLeastOne(shipping, ['status', 'name_ar', 'name_en'])

/** docs/spec/orders.md#update-shipping */
export const updateShippingStatus = {
  tag: 'Orders',
  summary: 'Update the shipping status, a custom label, or both',
  description:
    'At least one field. A label sent in one language is translated into the other, or copied where no translation ' +
    'can be had. A label stays until it is replaced.',
  body: shippingUpdate,
  data: orderSchema,
  failures: ['order_not_found'],
  example: {
    request: { status: 'delivery_is_in_progress', name_ar: 'مع المندوب', name_en: 'With the courier' },
    data: exampleOrder({
      status: 'delivery_is_in_progress',
      status_label: 'With the courier',
      custom_status: { ar: 'مع المندوب', en: 'With the courier' },
    }),
  },
  async handle(
    { merchant, params, body, locale, once }: OrderRequest<Static<typeof shipping>>,
    { updateShipping, clock }: OrderServices,
  ) {
    const view = (order: Order) => viewOrder(order, locale, clock.now())
    return view(await updateShipping(merchant, params.orderUuid, body, once.keeping(view)))
  },
} as const
