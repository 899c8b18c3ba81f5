import Type from 'typebox'
import { checkoutStep } from '../../domain/checkout.ts'
import { orderSources } from '../../domain/earning.ts'
import type { Locale } from '../../domain/locale.ts'
import { type Halalas, toSar } from '../../domain/money.ts'
import { orderStates, shippingStatuses } from '../../domain/order.ts'
import { maskPhone, type Phone } from '../../domain/phone.ts'
import { mayDo, type Standing } from '../../domain/staff.ts'
import { instant, nullable, oneOf, uuid } from '../../http/api/fields.ts'
import { statusOf } from '../customers/status.ts'
import type { OrderDetail, RefundPreview } from './dashboard-detail.ts'
import type { DashboardOrder } from './dashboard-list-queries.ts'
import { customStatus, viewOrder } from './view.ts'

/** An amount in SAR, in an answer. */
export const sar = (description?: string) => Type.Number(description === undefined ? {} : { description })

const label = nullable(Type.Object({ ar: Type.String(), en: Type.String() }))

/** A customer as staff see them. */
export const customerSchema = Type.Object({
  customer_id: uuid(),
  name: nullable(Type.String()),
  phone_masked: nullable(Type.String({ description: 'Null once the customer is erased.' })),
  phone: nullable(Type.String({ description: 'Only for those who may handle orders.' })),
})

/** Shows a customer; the whole phone only to those who may handle orders. */
export function viewPerson(
  { customer_id, name, phone }: { customer_id: string; name: string | null; phone: Phone | null },
  standing: Standing,
) {
  const whole = phone !== null && mayDo(standing, 'handle_orders')
  return {
    customer_id,
    name,
    phone_masked: phone === null ? null : maskPhone(phone),
    phone: whole ? `0${phone}` : null,
  }
}

/** A row of the list. */
export const listedOrderSchema = Type.Object({
  uuid: uuid(),
  reference_number: Type.String(),
  order_number: Type.String(),
  type: Type.Unsafe<1 | 2>({ type: 'integer', enum: [1, 2] }),
  source: oneOf(orderSources),
  order_status: oneOf(orderStates),
  total_price: sar('SAR.'),
  refunded_amount: sar('SAR.'),
  total_points: Type.Integer(),
  earned_points: Type.Integer(),
  status: oneOf(shippingStatuses),
  custom_status: label,
  created_at: instant(),
  paid_at: nullable(instant()),
  customer: nullable(customerSchema),
})

export function viewListed(order: DashboardOrder, standing: Standing) {
  const { customer_id, customer_name: name, phone } = order
  return {
    uuid: order.order_uuid,
    reference_number: order.reference_number,
    order_number: order.order_number,
    type: order.type,
    source: order.source,
    order_status: order.order_status,
    total_price: toSar(order.total_halalas),
    refunded_amount: toSar(order.refunded_halalas),
    total_points: order.total_points,
    earned_points: order.earned_points,
    status: order.shipping_status,
    custom_status: customStatus(order),
    created_at: order.created_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    customer: customer_id === null ? null : viewPerson({ customer_id, name, phone }, standing),
  }
}

interface Reader {
  readonly locale: Locale
  readonly standing: Standing
  readonly now: Date
}

export function viewDetail(detail: OrderDetail, { locale, standing, now }: Reader) {
  const { order, options, timeline } = detail
  return {
    order: viewOrder(order, locale, now),
    source: order.source,
    amounts: amountsOf(order),
    items: order.items ?? [],
    shipping_address: order.shipping_address,
    rating:
      order.rating === null && order.product_name === null && order.comment === null
        ? null
        : { product_name: order.product_name, rating: order.rating, comment: order.comment },
    payment_method: order.payment_method,
    reason: order.reason,
    customer: customerOf(order, standing),
    timeline,
    entries: detail.entries.map(({ created_at, ...entry }) => ({ ...entry, created_at: created_at.toISOString() })),
    ...moneyOf(detail),
    deliveries: deliveriesOf(detail),
    checkout: checkoutOf(detail, now),
    options: {
      moves: options.moves,
      refund: {
        allowed: options.refund.allowed,
        refused: options.refund.refused,
        up_to: toSar(options.refund.up_to_halalas),
        until: options.refund.until_ms === null ? null : new Date(options.refund.until_ms).toISOString(),
      },
    },
  }
}

function amountsOf(order: OrderDetail['order']) {
  const optional = (amount: Halalas | null) => (amount === null ? null : toSar(amount))
  return {
    total: toSar(order.total_halalas),
    redeemed: toSar(order.redeemed_halalas),
    refunded: toSar(order.refunded_halalas),
    shipping: optional(order.shipping_halalas),
    tax: optional(order.tax_halalas),
    discount: optional(order.discount_halalas),
    redeemed_points: order.type === 2 ? order.total_points : 0,
    returned_points: order.returned_points,
    earned_points: order.earned_points,
    reversed_points: order.reversed_points,
  }
}

function customerOf(order: OrderDetail['order'], standing: Standing) {
  const { customer_id, customer_name: name, customer_status, phone, posted, held } = order
  if (customer_id === null || customer_status === null || posted === null || held === null) return null
  const status = statusOf({ ...order, status: customer_status })
  return { ...viewPerson({ customer_id, name, phone }, standing), status, posted, held, available: posted - held }
}

function moneyOf({ payments, refunds }: OrderDetail) {
  return {
    payments: payments.map(({ amount_halalas, tasks, ...payment }) => ({
      ...payment,
      amount: toSar(amount_halalas),
      tasks: tasks.map(({ amount_halalas: of, ...task }) => ({ ...task, amount: toSar(of) })),
    })),
    refunds: refunds.map(({ refund_halalas, provider_halalas, created_at, ...refund }) => ({
      ...refund,
      amount: toSar(refund_halalas),
      provider_amount: toSar(provider_halalas),
      created_at: created_at.toISOString(),
    })),
  }
}

function deliveriesOf({ deliveries, events }: OrderDetail) {
  const names = new Map(events.map(({ event_id, name }) => [event_id, name]))
  return deliveries.map(({ event_id, due_at, ended_at, ...delivery }) => ({
    ...delivery,
    event: names.get(event_id) ?? null,
    due_at: due_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }))
}

/** The step of a checkout in the browser that is allowed the most: staff see how far it came. */
function checkoutOf({ session, order }: OrderDetail, now: Date) {
  if (session === undefined) return null
  const proven = session.browser_hash !== null
  const facts = { ...session, order_status: order.order_status, proven, active: order.customer_status === 'active' }
  return {
    step: checkoutStep(facts, now),
    expires_at: session.expires_at.toISOString(),
    confirmed_at: session.confirmed_at?.toISOString() ?? null,
    without_points: session.continued_at !== null,
    collector: session.collector,
  }
}

export function viewPreview(preview: RefundPreview) {
  const { refund_halalas, provider_halalas, merchant_halalas, left_halalas, ...rest } = preview
  return {
    ...rest,
    amount: toSar(refund_halalas),
    provider_amount: toSar(provider_halalas),
    merchant_amount: toSar(merchant_halalas),
    left_amount: toSar(left_halalas),
  }
}
