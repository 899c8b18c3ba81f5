import type { Static } from 'typebox'
import { parseSar } from '../../domain/money.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { OrderMove } from './move.ts'
import type { Order } from './order.ts'
import {
  authorizeOrder,
  cancellation,
  cancelOrder,
  captureOrder,
  completeOrder,
  completion,
  type OrderServices,
  refunding,
  refundOneOrder,
  shippingUpdate,
  updateShippingStatus,
} from './routes.ts'
import { viewOrder } from './view.ts'

/** The moves of the merchant API, made by a person. docs/spec/dashboard-orders.md#actions */

type Asked<Body = undefined> = MerchantRequest<Body, 'orderUuid'>

async function move(request: Asked<unknown>, { moveOrder, clock }: OrderServices, asked: OrderMove) {
  const { merchant, params, locale, once, actor } = request
  const view = (order: Order) => viewOrder(order, locale, clock.now())
  return view(await moveOrder(merchant, params.orderUuid, asked, once.keeping(view), actor))
}

/** The examples are of the merchant API. */
function described<Row extends { readonly example?: unknown }>({ example: _, ...row }: Row): Omit<Row, 'example'> {
  return row
}

export const authorizeByHand = {
  ...described(authorizeOrder),
  handle: (request: Asked, services: OrderServices) => move(request, services, { action: 'authorize' }),
} as const

export const captureByHand = {
  ...described(captureOrder),
  handle: (request: Asked, services: OrderServices) => move(request, services, { action: 'capture' }),
} as const

/** docs/spec/orders.md#payment-methods */
const dashboard_method = '6'

export const completeByHand = {
  ...described(completeOrder),
  body: completion,
  handle: (request: Asked<Static<typeof completion>>, services: OrderServices) => {
    const { payment_method = dashboard_method } = request.body
    return move(request, services, { action: 'complete', payment_method })
  },
} as const

export const cancelByHand = {
  ...described(cancelOrder),
  body: cancellation,
  handle: (request: Asked<Static<typeof cancellation>>, services: OrderServices) =>
    move(request, services, { action: 'cancel', reason: request.body.reason }),
} as const

export const refundByHand = {
  ...described(refundOneOrder),
  body: refunding,
  async handle(request: Asked<Static<typeof refunding>>, { refundOrder, clock }: OrderServices) {
    const { merchant, params, body, locale, once, actor: by } = request
    const amount_halalas = body.amount === undefined ? null : parseSar(body.amount)
    const view = (order: Order) => viewOrder(order, locale, clock.now())
    const asked = { amount_halalas, reason: body.reason ?? null, by }
    return view(await refundOrder(merchant, params.orderUuid, asked, once.keeping(view)))
  },
} as const

export const updateShippingByHand = {
  ...described(updateShippingStatus),
  body: shippingUpdate,
  async handle(request: Asked<Static<typeof shippingUpdate>>, { updateShipping, clock }: OrderServices) {
    const { merchant, params, body, locale, once, actor } = request
    const view = (order: Order) => viewOrder(order, locale, clock.now())
    return view(await updateShipping(merchant, params.orderUuid, body, once.keeping(view), actor))
  },
} as const
