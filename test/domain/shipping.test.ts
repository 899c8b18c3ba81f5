import { expect, test } from 'vitest'
import { shippingLabel, shippingStatuses } from '../../src/domain/order.ts'

test.each([
  ['new', 'New', 'جديد'],
  ['license_in_progress', 'License in progress', 'الترخيص قيد الإجراء'],
  ['ready_shipping', 'Ready for shipping', 'جاهز للشحن'],
  ['delivery_is_in_progress', 'Out for delivery', 'قيد التوصيل'],
  ['delivered', 'Delivered', 'تم التوصيل'],
  ['cancelled', 'Cancelled', 'ملغي'],
] as const)('%s reads "%s" and "%s"', (status, en, ar) => {
  expect(shippingLabel(status, null, 'en')).toBe(en)
  expect(shippingLabel(status, null, 'ar')).toBe(ar)
})

test('there are the six values of the spec', () => {
  expect(shippingStatuses).toHaveLength(6)
})

test('a custom label stands in for the canonical one, in each locale', () => {
  const custom = { en: 'At the gate', ar: 'عند البوابة' }
  expect(shippingLabel('delivered', custom, 'en')).toBe('At the gate')
  expect(shippingLabel('delivered', custom, 'ar')).toBe('عند البوابة')
})
