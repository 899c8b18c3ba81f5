/** Shipping status: apart from the financial one; any value may follow any. Spec, "Shipping state"; decisions §9. */

import type { Locale, LocalText } from './locale.ts'

export const shippingStatuses = [
  'new',
  'license_in_progress',
  'ready_shipping',
  'delivery_is_in_progress',
  'delivered',
  'cancelled',
] as const

export type ShippingStatus = (typeof shippingStatuses)[number]

/** The canonical labels (decisions §9). */
const shippingLabels: Readonly<Record<ShippingStatus, LocalText>> = {
  new: { en: 'New', ar: 'جديد' },
  license_in_progress: { en: 'License in progress', ar: 'الترخيص قيد الإجراء' },
  ready_shipping: { en: 'Ready for shipping', ar: 'جاهز للشحن' },
  delivery_is_in_progress: { en: 'Out for delivery', ar: 'قيد التوصيل' },
  delivered: { en: 'Delivered', ar: 'تم التوصيل' },
  cancelled: { en: 'Cancelled', ar: 'ملغي' },
}

/** Gives `status_label`: the custom label in the locale where one was set, else the canonical one. Spec, "Order". */
export function shippingLabel(status: ShippingStatus, custom: LocalText | null, locale: Locale): string {
  return (custom ?? shippingLabels[status])[locale]
}
