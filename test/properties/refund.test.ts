import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asHalalas, type Halalas, MAX_HALALAS } from '../../src/domain/money.ts'
import { asPoints, proportion } from '../../src/domain/points.ts'
import { decideRefund, type Refund, type RefundFacts } from '../../src/domain/refund.ts'

const runs = { numRuns: 3_000 }

/** A refundable order of either type, with any amounts. */
const refundable: fc.Arbitrary<RefundFacts> = fc
  .record({
    type: fc.constantFrom('earning' as const, 'replacing' as const),
    total_halalas: fc
      .oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: MAX_HALALAS }))
      .map(asHalalas),
    earned_points: fc.integer({ min: 0, max: 10 ** 9 }).map(asPoints),
    redeemed_points: fc.integer({ min: 0, max: 10 ** 9 }).map(asPoints),
    paid_share: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ paid_share, ...order }) => ({
    ...order,
    state: 'approved' as const,
    redeemed_points: asPoints(order.type === 'earning' ? 0 : order.redeemed_points),
    provider_paid_halalas: proportion(order.total_halalas, asHalalas(paid_share), asHalalas(100)),
    refunded_halalas: asHalalas(0),
    paid_at_ms: 0,
    refund_window_days: 30,
    settled: false,
    wallet: null,
  }))

/** The split of a refund: each number is a share of the rest, in thousandths; the last takes what is left. */
const splits = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 20 })

test('any split of a full refund is exact: points reversed, points returned, money refunded', () => {
  fc.assert(
    fc.property(refundable, splits, (order, shares) => {
      const refunds = refundInParts(order, shares)
      expect(sum(refunds, 'refund_halalas')).toBe(order.total_halalas)
      expect(sum(refunds, 'reversed_points')).toBe(order.earned_points)
      expect(sum(refunds, 'returned_points')).toBe(order.redeemed_points)
      expect(sum(refunds, 'provider_refund_halalas')).toBe(order.provider_paid_halalas)
      expect(refunds.at(-1)).toMatchObject({ transition: { to: 'fully_refunded' }, left_halalas: 0, left_points: 0 })
    }),
    runs,
  )
})

test('after every step, each total is round(points × r / total), and no part is negative', () => {
  fc.assert(
    fc.property(refundable, splits, (order, shares) => {
      const refunds = refundInParts(order, shares)
      for (const [index, refund] of refunds.entries()) {
        const soFar = refunds.slice(0, index + 1)
        const refunded = asHalalas(sum(soFar, 'refund_halalas'))
        expect(sum(soFar, 'reversed_points')).toBe(rounded(order.earned_points, refunded, order.total_halalas))
        expect(sum(soFar, 'returned_points')).toBe(rounded(order.redeemed_points, refunded, order.total_halalas))
        expect(
          Math.min(refund.reversed_points, refund.returned_points, refund.provider_refund_halalas),
        ).toBeGreaterThan(-1)
        const points = order.type === 'earning' ? order.earned_points : order.redeemed_points
        const gone = order.type === 'earning' ? sum(soFar, 'reversed_points') : sum(soFar, 'returned_points')
        expect(refund.left_points).toBe(points - gone)
        expect(refund.left_halalas).toBe(order.total_halalas - refunded)
      }
    }),
    runs,
  )
})

test('a refund takes the requested amount or fails, and never takes more than is left', () => {
  fc.assert(
    fc.property(refundable, fc.integer({ min: 0, max: 2_000 }).map(asHalalas), (order, asked) => {
      const decision = decideRefund(order, asked, 0)
      if (asked === 0) expect(decision.kind).toBe('refund_amount_zero')
      else if (asked > order.total_halalas) expect(decision.kind).toBe('refund_exceeds_left')
      else expect(decision).toMatchObject({ kind: 'refund', refund_halalas: asked })
    }),
    runs,
  )
})

/** Refunds the order in parts by the given shares, then what is left, if anything. */
function refundInParts(order: RefundFacts, shares: readonly number[]): Refund[] {
  const refunds: Refund[] = []
  let current = order
  for (const share of shares) {
    const left = current.total_halalas - current.refunded_halalas
    const amount = asHalalas(Math.floor((left * share) / 1_000))
    if (amount > 0) current = refundOnce(current, amount, refunds)
    if (current.state === 'fully_refunded') return refunds
  }
  refundOnce(current, null, refunds)
  return refunds
}

function refundOnce(order: RefundFacts, amount: Halalas | null, refunds: Refund[]): RefundFacts {
  const refund = decideRefund(order, amount, 0)
  if (refund.kind !== 'refund') throw new Error(`refused: ${refund.kind}`)
  refunds.push(refund)
  return {
    ...order,
    state: refund.transition.to,
    refunded_halalas: asHalalas(order.refunded_halalas + refund.refund_halalas),
  }
}

function sum(
  refunds: readonly Refund[],
  leg: 'refund_halalas' | 'reversed_points' | 'returned_points' | 'provider_refund_halalas',
): number {
  return refunds.reduce((total, refund) => total + refund[leg], 0)
}

/** `round(amount × part / whole)`, half up, independent of the code under test. */
function rounded(amount: number, part: number, whole: number): number {
  const [product, divisor] = [BigInt(amount) * BigInt(part), BigInt(whole)]
  const remainder = product % divisor
  return Number(product / divisor + (2n * remainder >= divisor ? 1n : 0n))
}
