import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, dayOf } from '../../src/domain/day.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints } from '../../src/domain/points.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { adjustWallet } from '../../src/features/wallet/adjust.ts'
import { servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, freshPhone, oneMerchant, orderOf, TestClock, walletOf } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { expectedOf, foundOf, outsideOf, reportOf } from '../support/liability.ts'
import { customerWith, replacingOrder } from '../support/orders.ts'

// Guarantee: after any history, the report of any day equals what a queue of single points says of its entries, and what the
// accounts of merchants and the program say; made again in parts of any size, it is the same to the point.

const database = testDatabase({ leaves: ['open holds'] })
const numRuns = process.env['NUQTA_TEST_LONG'] === '1' ? 300 : 12

const who = fc.nat(2)
const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('earn' as const), who, total: fc.integer({ min: 1, max: 3_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      who,
      points: fc.integer({ min: 1, max: 300 }),
      pays: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('refund' as const), which: fc.nat(9), whole: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('adjust' as const), who, points: fc.integer({ min: -400, max: 200 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.constantFrom(0.4, 5, 20, 45) }) },
)
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never

it(`reports of liability equal the entries of any day, in ${numRuns} random histories`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), fc.nat(60), async (commands, days_ago) => {
      const { play, clock, program_id, today } = await newHistory()
      for (const one of commands) await play(one)
      clock.advance(86_400)
      const { db } = database
      for (const day of [addDays(today(), -1), addDays(today(), -1 - days_ago)]) {
        const key = { program_id, day }
        const report = await reportOf(db, clock, key)
        expect(report).toMatchObject({ state: 'complete', is_final: true })
        expect(foundOf(report)).toEqual(await expectedOf(db, key))
        expect(report.outstanding_points).toBe(await outsideOf(db, key))
        const { completed_at: _, ...again } = await reportOf(db, clock, key, { transfers: 3, wallets: 2, entries: 4 })
        expect(report).toMatchObject(again)
      }
      expect(await ledgerDifferences(database.owner, { programs: [program_id], figures: true })).toEqual([])
    }),
    { numRuns },
  )
})

it(`merges change neither age nor value of any point, in ${numRuns} random histories`, {
  timeout: 600_000,
}, async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), fc.shuffledSubarray([0, 1, 2]), async (commands, order) => {
      const { play, clock, program_id, today, phones } = await newHistory()
      // Held points keep a number from being given up, and a debt uses points of the number that it is merged into.
      for (const one of commands)
        if (one.kind !== 'redeem' || one.pays) await play(one.kind === 'adjust' ? { ...one, points: 50 } : one)
      const wallets = await Promise.all(phones.map((phone) => walletOf(db, program_id, phone)))
      fc.pre(wallets.every((wallet) => wallet !== undefined && wallet.posted >= 0))
      const key = { program_id, day: today() }
      clock.advance(2 * 86_400)
      const before = await reportOf(db, clock, key)
      for (const [at, n] of order.slice(1).entries()) {
        const [from, into_phone] = [wallets[order[at] ?? 0]?.customer_id as Uuid, phones[n] as Phone]
        const by = { source: 'command', name: 'Sara' } as const
        await mergeCustomers({ db, clock }, { program_id, from, into_phone, locale: 'en', by })
      }
      const merged = { program_id, day: today() }
      clock.advance(2 * 86_400)
      const { months, ...after } = await reportOf(db, clock, merged)
      const { state, owed_points, owed_value_recorded, held_points } = before
      expect(after).toMatchObject({ state, owed_points, owed_value_recorded, held_points })
      const ages = (of: typeof months) =>
        of.filter(({ kept_points, left_points }) => Number(kept_points) + Number(left_points) > 0)
      const told = ages(months).map(({ month, kept_points, left_points }) => ({ month, kept_points, left_points }))
      expect(told).toEqual(
        ages(before.months).map(({ month, kept_points, left_points }) => ({ month, kept_points, left_points })),
      )
      expect(await reportOf(db, clock, key, { transfers: 3, wallets: 2, entries: 4 })).toMatchObject({
        months: before.months,
      })
      expect(await ledgerDifferences(database.owner, { programs: [program_id], figures: true })).toEqual([])
    }),
    { numRuns },
  )
})

async function newHistory() {
  const { db } = database
  const merchant = await oneMerchant(db)
  const { program_id, program } = merchant
  const phones = [freshPhone(), freshPhone(), freshPhone()]
  for (const phone of phones) await customerWith(db, merchant, { points: 20, phone })
  const clock = new TestClock('2026-02-01T18:00:00.000Z')
  const { moveOrder, refundOrder } = servicesOn(db, { clock })
  const orders: Parameters<typeof refundOrder>[1][] = []
  const ignored = (): undefined => undefined
  async function play(one: Command): Promise<void> {
    clock.advance(60)
    const phone = 'who' in one ? phones[one.who] : undefined
    if (one.kind === 'wait') clock.advance(one.days * 86_400)
    if (one.kind === 'earn' && phone !== undefined)
      orders.push(orderOf(await earnOn(db, clock)(earningOf(merchant, { total: one.total, phone }))).order_uuid)
    if (one.kind === 'redeem' && phone !== undefined) {
      const { points } = one
      const made = await replacingOrder(db, merchant, { points, phone, total: points * 10 })
      // The hold may leave the wallet below zero: a report counts that too.
      if (one.pays) await moveOrder(merchant, made.order_uuid, { action: 'complete' })
      orders.push(made.order_uuid)
    }
    if (one.kind === 'refund') {
      const order = orders[one.which % Math.max(orders.length, 1)]
      const amount_halalas = one.whole ? null : asHalalas(7)
      if (order !== undefined) await refundOrder(merchant, order, { amount_halalas, reason: null }).catch(ignored)
    }
    if (one.kind === 'adjust' && phone !== undefined)
      await adjustWallet(db, clock, {
        program,
        phone,
        typed: phone,
        points: asPoints(one.points),
        reason: 'kind',
      }).catch(ignored)
  }
  return { play, clock, program_id, phones, today: () => dayOf(clock.now()) }
}
