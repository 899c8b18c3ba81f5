import { expect, test } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { orderStates, paymentStatus, settlementStatus } from '../../src/domain/order.ts'

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

test('settlement_status is settled once a closed settlement contains the order', () => {
  expect(settlementStatus({ state: 'approved', settled: true })).toBe('settled')
  expect(settlementStatus({ state: 'fully_refunded', settled: true })).toBe('settled')
})

test('payment_status is partially_paid only while money is still to be paid', () => {
  const unpaid = orderStates.filter(
    (state) => paymentStatus({ state, was_authorized: false, remainder_halalas: asHalalas(1) }) === 'partially_paid',
  )
  expect(unpaid).toEqual(['new', 'cancelled'])
})

test('payment_status of an order cancelled after authorisation is fully_paid', () => {
  const order = { state: 'cancelled', was_authorized: true, remainder_halalas: asHalalas(500) } as const
  expect(paymentStatus(order)).toBe('fully_paid')
})

test('payment_status without a remainder is fully_paid in every state', () => {
  for (const state of orderStates) {
    expect(paymentStatus({ state, was_authorized: false, remainder_halalas: asHalalas(0) })).toBe('fully_paid')
  }
})
