import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints, type MicroSarPerPoint } from '../../src/domain/points.ts'
import { type PointKind, type PointSum, positionOf } from '../../src/domain/settlement.ts'
import { excludeOrder, includeOrder } from '../../src/features/settlement/exclusion.ts'
import { closeSettlements } from '../../src/features/settlement/service.ts'
import { adjustWallet } from '../../src/features/wallet/adjust.ts'
import { servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, earnOn, freshPhone, inProgram, TestClock } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { replacingOrder, rowOf } from '../support/orders.ts'

// Guarantee: after any history of earnings, redemptions, refunds, adjustments, rates, disputes, clocks that go back, and
// closes up to any instant, interrupted at any step or raced by refunds, every entry is in exactly one settlement or in the
// open period, with the value it was made with; and what all merchants come to is what the wallets hold (every close checks
// that).

const database = testDatabase({ leaves: ['open holds'] })
const runs = process.env['NUQTA_TEST_LONG'] === undefined ? 12 : 400
const noon_ms = Date.parse('2026-02-01T09:00:00.000Z')
const hour = 3_600
const fees = { fee_earn_bp: 250, fee_redeem_bp: 125, fee_vat_bp: 1_500 }

const merchant = fc.nat({ max: 1 })
const order = fc.nat({ max: 30 })
/** The end of a period: now, or a few hours before. */
const back_h = fc.constantFrom(0, 0, 0, 1, 5, 30)
const all = fc.boolean()

type Command =
  | { readonly kind: 'earn'; readonly merchant: number; readonly total: number }
  | { readonly kind: 'redeem'; readonly merchant: number; readonly points: number }
  | { readonly kind: 'refund' | 'race'; readonly order: number; readonly part: number }
  | { readonly kind: 'exclude' | 'include' | 'cancel'; readonly order: number }
  | { readonly kind: 'adjust'; readonly points: number }
  | { readonly kind: 'rate'; readonly micro: number }
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'close'; readonly back_h: number; readonly all: boolean; readonly breaks_at: number | null }

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('earn' as const), merchant, total: fc.nat({ max: 90_000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('redeem' as const), merchant, points: fc.integer({ min: 2, max: 900 }) }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constantFrom('refund' as const, 'race' as const),
      order,
      part: fc.constantFrom(0, 0.3, 0.5, 1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('exclude' as const, 'include' as const, 'cancel' as const), order }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('adjust' as const), points: fc.integer({ min: 1, max: 500 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rate' as const), micro: fc.constantFrom(5_000, 5_001, 777, 10_000) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: -20, max: 40 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      ...{ back_h, all, breaks_at: fc.option(fc.nat({ max: 5 }), { nil: null, freq: 2 }) },
    }),
  },
)

interface ModelEntry {
  readonly merchant: number
  readonly order: Uuid
  readonly kind: PointKind
  readonly points: number
  readonly value: MicroSarPerPoint
  readonly at_ms: number
}

/** A model of the events, without tables. */
class History {
  readonly entries: ModelEntry[] = []
  readonly orders: { readonly uuid: Uuid; readonly merchant: number; readonly at_ms: number }[] = []
  /** When the refund of a whole order counts. */
  readonly refunded_ms = new Map<Uuid, number>()
  /** When orders that were left out are taken in again. */
  readonly included_ms = new Map<Uuid, number>()
  readonly closing_ms = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  value = 5_000 as MicroSarPerPoint

  /** An order counts from now on, or from the end of the closed periods. */
  begin(uuid: Uuid, merchant_number: number, now_ms: number): void {
    this.orders.push({
      uuid,
      merchant: merchant_number,
      at_ms: Math.max(now_ms, this.closing_ms[merchant_number] ?? 0),
    })
  }

  /** When a change of an order counts that is made now: not before the order. */
  changesAt(uuid: Uuid, merchant_number: number, now_ms: number): number {
    const begins_ms = this.orders.find((one) => one.uuid === uuid)?.at_ms ?? 0
    const included_ms = this.included_ms.get(uuid) ?? 0
    const included = Number.isFinite(included_ms) ? included_ms : 0
    return Math.max(now_ms, this.closing_ms[merchant_number] ?? 0, begins_ms, included)
  }

  add(of: Omit<ModelEntry, 'at_ms'>, now_ms: number): void {
    const at_ms = this.changesAt(of.order, of.merchant, now_ms)
    if (of.points > 0) this.entries.push({ ...of, at_ms })
  }

