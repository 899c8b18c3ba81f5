import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideEarnings, type Earning, type EarningFacts, type KnownCustomer } from '../../src/domain/earning.ts'
import { type Uuid, uuidV7 } from '../../src/domain/ids.ts'
import { applyEntries, type LedgerFact, transferOf } from '../../src/domain/ledger.ts'
import { asHalalas, MAX_HALALAS, NO_MONEY } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints, MAX_SAR_PER_POINT, MAX_WALLET_POINTS, type MicroSarPerPoint } from '../../src/domain/points.ts'
import { decideRefund, type RefundFacts } from '../../src/domain/refund.ts'
import { NO_FEES, positionOf } from '../../src/domain/settlement.ts'
import { exactNumber } from '../../src/lib/exact-number.ts'

// Guarantee: sums of points near and beyond the bound of a wallet equal those of bigints.

const runs = { numRuns: 2_000 }
const bound = MAX_WALLET_POINTS
const near = fc.oneof(
  fc.integer({ min: 0, max: bound + 1 }),
  fc.integer({ min: bound - 5, max: bound + 5 }),
  fc.integer({ min: 0, max: 5 }),
)
const balance = fc.oneof(
  near,
  near.map((points) => -points),
  fc.integer({ min: -9 * bound, max: 9 * bound }),
)
const phones = ['555000001', '555000002'] as const

const earnings = fc.array(
  fc.record({
    phone: fc.constantFrom(...phones),
    points: near,
    source: fc.constantFrom('purchase' as const, 'store_rating' as const),
  }),
  { minLength: 1, maxLength: 8 },
)

test('an earning is accepted exactly if wallet, pending points and earlier earnings of the batch leave room', () => {
  fc.assert(
    fc.property(earnings, balance, near, fc.boolean(), (batch, posted, waiting, known) => {
      const asked = batch.map((one, index) => earningOf(one, index))
      const customers = known ? [customerOf(phones[0], posted, waiting)] : []
      const { decisions, newCustomers } = decideEarnings(asked, factsOf(asked, customers))
      const sums = new Map<string, bigint>(known ? [[phones[0], BigInt(posted) + BigInt(waiting)]] : [])
      decisions.forEach((decision, index) => {
        const { phone, points, source } = batch[index] as (typeof batch)[number]
        const sum = (sums.get(phone) ?? 0n) + BigInt(points)
        const fits = points === 0 || sum <= BigInt(bound)
        expect(decision.kind === 'refuse').toBe(!fits)
        if (fits) sums.set(phone, sum)
        const field = source === 'purchase' ? 'total_price' : 'phone_number'
        if (!fits) expect(decision).toMatchObject({ failure: { errors: [{ field, rule: 'wallet_full' }] } })
      })
      // A refused earning creates no customer.
      const accepted = new Set(
        batch.filter((_, index) => decisions[index]?.kind !== 'refuse').map(({ phone }) => phone),
      )
      if (known) accepted.delete(phones[0])
      expect(new Set(newCustomers.map(({ phone }) => phone))).toEqual(accepted)
    }),
    runs,
  )
})

test('running balances stay exact far beyond the bound in both directions', () => {
  const wallet = uuid(1)
  const merchant = uuid(2)
  const steps = fc.array(fc.tuple(fc.constantFrom('earn' as const, 'reverse' as const, 'return' as const), near), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, (history) => {
      let exact = 0n
      const balances: bigint[] = []
      const entries = history.flatMap(([kind, points], index) => {
        const fact: LedgerFact = { kind, points: asPoints(points), cause: uuid(10 + index), wallet, merchant }
        const made = transferOf(fact)?.entries ?? []
        if (made.length > 0) {
          exact += kind === 'reverse' ? -BigInt(points) : BigInt(points)
          balances.push(exact)
        }
        return made
      })
      const applied = applyEntries({ posted: asPoints(0), held: asPoints(0), version: 0 }, entries)
      const own = applied.entries.filter(({ account }) => account.kind === 'customer')
      expect(own.map(({ balance_after }) => BigInt(balance_after ?? 0))).toEqual(balances)
      expect(BigInt(applied.wallet.posted)).toBe(exact)
    }),
    runs,
  )
})

