import { expect, test } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import {
  orderStates,
  paymentStatus,
  settlementStatus,
  shippingLabel,
  shippingStatuses,
} from '../../src/domain/order.ts'

test('settlement_status is null while nothing is owed, and pending from approval or capture', () => {
  const statuses = orderStates.map((state) => [state, settlementStatus({ state, settled: false })])
  expect(Object.fromEntries(statuses)).toEqual({
    new: null,
    approved: 'pending',
    authorized: null,
    captured: 'pending',
    cancelled: null,
    fully_refunded: null,
    partially_refunded: 'pending',
  })
})

test('settlement_status is settled once a settlement contains the order', () => {
  expect(settlementStatus({ state: 'approved', settled: true })).toBe('settled')
  expect(settlementStatus({ state: 'fully_refunded', settled: true })).toBe('settled')
})

test('payment_status is partially_paid only while money is still to be paid', () => {
  const unpaid = orderStates.filter(
    (state) => paymentStatus({ state, was_authorized: false, due_halalas: asHalalas(1) }) === 'partially_paid',
  )
  expect(unpaid).toEqual(['new', 'cancelled'])
})

test('payment_status of an order cancelled after authorisation is fully_paid', () => {
  const order = { state: 'cancelled', was_authorized: true, due_halalas: asHalalas(500) } as const
  expect(paymentStatus(order)).toBe('fully_paid')
})

test('payment_status is fully_paid in every state if points pay everything', () => {
  for (const state of orderStates) {
    expect(paymentStatus({ state, was_authorized: false, due_halalas: asHalalas(0) })).toBe('fully_paid')
  }
})

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

test('the shipping statuses are those of docs/spec/orders.md#shipping-status', () => {
  expect(shippingStatuses).toHaveLength(6)
})

test('a custom label replaces the canonical one, in each locale', () => {
  const custom = { en: 'At the gate', ar: 'عند البوابة' }
  expect(shippingLabel('delivered', custom, 'en')).toBe('At the gate')
  expect(shippingLabel('delivered', custom, 'ar')).toBe('عند البوابة')
})
