import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyLedger } from '../../src/db/verify.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { findCustomer } from '../../src/features/customers/queries.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, freshPhone, makeMerchants, orderOf, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, replacingOrder, rowOf } from '../support/orders.ts'
import { settleMerchant } from '../support/settlement.ts'

// Guarantee: after any history with merges, also of merged numbers, each person has exactly the points of all their numbers, whatever
// is captured, completed, cancelled or refunded later; nobody else's change; the ledger verifies, and a settlement closes on it.

const database = testDatabase({ leaves: ['open holds'] })
const numRuns = process.env['NUQTA_TEST_LONG'] === '1' ? 300 : 8

const people = 4
const who = fc.nat(people - 1)
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('earn' as const),
      who,
      at: fc.nat(1),
      total: fc.integer({ min: 1, max: 9_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      who,
      at: fc.nat(1),
      points: fc.integer({ min: 2, max: 300 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('complete' as const, 'cancel' as const), which: fc.nat(9) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('refund' as const), which: fc.nat(9), whole: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('merge' as const), who, into: who }) },
)
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never

it(`merges leave every point with its person, in ${numRuns} random histories`, { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
      const history = await newHistory()
      for (const one of commands) {
        await history.play(one)
        expect(await history.found()).toEqual(history.expected())
      }
      const { program_id } = history
      expect((await verifyLedger(database.owner, { programs: [program_id] })).differences).toEqual([])
      for (const merchant of history.merchants) await settleMerchant(database.db, history.clock, merchant)
    }),
    { numRuns },
  )
})

/** An order, and what has moved for it: whose points it moves is told by the number that it was made with. */
interface Made {
  readonly uuid: Uuid
  readonly at: number
  readonly of: number
  held: boolean
}

async function newHistory() {
  const { db } = database
  const merchants = await makeMerchants(db, 2)
  const [first] = merchants
  if (first === undefined) throw new Error('no merchant')
  const { program_id, program } = first
  const clock = new TestClock('2026-02-01T18:00:00.000Z')
  const { moveOrder, refundOrder } = servicesOn(db, { clock })
  /** The number by which each person is known by now. */
  const phones: Phone[] = []
  /** Which person each of the others has become. */
  const became = Array.from({ length: people }, (_, n) => n)
  const points = Array.from({ length: people }, () => 100)
  for (let n = 0; n < people; n += 1) phones.push(await customerWith(db, first, { points: 100, phone: freshPhone() }))
  const orders: Made[] = []
  const person = (n: number): number => (became[n] === n ? n : person(became[n] ?? n))
  const phoneOf = (n: number): Phone => phones[n] ?? freshPhone()
  const merchantOf = (n: number) => merchants[n] ?? first
  const add = (n: number, more: number) => {
    points[n] = (points[n] ?? 0) + more
  }
  const idOf = async (n: number) => (await db.one(findCustomer(program_id, phoneOf(n))))?.customer_id

  async function moved(order: Made): Promise<{ back: number; taken: number }> {
    const row = await rowOf(db, order.uuid)
    const [returned, reversed] = [Number(row['returned_points']), Number(row['reversed_points'])]
    const [earned, paid] = [Number(row['earned_points']), row['paid_at'] !== null]
    const used = row['type'] === 2 && paid ? Number(row['total_points']) : 0
    return { back: returned + earned, taken: reversed + used }
  }

  async function follow(order: Made, work: () => Promise<unknown>): Promise<void> {
    const before = await moved(order)
    await work().catch(() => undefined)
    const after = await moved(order)
    add(person(order.of), after.back - before.back - (after.taken - before.taken))
  }

  async function play(one: Command): Promise<void> {
    clock.advance(60)
    if (one.kind === 'earn') {
      const n = person(one.who)
      const earned = await earnOn(db, clock)(earningOf(merchantOf(one.at), { total: one.total, phone: phoneOf(n) }))
      const { order_uuid, total_points } = orderOf(earned)
      orders.push({ uuid: order_uuid, at: one.at, of: n, held: false })
      add(n, total_points)
    }
    if (one.kind === 'redeem') {
      const n = person(one.who)
      const made = await replacingOrder(db, merchantOf(one.at), {
        points: one.points,
        phone: phoneOf(n),
        total: one.points * 10,
      })
      orders.push({ uuid: made.order_uuid, at: one.at, of: n, held: true })
    }
    if (one.kind === 'merge') return merge(person(one.who), person(one.into))
    const order = 'which' in one ? orders[one.which % Math.max(orders.length, 1)] : undefined
    if (order === undefined) return
    const merchant = merchantOf(order.at)
    if (one.kind === 'refund')
      await follow(order, () =>
        refundOrder(merchant, order.uuid, { amount_halalas: one.whole ? null : asHalalas(7), reason: null }),
      )
    if (one.kind === 'complete' || one.kind === 'cancel')
      await follow(order, async () => {
        await moveOrder(merchant, order.uuid, { action: one.kind })
        order.held = false
      })
  }

  async function merge(from: number, into: number): Promise<void> {
    const [id, into_phone] = [await idOf(from), phoneOf(into)]
    const asked = { program_id, from: id as Uuid, into_phone, locale: program.locale, by } as const
    const holds = orders.some((order) => order.held && person(order.of) === from)
    const merging = mergeCustomers({ db, clock }, asked)
    if (from === into || holds) return expect(merging).rejects.toThrow()
    await merging
    add(into, points[from] ?? 0)
    points[from] = 0
    became[from] = into
    expect(await idOf(from)).toBeUndefined()
  }

  const known = () => points.flatMap((count, n) => (became[n] === n ? [[n, count] as const] : []))
  return {
    ...{ play, program_id, clock, merchants },
    expected: () => Object.fromEntries(known()),
    async found() {
      const wallets = known().map(async ([n]) => [n, (await walletOf(db, program_id, phoneOf(n)))?.posted] as const)
      return Object.fromEntries(await Promise.all(wallets))
    },
  }
}

const by = { source: 'command', name: 'Sara' } as const
