import { expect, test } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { orderStates } from '../../src/domain/order.ts'
import { asPoints, MAX_REFUNDED_POINTS } from '../../src/domain/points.ts'
import {
  DEFAULT_REFUND_WINDOW_DAYS,
  decideAutoRefund,
  decideRefund,
  type RefundFacts,
} from '../../src/domain/refund.ts'

const DAY_MS = 86_400_000
const PAID_AT_MS = 1_800_000_000_000

const earning: RefundFacts = {
  type: 'earning',
  state: 'approved',
  total_halalas: asHalalas(10_000),
  refunded_halalas: asHalalas(0),
  earned_points: asPoints(1_001),
  redeemed_points: asPoints(0),
  provider_paid_halalas: asHalalas(0),
  paid_at_ms: PAID_AT_MS,
  refund_window_days: DEFAULT_REFUND_WINDOW_DAYS,
  settled: false,
  wallet: null,
}

const replacing: RefundFacts = {
  ...earning,
  type: 'replacing',
  earned_points: asPoints(500),
  redeemed_points: asPoints(10_000),
  provider_paid_halalas: asHalalas(5_000),
}

function refund(order: RefundFacts, amount: number | null, now_ms = PAID_AT_MS) {
  return decideRefund(order, amount === null ? null : asHalalas(amount), now_ms)
}

test.each([
  ['omitted', null, 'fully_refunded', 10_000],
  ['equal to the total', 10_000, 'fully_refunded', 10_000],
  ['less', 2_500, 'partially_refunded', 2_500],
  ['one halala', 1, 'partially_refunded', 1],
])('a first refund with the amount %s', (_case, amount, to, taken) => {
  expect(refund(earning, amount)).toMatchObject({ transition: { to }, refund_halalas: taken })
})

test.each([
  ['omitted, takes what is left', null, 'fully_refunded', 6_000],
  ['equal to what is left', 6_000, 'fully_refunded', 6_000],
  ['less than what is left', 5_999, 'partially_refunded', 5_999],
])('a further refund with the amount %s', (_case, amount, to, taken) => {
  const order: RefundFacts = { ...earning, state: 'partially_refunded', refunded_halalas: asHalalas(4_000) }
  expect(refund(order, amount)).toMatchObject({ transition: { to, events: ['refunded'] }, refund_halalas: taken })
})

test.each<[string, RefundFacts, number | null, string]>([
  ['more than the total', earning, 10_001, 'refund_exceeds_left'],
  [
    'more than what is left',
    { ...earning, state: 'partially_refunded', refunded_halalas: asHalalas(4_000) },
    6_001,
    'refund_exceeds_left',
  ],
  ['an amount of 0', earning, 0, 'refund_amount_zero'],
  ['a settled order', { ...earning, settled: true }, null, 'order_settled'],
  [
    'a refunded order',
    { ...earning, state: 'fully_refunded', refunded_halalas: asHalalas(10_000) },
    0,
    'cannot_refund',
  ],
  ['a settled order that was refunded', { ...earning, state: 'fully_refunded', settled: true }, null, 'cannot_refund'],
])('%s is refused', (_case, order, amount, kind) => {
  expect(refund(order, amount).kind).toBe(kind)
})

test('only approved, captured and partially refunded orders can be refunded', () => {
  const allowed = orderStates.filter((state) => refund({ ...replacing, state }, 1).kind === 'refund')
  expect(allowed).toEqual(['approved', 'captured', 'partially_refunded'])
})

test('the window ends 30 days after approval or capture, its last millisecond included', () => {
  expect(refund(earning, null, PAID_AT_MS + 30 * DAY_MS).kind).toBe('refund')
  expect(refund(earning, null, PAID_AT_MS + 30 * DAY_MS + 1).kind).toBe('refund_window_over')
})

test('the merchant sets the window', () => {
  const order = { ...earning, refund_window_days: 7 }
  expect(refund(order, null, PAID_AT_MS + 7 * DAY_MS).kind).toBe('refund')
  expect(refund(order, null, PAID_AT_MS + 8 * DAY_MS).kind).toBe('refund_window_over')
})

test('an order that was never approved is outside its window', () => {
  expect(refund({ ...earning, paid_at_ms: null }, null).kind).toBe('refund_window_over')
})

