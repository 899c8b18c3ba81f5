import type { Locale } from '../../domain/locale.ts'
import { toSar } from '../../domain/money.ts'
import { shippingLabel } from '../../domain/order.ts'
import { maskPhone } from '../../domain/phone.ts'
import type { Cell } from '../../lib/csv.ts'
import type { DashboardOrder } from './dashboard-list-queries.ts'
import { customStatus } from './view.ts'

/** The columns of the file, the same names as in the lists of the pages. */
const columns = {
  en: [
    'Created (UTC)',
    'Order number',
    'Reference',
    'Type',
    'State',
    'Total (SAR)',
    'Refunded (SAR)',
    'Points',
    'Points earned',
    'Shipping',
    'Customer',
    'Phone',
    'Order id',
  ],
  ar: [
    'تاريخ الإنشاء (UTC)',
    'رقم الطلب',
    'الرقم المرجعي',
    'النوع',
    'الحالة',
    'الإجمالي (ر.س)',
    'المسترد (ر.س)',
    'النقاط',
    'النقاط المكتسبة',
    'الشحن',
    'العميل',
    'الجوال',
    'معرّف الطلب',
  ],
} as const satisfies Record<Locale, readonly string[]>

const types = {
  en: { purchase: 'Earning', product_rating: 'Product rating', store_rating: 'Store rating', checkout: 'Checkout' },
  ar: { purchase: 'كسب نقاط', product_rating: 'تقييم منتج', store_rating: 'تقييم متجر', checkout: 'دفع بالنقاط' },
} as const

const states = {
  en: {
    new: 'New',
    approved: 'Approved',
    authorized: 'Authorized',
    captured: 'Captured',
    cancelled: 'Cancelled',
    fully_refunded: 'Refunded',
    partially_refunded: 'Partly refunded',
  },
  ar: {
    new: 'جديد',
    approved: 'معتمد',
    authorized: 'محجوز',
    captured: 'محصّل',
    cancelled: 'ملغى',
    fully_refunded: 'مسترد',
    partially_refunded: 'مسترد جزئيًا',
  },
} as const

export function orderColumnsOf(locale: Locale): readonly string[] {
  return columns[locale]
}

/** One order as a record. Who may not handle orders sees the masked phone. */
export function orderCells(order: DashboardOrder, locale: Locale, shows_phone: boolean): Cell[] {
  const { phone } = order
  return [
    order.created_at.toISOString(),
    order.order_number,
    order.reference_number,
    types[locale][order.source],
    states[locale][order.order_status],
    toSar(order.total_halalas),
    toSar(order.refunded_halalas),
    order.total_points,
    order.earned_points,
    shippingLabel(order.shipping_status, customStatus(order), locale),
    order.customer_name,
    phone === null ? null : shows_phone ? `0${phone}` : maskPhone(phone),
    order.order_uuid,
  ]
}
