import type { Clock } from '../../clock.ts'
import { route } from '../../http/route.ts'
import { viewOrder } from './order.ts'
import { orderSchema } from './schema.ts'
import type { ReadOrder } from './story.ts'

export const readOrderRoute = route({
  get: '/v1/orders/:orderUuid',
  key: 'private',
  tag: 'Orders',
  summary: 'Read an order',
  data: orderSchema,
  failures: ['order_not_found'],
  async handle({ merchant, params, locale }, services: { readonly readOrder: ReadOrder; readonly clock: Clock }) {
    const order = await services.readOrder(merchant, params.orderUuid)
    return viewOrder(order, locale, services.clock.now())
  },
})
