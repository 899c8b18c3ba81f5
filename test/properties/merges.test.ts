import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { findCustomer } from '../../src/features/customers/queries.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, earnOn, freshPhone, orderOf, TestClock, walletOf } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { customerWith, replacingOrder, rowOf } from '../support/orders.ts'
import { settleMerchant } from '../support/settlement.ts'

// Guarantee: after any history with merges, also of merged numbers, each person has exactly the points of all their numbers,
// whatever is captured, completed, cancelled or refunded later; nobody else's change; the ledger verifies, and a settlement
// closes on it.

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
      expect(await ledgerDifferences(database.owner, { programs: [program_id] })).toEqual([])
      for (const merchant of history.merchants) await settleMerchant(database.db, history.clock, merchant)
    }),
    { numRuns },
  )
})

/** An order and its movements. The number of its creation tells whose points it moves. */
interface Made {
  readonly uuid: Uuid
  readonly at: number
  readonly of: number
  held: boolean
}

async function newHistory(): Promise<History> {
  const { db } = database
  const merchants = await earningMerchants(db, 2)
  const [first] = merchants
  if (first === undefined) throw new Error('no merchant')
  const phones: Phone[] = []
  for (let n = 0; n < people; n += 1) phones.push(await customerWith(db, first, { points: 100, phone: freshPhone() }))
  return new History(merchants, phones)
}

const by = { source: 'command', name: 'Sara' } as const

/** The steps so far, and the points of each person. */
class History {
  readonly clock = new TestClock('2026-02-01T18:00:00.000Z')
  readonly merchants: readonly Merchant[]
  /** The number by which each person is known. */
  readonly #phones: readonly Phone[]
  /** Which person each of them has become. */
  readonly #became = Array.from({ length: people }, (_, n) => n)
  readonly #points = Array.from({ length: people }, () => 100)
  readonly #orders: Made[] = []
  readonly #services = servicesOn(database.db, { clock: this.clock })

  constructor(merchants: readonly Merchant[], phones: readonly Phone[]) {
    this.merchants = merchants
    this.#phones = phones
  }

  get program_id(): number {
    return this.#merchant(0).program_id
  }

  expected(): Record<number, number> {
    return Object.fromEntries(this.#known().map((n) => [n, this.#points[n] ?? 0]))
  }

  async found(): Promise<Record<number, number | undefined>> {
    const wallets = this.#known().map(async (n) => {
      return [n, (await walletOf(database.db, this.program_id, this.#phone(n)))?.posted] as const
    })
    return Object.fromEntries(await Promise.all(wallets))
  }

  async play(one: Command): Promise<void> {
    this.clock.advance(60)
    if (one.kind === 'merge') return this.#merge(this.#person(one.who), this.#person(one.into))
    if (one.kind === 'earn') return this.#earn(this.#person(one.who), one)
    if (one.kind === 'redeem') return this.#redeem(this.#person(one.who), one)
    const order = this.#orders[one.which % Math.max(this.#orders.length, 1)]
    if (order === undefined) return
    const merchant = this.#merchant(order.at)
    const { moveOrder, refundOrder } = this.#services
    const amount_halalas = one.kind === 'refund' && one.whole ? null : asHalalas(7)
    await this.#follow(order, async () => {
      if (one.kind === 'refund') await refundOrder(merchant, order.uuid, { amount_halalas, reason: null })
      else await moveOrder(merchant, order.uuid, { action: one.kind })
      if (one.kind !== 'refund') order.held = false
    })
  }

  async #earn(n: number, { at, total }: { readonly at: number; readonly total: number }): Promise<void> {
    const earning = earningOf(this.#merchant(at), { total, phone: this.#phone(n) })
    const { order_uuid, total_points } = orderOf(await earnOn(database.db, this.clock)(earning))
    this.#orders.push({ uuid: order_uuid, at, of: n, held: false })
    this.#add(n, total_points)
  }

  async #redeem(n: number, { at, points }: { readonly at: number; readonly points: number }): Promise<void> {
    const asked = { points, phone: this.#phone(n), total: points * 10 }
    const { order_uuid } = await replacingOrder(database.db, this.#merchant(at), asked)
    this.#orders.push({ uuid: order_uuid, at, of: n, held: true })
  }

  /** Changes an order, if it may be; its points are those of the person whom its customer has become. */
  async #follow(order: Made, work: () => Promise<unknown>): Promise<void> {
    const before = await netOf(order)
    await work().catch(() => undefined)
    this.#add(this.#person(order.of), (await netOf(order)) - before)
  }

  async #merge(from: number, into: number): Promise<void> {
    const { db } = database
    const [first] = this.merchants
    const idOf = async () => (await db.one(findCustomer(this.program_id, this.#phone(from))))?.customer_id
    const locale = first?.program.locale ?? 'en'
    const asked = { program_id: this.program_id, into_phone: this.#phone(into), locale, by } as const
    const holds = this.#orders.some((order) => order.held && this.#person(order.of) === from)
    const merging = mergeCustomers({ db, clock: this.clock }, { ...asked, from: (await idOf()) as Uuid })
    if (from === into || holds) {
      await expect(merging).rejects.toThrow()
      return
    }
    await merging
    this.#add(into, this.#points[from] ?? 0)
    this.#became[from] = into
    expect(await idOf()).toBeUndefined()
  }

  #known(): readonly number[] {
    return this.#became.flatMap((to, n) => (to === n ? [n] : []))
  }

  #person(n: number): number {
    const to = this.#became[n] ?? n
    return to === n ? n : this.#person(to)
  }

  #phone(n: number): Phone {
    return this.#phones[n] ?? freshPhone()
  }

  #merchant(n: number): Merchant {
    const merchant = this.merchants[n]
    if (merchant === undefined) throw new Error('no such merchant')
    return merchant
  }

  #add(n: number, more: number): void {
    this.#points[n] = (this.#points[n] ?? 0) + more
  }
}

/** The points that an order has added so far. */
async function netOf({ uuid }: Made): Promise<number> {
  const row = await rowOf(database.db, uuid)
  const of = (name: string) => Number(row[name])
  const used = row['type'] === 2 && row['paid_at'] !== null ? of('total_points') : 0
  return of('returned_points') + of('earned_points') - of('reversed_points') - used
}