  valueOf(uuid: Uuid, kind: PointKind): MicroSarPerPoint {
    return this.entries.find((entry) => entry.order === uuid && entry.kind === kind)?.value ?? this.value
  }

  /** When an entry counts: that of an order that was left out not before the order is taken in. */
  countsAt({ order: uuid, at_ms }: Pick<ModelEntry, 'order' | 'at_ms'>): number {
    return Math.max(at_ms, this.included_ms.get(uuid) ?? Number.NEGATIVE_INFINITY)
  }

  /** The orders of a merchant's period, without those refunded in full by its end. */
  ordersOf(of: number, from_ms: number, until_ms: number): Uuid[] {
    const counting = this.orders.filter(({ uuid, merchant: number, at_ms: made_ms }) => {
      const at_ms = this.countsAt({ order: uuid, at_ms: made_ms })
      const refunded_ms = this.countsAt({ order: uuid, at_ms: this.refunded_ms.get(uuid) ?? Number.POSITIVE_INFINITY })
      return number === of && at_ms >= from_ms && at_ms < until_ms && refunded_ms >= until_ms
    })
    return counting.map(({ uuid }) => uuid)
  }

  /** The sum of a merchant's period. */
  position(of: number, from_ms: number, until_ms: number) {
    const sums = new Map<string, PointSum>()
    for (const entry of this.entries) {
      const at_ms = this.countsAt(entry)
      if (entry.merchant !== of || at_ms < from_ms || at_ms >= until_ms) continue
      const { kind, value: micro_sar_per_point, points } = entry
      const sum = sums.get(`${kind} ${micro_sar_per_point}`) ?? { kind, micro_sar_per_point, entries: 0, points: 0n }
      sums.set(`${kind} ${micro_sar_per_point}`, {
        ...sum,
        entries: sum.entries + 1,
        points: sum.points + BigInt(points),
      })
    }
    return positionOf([...sums.values()], [], fees)
  }
}

class Run {
  readonly clock = new TestClock(new Date(noon_ms))
  readonly model = new History()
  readonly #phone = freshPhone()
  readonly #services = servicesOn(database.db, { clock: this.clock })
  readonly #merchants: readonly Merchant[]

  constructor(merchants: readonly Merchant[]) {
    this.#merchants = merchants
  }

