import Type from 'typebox'
import { dayOf, timeOfDay } from '../../domain/day.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import { toSar } from '../../domain/money.ts'
import {
  type OrderState,
  orderStates,
  type ShippingStatus,
  settlementStatus,
  shippingLabel,
  shippingStatuses,
} from '../../domain/order.ts'
import { exampleInstant, nullable, oneOf, optional, storedProductLine, uuid } from '../../http/api/fields.ts'
import type { Order, ProductLine } from './order.ts'

/** The Order of the API (docs/spec/orders.md#order). Money in SAR. */
export interface OrderView {
  readonly id: number
  readonly uuid: string
  readonly reference_number: string
  readonly order_status: OrderState
  readonly status_label: string
  readonly custom_status: LocalText | null
  readonly order_number: string
  readonly type: 1 | 2
  readonly total_price: number
  readonly total_points: number
  readonly metadata: object | null
  readonly date: string
  readonly time: string
  readonly since: string
  readonly settlement_status: 'pending' | 'settled' | null
  readonly status: ShippingStatus
  readonly created_at: string
  readonly updated_at: string
  /** Present only when products were attached. */
  readonly items?: readonly ProductLine[]
}

/** Shapes an order for its merchant, in a locale, at an instant of business time. */
export function viewOrder(order: Order, locale: Locale, now: Date): OrderView {
  const custom = customStatus(order)
  const view = {
    id: order.id,
    uuid: order.order_uuid,
    reference_number: order.reference_number,
    order_status: order.order_status,
    status_label: shippingLabel(order.shipping_status, custom, locale),
    custom_status: custom,
    order_number: order.order_number,
    type: order.type,
    total_price: toSar(order.total_halalas),
    total_points: order.total_points,
    metadata: order.metadata,
    date: dayOf(order.created_at),
    time: timeOfDay(order.created_at),
    since: since(order.created_at, now, locale),
    settlement_status: settlementStatus({ state: order.order_status, settled: order.settled }),
    status: order.shipping_status,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
  return order.items === null ? view : { ...view, items: order.items }
}

/** The custom label in both languages, when one was set. */
export function customStatus({ label_ar, label_en }: Pick<Order, 'label_ar' | 'label_en'>): LocalText | null {
  return label_ar === null || label_en === null ? null : { ar: label_ar, en: label_en }
}

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const formats = {
  en: new Intl.RelativeTimeFormat('en', { numeric: 'always' }),
  ar: new Intl.RelativeTimeFormat('ar', { numeric: 'always' }),
}
const justNow = { en: formats.en.format(-0, 'second'), ar: formats.ar.format(-0, 'second') }

/** The age of `instant` at `now`, in the largest unit that it fills: `3 hours ago`. */
function since(instant: Date, now: Date, locale: Locale): string {
  const age_s = Math.trunc((now.getTime() - instant.getTime()) / 1000)
  // Formatting is slow, and every creation answers with the same text.
  if (age_s === 0) return justNow[locale]
  const [unit, length_s] = units.find(([, seconds]) => Math.abs(age_s) >= seconds) ?? ['second', 1]
  return formats[locale].format(-Math.trunc(age_s / length_s), unit)
}

/** The schema of `OrderView`, which every order endpoint answers with. */
export const orderSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Internal; identify orders by `uuid`.' }),
    uuid: uuid(),
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
    created_at: exampleInstant(),
    updated_at: exampleInstant(),
    items: optional(Type.Array(storedProductLine, { description: 'Present only when products were attached.' })),
  },
  { title: 'Order' },
)

/** Products and metadata of the examples in the API description. */
export const exampleProducts = [{ product_name: 'Coffee beans 1 kg', product_price: 75.5, quantity: 2 }]
export const exampleMetadata = { branch: 'Olaya' }

/** An example answer for the API description: an approved earning order with these changes. */
export function exampleOrder(changes: Partial<OrderView> = {}): OrderView {
  return {
    id: 1042,
    uuid: '019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e',
    reference_number: 'VQ8K8ZPPCF',
    order_status: 'approved',
    status_label: 'New',
    custom_status: null,
    order_number: '1001',
    type: 1,
    total_price: 151,
    total_points: 1510,
    metadata: exampleMetadata,
    date: '2026-01-31',
    time: '12:30:00',
    since: '0 seconds ago',
    settlement_status: 'pending',
    status: 'new',
    created_at: '2026-01-31T09:30:00.000Z',
    updated_at: '2026-01-31T09:30:00.000Z',
    items: exampleProducts,
    ...changes,
  }
}

/** The same for a replacing order, `new` unless `changes` say otherwise. */
export function exampleReplacingOrder(changes: Partial<OrderView>): OrderView {
  const replacing = { type: 2, total_points: 0, order_status: 'new', settlement_status: null } as const
  return exampleOrder({ ...replacing, ...changes })
}
