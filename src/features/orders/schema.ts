import Type from 'typebox'
import { orderStates, shippingStatuses } from '../../domain/order.ts'
import { oneOf, optional, storedProductLine } from '../../http/api/fields.ts'

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const instant = () => Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] })

/** The Order of every order endpoint (spec, "Order"; decisions §3). */
export const orderSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Internal; identify orders by `uuid`.' }),
    uuid: Type.String({ format: 'uuid' }),
    reference_number: nullable(
      Type.String({ description: 'Short, to be read over the phone.', examples: ['VQ8K8ZPPCF'] }),
    ),
    order_status: oneOf(orderStates, { description: 'Financial state.' }),
    status_label: Type.String({ description: 'The shipping status, or its custom label, in the request locale.' }),
    custom_status: nullable(Type.Object({ ar: Type.String(), en: Type.String() })),
    order_number: Type.String(),
    type: Type.Unsafe<1 | 2>({ type: 'integer', enum: [1, 2], description: '1 = earning, 2 = replacing.' }),
    total_price: Type.Number({ description: 'SAR.' }),
    total_points: Type.Integer({ description: 'Points awarded (earning) or redeemed (replacing).' }),
    metadata: nullable(Type.Object({}, { additionalProperties: true })),
    date: nullable(Type.String({ format: 'date', description: 'In Asia/Riyadh.' })),
    time: nullable(Type.String({ description: 'HH:MM:SS in Asia/Riyadh.', examples: ['12:30:00'] })),
    since: nullable(
      Type.String({ description: 'Time since creation, in the request locale.', examples: ['3 hours ago'] }),
    ),
    settlement_status: nullable(oneOf(['pending', 'settled'])),
    status: oneOf(shippingStatuses, { description: 'Shipping status.' }),
    created_at: instant(),
    updated_at: instant(),
    items: optional(Type.Array(storedProductLine, { description: 'Present only when products were attached.' })),
  },
  { title: 'Order' },
)
