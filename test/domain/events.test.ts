import { expect, test } from 'vitest'
import { AUTO_REFUND_REASON, DEFAULT_CANCEL_REASON, eventPayload, type OrderSnapshot } from '../../src/domain/events.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import { decideAutoRefund, decideRefund, type Refund, type RefundFacts } from '../../src/domain/refund.ts'

const replacing: OrderSnapshot = {
  uuid: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  reference_number: '0000000000',
  order_number: 'A-1',
  type: 'replacing',
  state: 'approved',
  was_authorized: false,
  total_halalas: asHalalas(10_005),
  due_halalas: asHalalas(5_005),
  total_points: asPoints(10_000),
  metadata: { basket: 'b-7' },
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:05:00.000Z',
}

const common = {
  id: replacing.uuid,
  reference_number: '0000000000',
  order_number: 'A-1',
  type: 'replacing',
  total_price: 100.05,
  total_points: 10_000,
  payment_status: 'fully_paid',
  order_status: 'approved',
  metadata: { basket: 'b-7' },
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:05:00.000Z',
}

const facts: RefundFacts = {
  type: 'replacing',
  state: 'approved',
  total_halalas: replacing.total_halalas,
  refunded_halalas: asHalalas(0),
  earned_points: asPoints(500),
  redeemed_points: asPoints(10_000),
  provider_paid_halalas: asHalalas(5_005),
  paid_at_ms: 0,
  refund_window_days: 30,
  settled: false,
  wallet: null,
}

const half = refundOf(decideRefund(facts, asHalalas(5_000), 0))

test.each(['approved', 'authorized', 'captured', 'completed'] as const)('%s contains only the order', (name) => {
  expect(eventPayload(name, replacing, {})).toStrictEqual(common)
})

test('a cancellation with money still to pay echoes the reason and is partially paid', () => {
  const order: OrderSnapshot = { ...replacing, state: 'cancelled' }
  expect(eventPayload('cancelled', order, { reason: 'Out of stock' })).toStrictEqual({
    ...common,
    order_status: 'cancelled',
    payment_status: 'partially_paid',
    reason: 'Out of stock',
  })
})

test('a cancellation without a reason of its own carries the default text', () => {
  const order: OrderSnapshot = { ...replacing, state: 'cancelled', was_authorized: true }
  expect(eventPayload('cancelled', order, { reason: DEFAULT_CANCEL_REASON })).toMatchObject({
    reason: 'Order cancelled via API',
    payment_status: 'fully_paid',
  })
})

test('a shipping update has the canonical status, the label in the locale, and both custom labels', () => {
  const extras = { status: 'delivered', custom_status: null, locale: 'ar' } as const
  expect(eventPayload('shipping_status_updated', replacing, extras)).toStrictEqual({
    ...common,
    status: 'delivered',
    status_label: 'تم التوصيل',
    custom_status: null,
  })
  const custom_status = { en: 'At the gate', ar: 'عند البوابة' }
  expect(eventPayload('shipping_status_updated', replacing, { ...extras, custom_status })).toMatchObject({
    status_label: 'عند البوابة',
    custom_status,
  })
})

test('a refund of a replacing order has the returned, reversed and remaining points', () => {
  expect(eventPayload('refunded', replacing, { refund: half, reason: null })).toStrictEqual({
    ...common,
    reason: null,
    refund_amount: 50,
    refund_points: 4_998,
    reversed_points: 250,
    left_points: 5_002,
    left_amount: 50.05,
  })
})

test('a refund of an earning order has the reversed points as refund_points, and no reversed_points', () => {
  const order: OrderSnapshot = { ...replacing, type: 'earning', total_points: asPoints(1_000) }
  const earned: RefundFacts = {
    ...facts,
    type: 'earning',
    earned_points: asPoints(1_000),
    redeemed_points: asPoints(0),
    provider_paid_halalas: asHalalas(0),
  }
  const refund = refundOf(decideRefund(earned, null, 0))
  expect(eventPayload('refunded', order, { refund, reason: 'Returned' })).toStrictEqual({
    ...common,
    type: 'earning',
    total_points: 1_000,
    reason: 'Returned',
    refund_amount: 100.05,
    refund_points: 1_000,
    left_points: 0,
    left_amount: 0,
  })
})

test('an automatic reversal has its reason, amount and returned points', () => {
  const refund = refundOf(decideAutoRefund(facts))
  expect(eventPayload('auto_refunded', { ...replacing, state: 'fully_refunded' }, { refund })).toStrictEqual({
    ...common,
    order_status: 'fully_refunded',
    reason: AUTO_REFUND_REASON,
    refund_amount: 100.05,
    refund_points: 10_000,
  })
})

function refundOf(decision: ReturnType<typeof decideRefund>): Refund {
  if (decision.kind !== 'refund') throw new Error(`refused: ${decision.kind}`)
  return decision
}
