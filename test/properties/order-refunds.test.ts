import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { oneShop, type Shop, servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { customerWith, earningOrder, eventsOf, pointsOf, replacingOrder, rowOf } from '../support/orders.ts'

// Guarantee, on a real database: any split of a full refund is exact to the point and the halala, and so are the
// events.
// docs/spec/orders.md#refund-shares. Every run has its own order; the test verifies the ledger at the end.

const database = testDatabase()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const long = process.env['NUQTA_TEST_LONG'] === '1'
const numRuns = long ? 5_000 : 150

const orders = fc.record({
  type: fc.constantFrom('earning' as const, 'replacing' as const),
  total: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 500_000 })),
  /** Percentage of the points that would pay everything. */
  redeemed: fc.integer({ min: 0, max: 100 }),
})

/** Each number is a share of the rest, in thousandths; the last refund takes what is left. */
const splits = fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 8 })

test(`any split of a refund is exact on both legs, in ${numRuns} random orders`, { timeout: 3_600_000 }, async () => {
  const shop = await oneShop(database.db)
  const services = servicesOn(database.db, { clock })
  await fc.assert(
    fc.asyncProperty(orders, splits, async (asked, shares) => {
      const { order_uuid, phone, before } = await paidOrder(shop, asked)
      const after = await pointsOf(database.db, shop.merchant, phone)
      const amounts = amountsOf(asked.total, shares)
      for (const amount_halalas of [...amounts, null]) {
        await services.refundOrder(shop.merchant, order_uuid, { amount_halalas, reason: null })
      }
      expect(await pointsOf(database.db, shop.merchant, phone)).toEqual(before)
      const row = await rowOf(database.db, order_uuid)
      expect(row['order_status']).toBe('fully_refunded')
      expect([row['refunded_halalas'], row['reversed_points']]).toEqual([row['total_halalas'], row['earned_points']])
      expect(row['returned_points']).toBe(asked.type === 'replacing' ? row['total_points'] : 0)
      const told = (await eventsOf(database.db, order_uuid)).filter(({ name }) => name === 'refunded')
      expect(told.length).toBe(amounts.length + 1)
      const sum = (field: string) => told.reduce((total, { payload }) => total + Number(payload[field] ?? 0), 0)
      expect(Math.round(sum('refund_amount') * 100)).toBe(asked.total)
      expect(sum('refund_points')).toBe(Number(row['total_points']))
      expect(sum('reversed_points')).toBe(asked.type === 'replacing' ? Number(row['earned_points']) : 0)
      expect(told.at(-1)?.payload).toMatchObject({ left_points: 0, left_amount: 0 })
      expect(after[1]).toBe(0)
    }),
    { numRuns },
  )
  // Nothing is known of the tables: for so many refunds the plans of checks that start from none take minutes.
  if (long) await database.owner.script('analyze')
  expect(await ledgerDifferences(database.owner)).toEqual([])
})

async function paidOrder(shop: Shop, { type, total, redeemed }: { type: string; total: number; redeemed: number }) {
  const { merchant } = shop
  if (type === 'earning') {
    const phone = await customerWith(database.db, merchant, { points: 100 })
    const before = await pointsOf(database.db, merchant, phone)
    return { ...(await earningOrder(database.db, merchant, { total, phone, clock })), before }
  }
  // A point is worth half a halala.
  const points = Math.floor((total * 2 * redeemed) / 100)
  const phone = await customerWith(database.db, merchant, { points: Math.max(points, 1) })
  const before = await pointsOf(database.db, merchant, phone)
  const { order_uuid } = await replacingOrder(database.db, merchant, { total, points, phone })
  const { moveOrder } = servicesOn(database.db, { clock })
  await moveOrder(merchant, order_uuid, { action: 'complete' })
  return { order_uuid: order_uuid as Uuid, phone, before }
}

/** The amounts of the partial refunds in halalas; something is left after each. */
function amountsOf(total: number, shares: readonly number[]) {
  let left = total
  return shares.flatMap((share) => {
    const amount = Math.floor((left * share) / 1_000)
    if (amount === 0) return []
    left -= amount
    return [asHalalas(amount)]
  })
}