  #now(): number {
    return this.clock.now().getTime()
  }

  #merchant(number: number): Merchant {
    const found = this.#merchants[number]
    if (found === undefined) throw new Error('no such merchant')
    return inProgram(found, { rates: [{ begins_on: '2020-01-01' as never, micro_sar_per_point: this.model.value }] })
  }

  #order(number: number) {
    return this.model.orders[number % Math.max(1, this.model.orders.length)]
  }

  /** The customer's first purchase, and points to redeem. */
  async begin(): Promise<void> {
    await this.#earn(0, 10_000)
    await this.fund(50_000)
  }

  async fund(points: number): Promise<void> {
    const { program } = this.#merchant(0)
    const adjustment = { program, phone: this.#phone, typed: this.#phone, points: asPoints(points), reason: 'A gift' }
    await adjustWallet(database.db, this.clock, adjustment)
  }

  async apply(it: Command): Promise<void> {
    if (it.kind === 'earn') return this.#earn(it.merchant, it.total)
    if (it.kind === 'redeem') return this.#redeem(it.merchant, it.points)
    if (it.kind === 'refund') return this.#refund(it.order, it.part)
    if (it.kind === 'adjust') return this.fund(it.points)
    if (it.kind === 'wait') return this.clock.advance(it.hours * hour)
    if (it.kind === 'rate') this.model.value = it.micro as MicroSarPerPoint
    if (it.kind === 'close') return this.#close(it)
    if (it.kind === 'race') return this.#race(it.order, it.part)
    if (it.kind === 'cancel')
      await this.#act(it.order, ({ uuid, of }) => this.#services.moveOrder(of, uuid, { action: 'cancel' }))
    if (it.kind === 'exclude') return this.#exclude(it.order)
    if (it.kind === 'include') return this.#include(it.order)
  }

  async #earn(number: number, total: number): Promise<void> {
    const of = this.#merchant(number)
    const earning = earningOf(of, { total, phone: this.#phone })
    await earnOn(database.db, this.clock)(earning)
    this.model.begin(earning.order_uuid, number, this.#now())
    this.model.add(
      { merchant: number, order: earning.order_uuid, kind: 'earn', points: earning.points, value: this.model.value },
      this.#now(),
    )
  }

  async #redeem(number: number, points: number): Promise<void> {
    const of = this.#merchant(number)
    const { order_uuid } = await replacingOrder(database.db, of, { phone: this.#phone, points })
    await this.#services.moveOrder(of, order_uuid, { action: 'complete' })
    const { earned_points } = await rowOf(database.db, order_uuid)
    this.model.begin(order_uuid, number, this.#now())
    const said = { merchant: number, order: order_uuid, value: this.model.value }
    this.model.add({ ...said, kind: 'post', points }, this.#now())
    this.model.add({ ...said, kind: 'earn', points: Number(earned_points) }, this.#now())
  }

  /** Does something about an order that may be refused. */
  async #act<T>(
    number: number,
    work: (order: { uuid: Uuid; merchant: number; of: Merchant }) => Promise<T>,
  ): Promise<T | null> {
    const found = this.#order(number)
    if (found === undefined) return null
    return work({ ...found, of: this.#merchant(found.merchant) }).catch((error: unknown) => {
      if (error instanceof Error && 'failure' in error) return null
      throw error
    })
  }

  async #refund(number: number, part: number): Promise<void> {
    const found = this.#order(number)
    if (found === undefined) return
    const before = await rowOf(database.db, found.uuid)
    const amount = part === 1 ? null : asHalalas(Math.floor(Number(before['total_halalas']) * part))
    await this.#act(number, ({ uuid, of }) =>
      this.#services.refundOrder(of, uuid, { amount_halalas: amount, reason: null }),
    )
    const after = await rowOf(database.db, found.uuid)
    if (before['order_status'] !== after['order_status'] && after['order_status'] === 'fully_refunded')
      this.model.refunded_ms.set(found.uuid, this.model.changesAt(found.uuid, found.merchant, this.#now()))
    const moved = (column: string) => Number(after[column]) - Number(before[column])
    const said = { merchant: found.merchant, order: found.uuid }
    const [returned, reversed] = [moved('returned_points'), moved('reversed_points')]
    this.model.add(
      { ...said, kind: 'return', points: returned, value: this.model.valueOf(found.uuid, 'post') },
      this.#now(),
    )
    this.model.add(
      { ...said, kind: 'reverse', points: reversed, value: this.model.valueOf(found.uuid, 'earn') },
      this.#now(),
    )
  }

  /** A refund beside a close: its entries count before the end of the period, or from it on. The database says which. */
  async #race(number: number, part: number): Promise<void> {
    const first = this.model.entries.length
    await Promise.all([this.#refund(number, part), this.#close({ back_h: 0, all: true, breaks_at: null })])
    const raced = this.model.entries.splice(first)
    const uuid = this.#order(number)?.uuid
    if (uuid !== undefined && (await rowOf(database.db, uuid))['refunded_late'] === true)
      this.model.refunded_ms.set(uuid, Number.POSITIVE_INFINITY)
    for (const entry of raced) {
      const [row] = await database.db.run<{ at: Date }>({
        text: `select e.created_at as at from transfer t join entry e using (program_id, transfer_id)
          where t.order_uuid = $1 and t.kind = $2 and e.account_version is null order by t.transfer_id desc limit 1`,
        values: [entry.order, entry.kind],
      })
      this.model.entries.push({ ...entry, at_ms: row?.at.getTime() ?? 0 })
    }
  }

  async #exclude(number: number): Promise<void> {
    const { program_id } = this.#merchant(0)
    const done = await this.#act(number, async ({ uuid, of }) => {
      const ask = {
        program_id,
        merchant_id: of.merchant_id,
        order_uuid: uuid,
        now: this.clock.now(),
        reason: 'In dispute',
      }
      await excludeOrder(database.db, ask)
      return uuid
    })
    if (done !== null) this.model.included_ms.set(done, Number.POSITIVE_INFINITY)
  }

  async #include(number: number): Promise<void> {
    const { program_id } = this.#merchant(0)
    const done = await this.#act(number, async ({ uuid, of }) => {
      await includeOrder(database.db, {
        program_id,
        merchant_id: of.merchant_id,
        order_uuid: uuid,
        now: this.clock.now(),
      })
      return uuid
    })
    const found = this.#order(number)
    if (done === null || found === undefined) return
    this.model.included_ms.delete(done)
    this.model.included_ms.set(done, this.model.changesAt(done, found.merchant, this.#now()))
  }

  async #close({
    back_h: hours,
    all: whole,
    breaks_at,
  }: Pick<Command & { kind: 'close' }, 'back_h' | 'all' | 'breaks_at'>): Promise<void> {
    const { program_id, merchant_id } = this.#merchant(1)
    const until = new Date(this.#now() - hours * hour * 1000 + 1)
    let steps = 0
    const progress = (): void => {
      steps += 1
      if (breaks_at !== null && steps > breaks_at) throw new Error('the process ends')
    }
    const ask = {
      program: { program_id, first_value: 1 as MicroSarPerPoint, ...fees },
      until,
      now: this.clock.now(),
      progress,
    }
    await closeSettlements(database.db, whole ? ask : { ...ask, merchant_id }).catch((error: Error) => {
      if (error.message !== 'the process ends') throw error
    })
    const boundaries = await this.#boundaries()
    for (const [index, { closing_to }] of boundaries.entries()) {
      const is_asked = whole || index === 1
      const known = this.model.closing_ms[index] ?? 0
      const now_ms = closing_to?.getTime() ?? Number.NEGATIVE_INFINITY
      // A close moves a boundary to its end and nowhere else; one that is interrupted may not have come to it.
      expect([known, ...(is_asked ? [Math.max(known, until.getTime())] : [])]).toContain(now_ms)
      if (breaks_at === null && is_asked) expect(now_ms).toBe(Math.max(known, until.getTime()))
      this.model.closing_ms[index] = now_ms
    }
  }

  #boundaries(): Promise<{ closing_to: Date | null; settled_to: Date | null }[]> {
    const { program_id } = this.#merchant(0)
    return database.db.run({
      text: 'select closing_to, settled_to from earning_lock where program_id = $1 order by merchant_id',
      values: [program_id],
    })
  }

  /** Compares every settlement with the model, and that their periods follow each other from the beginning on. */
  async compare(): Promise<void> {
    this.clock.advance(1_000 * hour)
    await this.#close({ back_h: 0, all: true, breaks_at: null })
    const { program_id } = this.#merchant(0)
    const settled = new Set<Uuid>()
    for (const index of [0, 1]) {
      const rows = await database.db.run<Record<string, string> & { from_at: Date | null; until_at: Date }>({
        text: 'select * from settlement where program_id = $1 and merchant_id = $2 order by until_at',
        values: [program_id, this.#merchant(index).merchant_id],
      })
      let from_ms = Number.NEGATIVE_INFINITY
      for (const row of rows) {
        const begins_ms = row.from_at?.getTime() ?? Number.NEGATIVE_INFINITY
        expect(begins_ms).toBeGreaterThanOrEqual(from_ms)
        expect(this.model.position(index, from_ms, begins_ms).lines).toEqual([])
        const { net_points, net_halalas, fee_halalas, vat_halalas, due_halalas } = this.model.position(
          index,
          begins_ms,
          row.until_at.getTime(),
        )
        expect(row).toMatchObject({
          ...{ net_points: String(net_points), net_halalas: String(net_halalas), fee_halalas: String(fee_halalas) },
          ...{ vat_halalas: String(vat_halalas), due_halalas: String(due_halalas) },
        })
        const orders = this.model.ordersOf(index, begins_ms, row.until_at.getTime())
        expect(Number(row['orders'])).toBe(orders.length)
        for (const uuid of orders) settled.add(uuid)
        from_ms = row.until_at.getTime()
      }
      const open = this.model.position(index, from_ms, this.#now() + 1)
      expect(open.lines).toEqual([])
    }
    await this.#compareOrders(settled)
    expect(await ledgerDifferences(database.owner, { programs: [program_id] })).toEqual([])
  }

  /** Compares what orders say with the settlements that contain them. */
  async #compareOrders(settled: ReadonlySet<Uuid>): Promise<void> {
    for (const { uuid, merchant: index } of this.model.orders) {
      const order = await this.#services.readOrder(this.#merchant(index), uuid)
      expect([uuid, order.settled]).toEqual([uuid, settled.has(uuid)])
    }
  }
}

it('settlements of any history equal those of a model without tables', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      const run = new Run(await earningMerchants(database.db, 2))
      await run.begin()
      for (const it of commands) await run.apply(it)
      await run.compare()
    }),
    {
      numRuns: runs,
    },
  )
}, 600_000)
