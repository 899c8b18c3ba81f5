import type { RouteRequest } from '../../http/api/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { exampleOrder } from './example.ts'
import { viewOrder } from './order.ts'
import { orderSchema } from './schema.ts'
import type { ReadOrder } from './service.ts'

export interface OrderServices {
  readonly readOrder: ReadOrder
  readonly clock: Clock
}

/** Spec, "GET /v1/orders/{orderUuid}". */
export const readOneOrder = {
  tag: 'Orders',
  summary: 'Read an order',
  data: orderSchema,
  failures: ['order_not_found'],
  example: { data: exampleOrder({ since: '3 hours ago' }) },
  async handle(
    { merchant, params, locale }: RouteRequest<undefined, 'orderUuid'>,
    { readOrder, clock }: OrderServices,
  ) {
    return viewOrder(await readOrder(merchant, params.orderUuid), locale, clock.now())
  },
} as const
