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
    'Paid (UTC)',
    'Total (SAR)',
    'Paid with points (SAR)',
    'Refunded (SAR)',
    'Points redeemed',
    'Points issued',
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
    'تاريخ الدفع (UTC)',
    'الإجمالي (ر.س)',
    'المدفوع بالنقاط (ر.س)',
    'المسترد (ر.س)',
    'النقاط المستبدلة',
    'النقاط الممنوحة',
    'الشحن',
    'العميل',
    'الجوال',
    'معرّف الطلب',
  ],
} as const satisfies Record<Locale, readonly string[]>

const types = {
  en: { purchase: 'Purchase', product_rating: 'Product rating', store_rating: 'Store rating', checkout: 'Checkout' },
  ar: { purchase: 'عملية شراء', product_rating: 'تقييم منتج', store_rating: 'تقييم متجر', checkout: 'صفحة الدفع' },
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

/**
 * One order as a record: the sums of those that were paid in a month are those of the overview. An order that was not paid has
 * moved nothing. Who may not handle orders sees the masked phone.
 */
export function orderCells(order: DashboardOrder, locale: Locale, shows_phone: boolean): Cell[] {
  const { phone, paid_at } = order
  const isRedeemed = order.type === 2 && paid_at !== null
  return [
    order.created_at.toISOString(),
    order.order_number,
    order.reference_number,
    types[locale][order.source],
    states[locale][order.order_status],
    paid_at?.toISOString() ?? null,
    toSar(order.total_halalas),
    isRedeemed ? toSar(order.redeemed_halalas) : 0,
    toSar(order.refunded_halalas),
    isRedeemed ? order.total_points : 0,
    paid_at === null ? 0 : order.earned_points,
    shippingLabel(order.shipping_status, customStatus(order), locale),
    order.customer_name,
    phone === null ? null : shows_phone ? `0${phone}` : maskPhone(phone),
    order.order_uuid,
  ]
}