test('any split of a refund is exact to the point for the largest orders', () => {
  const total = fc.integer({ min: 1, max: MAX_HALALAS })
  fc.assert(
    fc.property(
      total,
      near,
      near,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
      (whole, earned, redeemed, cuts) => {
        let order = refundable(whole, earned, redeemed)
        let [reversed, returned] = [0n, 0n]
        for (const cut of [...cuts, null]) {
          const left = whole - order.refunded_halalas
          const amount = cut === null ? null : asHalalas(Math.floor(left * cut))
          const refund = decideRefund(order, amount, 0)
          if (refund.kind !== 'refund') continue
          reversed += BigInt(refund.reversed_points)
          returned += BigInt(refund.returned_points)
          order = { ...order, state: refund.transition.to, refunded_halalas: asHalalas(whole - refund.left_halalas) }
          const gone = BigInt(order.refunded_halalas)
          const share = (points: number) => (2n * BigInt(points) * gone + BigInt(whole)) / (2n * BigInt(whole))
          expect([reversed, returned]).toEqual([share(earned), share(redeemed)])
          expect(BigInt(refund.left_points)).toBe(BigInt(redeemed) - returned)
        }
        expect([reversed, returned]).toEqual([BigInt(earned), BigInt(redeemed)])
      },
    ),
    runs,
  )
})

test('the net of a settlement of any size is exact, in halalas and in JSON', () => {
  const sum = fc.bigInt({ min: 0n, max: 10n ** 21n })
  const value = fc.integer({ min: 100, max: MAX_SAR_PER_POINT }).map((micro) => micro as MicroSarPerPoint)
  fc.assert(
    fc.property(sum, sum, value, (issued_points, redeemed_points, micro) => {
      const sum_of = { micro_sar_per_point: micro, entries: 1 }
      const sums = [
        { kind: 'earn', points: issued_points, ...sum_of },
        { kind: 'post', points: redeemed_points, ...sum_of },
      ] as const
      const { net_points, net_halalas } = positionOf(sums, [], NO_FEES)
      expect(net_points).toBe(issued_points - redeemed_points)
      // At most half a halala off.
      const error = 2n * (net_halalas * 10_000n - net_points * BigInt(micro))
      expect(error >= -10_000n && error <= 10_000n).toBe(true)
      const [whole, sar] = [JSON.stringify(exactNumber(net_points, 0)), JSON.stringify(exactNumber(net_halalas, 2))]
      expect(BigInt(whole)).toBe(net_points)
      expect(sar).toMatch(/^-?\d+(\.\d{1,2})?$/)
      const [, sign, digits = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(sar) ?? []
      expect(BigInt(`${sign}${digits}${fraction.padEnd(2, '0')}`)).toBe(net_halalas)
    }),
    runs,
  )
})

function uuid(number: number): Uuid {
  return uuidV7(number, new Uint8Array(16).fill(number % 256))
}

function earningOf(
  { phone, points, source }: { phone: string; points: number; source: Earning['source'] },
  index: number,
): Earning {
  const merchant = { merchant_id: index + 1, program: { activation: 'automatic' } } as Earning['merchant']
  const ids = { order_uuid: uuid(index), transfer_id: uuid(index), event_id: uuid(index), customer_id: uuid(index) }
  const nothing = { shipping_halalas: null, tax_halalas: null, discount_halalas: null, shipping_address: null }
  return {
    ...{ merchant, source, phone: phone as Phone, name: null, order_number: String(index), total_halalas: NO_MONEY },
    ...{ points: asPoints(points), items: null, metadata: null, audit: null, ...nothing, ...ids },
  }
}

function customerOf(phone: string, posted: number, waiting: number): KnownCustomer {
  const points = { posted: asPoints(posted), held: asPoints(0), waiting: asPoints(waiting), version: 1 }
  const of = { customer_id: uuid(99), phone: phone as Phone, status: 'active', named: true } as const
  return { ...of, ...points, waiting_earnings: 0 }
}

function factsOf(asked: readonly Earning[], customers: readonly KnownCustomer[]): EarningFacts {
  return {
    locked: new Set(asked.map(({ merchant }) => merchant.merchant_id)),
    customers: new Map(customers.map((customer) => [customer.phone, customer])),
    repeats: [],
    now: new Date(0),
    lock_window_s: 10,
  }
}

function refundable(total: number, earned: number, redeemed: number): RefundFacts {
  return {
    ...{ type: 'replacing', state: 'approved', settled: false, paid_at_ms: 0, refund_window_days: 30, wallet: null },
    ...{ total_halalas: asHalalas(total), refunded_halalas: NO_MONEY, provider_paid_halalas: NO_MONEY },
    ...{ earned_points: asPoints(earned), redeemed_points: asPoints(redeemed) },
  }
}
