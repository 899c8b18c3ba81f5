import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { grace_ms } from '../../src/features/activity/count.ts'
import { countAll, countOn, daysFromEntries, daysOf, rebuildAll } from '../support/activity.ts'
import { servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import {
  earningMerchants,
  earningOf,
  earnOn,
  freshPhone,
  oneMerchant,
  orderOf,
  TestClock,
} from '../support/earnings.ts'
import { customerWith, replacingOrder } from '../support/orders.ts'

// Guarantee: after any history of two merchants, cut into parts of any size, the daily figures equal what the entries,
// orders and refunds sum to.

const database = testDatabase()
const numRuns = process.env['NUQTA_TEST_LONG'] === '1' ? 500 : 40

const shop = fc.nat(1)
const phone = fc.nat(2)
const total = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 50_000 }))
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('earn' as const),
      source: fc.constantFrom('purchase' as const, 'purchase' as const, 'store_rating' as const),
      ...{ shop, phone, total },
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('checkout' as const),
      points: fc.constantFrom(0, 7, 50),
      known: fc.boolean(),
      end: fc.constantFrom('complete' as const, 'capture' as const, 'cancel' as const),
      ...{ shop, phone, total: fc.integer({ min: 100, max: 50_000 }) },
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('refund' as const), which: fc.nat(9), whole: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(-30, 1, 9, 24) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('count' as const), part: fc.integer({ min: 1, max: 4 }) }) },
)

type Command = typeof command extends fc.Arbitrary<infer One> ? One : never

it(`daily figures equal the entries, in ${numRuns} random histories`, { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
      const history = await newHistory()
      for (const one of commands) await history.play(one)
      const count = countOn(database.db, { machine_ms: () => Date.now() + grace_ms + 1_000, part: 3 })
      await countAll(count)
      const expected = await daysFromEntries(database.db, history.program_id)
      expect(await daysOf(database.db, history.program_id)).toEqual(expected)
      await rebuildAll(database.db, history.program_id)
      expect(await daysOf(database.db, history.program_id)).toEqual(expected)
    }),
    { numRuns },
  )
})

async function newHistory() {
  const { db } = database
  const merchants = await earningMerchants(db, 2)
  const phones = [freshPhone(), freshPhone(), freshPhone()]
  const clock = new TestClock('2026-02-01T18:00:00.000Z')
  const { moveOrder, refundOrder } = servicesOn(db, { clock })
  const paid: {
    readonly merchant: (typeof merchants)[number]
    readonly order_uuid: Parameters<typeof refundOrder>[1]
  }[] = []
  const only = merchants[0] ?? (await oneMerchant(db))
  for (const one of phones) await customerWith(db, only, { points: 1_000, phone: one })

  const ignored = (): undefined => undefined
  async function play(one: Command): Promise<void> {
    if (one.kind === 'wait') clock.advance(one.hours * 3_600)
    if (one.kind === 'count') await countAll(countOn(db, { part: one.part }))
    if (one.kind === 'refund') {
      const order = paid[one.which % Math.max(paid.length, 1)]
      const amount_halalas = one.whole ? null : asHalalas(5)
      if (order !== undefined)
        await refundOrder(order.merchant, order.order_uuid, { amount_halalas, reason: null }).catch(ignored)
    }
    if (one.kind === 'earn' || one.kind === 'checkout') {
      const merchant = merchants[one.shop] ?? only
      clock.advance(60)
      if (one.kind === 'earn') {
        const earning = earningOf(merchant, {
          total: one.total,
          source: one.source,
          phone: phones[one.phone] ?? freshPhone(),
        })
        paid.push({ merchant, order_uuid: orderOf(await earnOn(db, clock)(earning)).order_uuid })
      } else {
        const known = one.known || one.points > 0
        const asked = { total: one.total, points: one.points, phone: known ? (phones[one.phone] ?? null) : null }
        const order = await replacingOrder(db, merchant, asked)
        if (one.end === 'capture') await moveOrder(merchant, order.order_uuid, { action: 'authorize' })
        await moveOrder(merchant, order.order_uuid, { action: one.end })
        if (one.end !== 'cancel') paid.push({ merchant, order_uuid: order.order_uuid })
      }
    }
  }
  return { play, program_id: only.program_id }
}
