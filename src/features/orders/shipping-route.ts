import type { Static } from 'typebox'
import { shippingStatuses } from '../../domain/order.ts'
import { atLeastOne, object, oneOf, optional, text } from '../../http/api/fields.ts'
import type { RouteRequest } from '../../http/api/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { exampleOrder } from './example.ts'
import { type Order, viewOrder } from './order.ts'
import { orderSchema } from './schema.ts'
import type { UpdateShipping } from './shipping.ts'

export interface ShippingServices {
  readonly updateShipping: UpdateShipping
  readonly clock: Clock
}

const fields = object({
  status: optional(oneOf(shippingStatuses, { description: 'Any value may follow any.' })),
  name_ar: optional(text({ max: 120, description: 'Custom label in Arabic.', examples: ['قيد التجهيز'] })),
  name_en: optional(text({ max: 120, description: 'Custom label in English.', examples: ['Being prepared'] })),
})
const update = atLeastOne(fields, ['status', 'name_ar', 'name_en'])

/** Spec, "POST /v1/orders/{orderUuid}/status". */
export const updateShippingStatus = {
  tag: 'Orders',
  summary: 'Update the shipping status, a custom label, or both',
  description:
    'At least one field. A label sent in one language is translated into the other, or copied where no translation ' +
    'can be had. A label stays until it is replaced.',
  body: update,
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
    { merchant, params, body, locale, once }: RouteRequest<Static<typeof fields>, 'orderUuid'>,
    { updateShipping, clock }: ShippingServices,
  ) {
    const view = (order: Order) => viewOrder(order, locale, clock.now())
    return view(await updateShipping(merchant, params.orderUuid, body, once.keeping(view)))
  },
} as const