test('a partial refund of an earning order reverses its share of the points, half up', () => {
  expect(refund(earning, 5_000)).toMatchObject({
    reversed_points: 501, // half of 1,001
    returned_points: 0,
    provider_refund_halalas: 0,
    left_halalas: 5_000,
    left_points: 500,
  })
})

test('a partial refund of a replacing order reverses, returns and refunds its shares', () => {
  expect(refund(replacing, 2_500)).toMatchObject({
    reversed_points: 125,
    returned_points: 2_500,
    provider_refund_halalas: 1_250,
    left_halalas: 7_500,
    left_points: 7_500,
  })
})

test('shares are computed from the start, so three thirds make the whole', () => {
  const order = { ...earning, total_halalas: asHalalas(3), earned_points: asPoints(100) }
  const reversed = [0, 1, 2].map((refunded) => {
    const state = refunded === 0 ? 'approved' : 'partially_refunded'
    const decision = refund({ ...order, state, refunded_halalas: asHalalas(refunded) }, 1)
    return decision.kind === 'refund' && decision.reversed_points
  })
  expect(reversed).toEqual([33, 34, 33])
})

test.each([null, 0])('an order whose total is 0 is refunded whole by the amount %s', (amount) => {
  const rating = { ...earning, total_halalas: asHalalas(0), earned_points: asPoints(50) }
  expect(refund(rating, amount)).toMatchObject({
    transition: { to: 'fully_refunded' },
    refund_halalas: 0,
    reversed_points: 50,
    left_halalas: 0,
    left_points: 0,
  })
  expect(refund(rating, 1).kind).toBe('refund_exceeds_left')
})

test('an automatic reversal takes all, ignores the window, and refunds no money', () => {
  expect(decideAutoRefund({ ...replacing, refund_window_days: 0, settled: true })).toMatchObject({
    transition: { to: 'fully_refunded', events: ['auto_refunded'] },
    refund_halalas: 10_000,
    reversed_points: 500,
    returned_points: 10_000,
    provider_refund_halalas: 0,
    left_halalas: 0,
    left_points: 0,
  })
})

test('neither an earning order nor a partially refunded one is reversed automatically', () => {
  expect(decideAutoRefund(earning).kind).toBe('cannot_refund')
  expect(decideAutoRefund({ ...replacing, state: 'partially_refunded' }).kind).toBe('cannot_refund')
})

test.each([
  ['returned points reach the bound', 1_000, { posted: MAX_REFUNDED_POINTS - 1_900, held: 0 }, true],
  ['returned points pass the bound', 1_000, { posted: MAX_REFUNDED_POINTS - 1_899, held: 0 }, false],
  ['returned points in a wallet far below', 1_000, { posted: -MAX_REFUNDED_POINTS - 5_000, held: 0 }, true],
  ['no points in a wallet beyond it', 1, { posted: MAX_REFUNDED_POINTS + 5_000, held: 0 }, true],
] as const)('%s', (_case, amount, { posted, held }, possible) => {
  const points = { earned_points: asPoints(10), redeemed_points: asPoints(amount === 1 ? 1 : 19_010) }
  const wallet = { posted: asPoints(posted), held: asPoints(held) }
  const order: RefundFacts = { ...replacing, ...points, wallet }
  expect(refund(order, amount).kind).toBe(possible ? 'refund' : 'refund_exceeds_wallet')
})

test.each([
  ['reversed points reach the bound', { posted: 500 - MAX_REFUNDED_POINTS, held: 0 }, true],
  ['reversed points pass the bound', { posted: 499 - MAX_REFUNDED_POINTS, held: 0 }, false],
  ['held points count too', { posted: 500, held: MAX_REFUNDED_POINTS }, true],
  ['and more of them', { posted: 500, held: MAX_REFUNDED_POINTS + 1 }, false],
  ['reversed points of a wallet far above', { posted: MAX_REFUNDED_POINTS + 5_000, held: 0 }, true],
] as const)('%s, by an automatic reversal too', (_case, { posted, held }, possible) => {
  const wallet = { posted: asPoints(posted), held: asPoints(held) }
  const order: RefundFacts = { ...replacing, redeemed_points: asPoints(0), wallet }
  const kind = possible ? 'refund' : 'refund_exceeds_wallet'
  expect([refund(order, null).kind, decideAutoRefund(order).kind]).toEqual([kind, kind])
})
