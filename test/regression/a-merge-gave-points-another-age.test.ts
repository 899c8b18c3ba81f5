import { afterEach, expect, it } from 'vitest'
import type { Day } from '../../src/domain/day.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { day_s } from '../../src/domain/spans.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, freshPhone, oneMerchant, orderOf, TestClock, walletOf } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { reportOf } from '../support/liability.ts'
import { replacingOrder } from '../support/orders.ts'

// A merge counted the points that it moved as issued on its day, at the rate of its day, beside those of the wallet that was
// given up: the value at recorded rates changed, and breakage rested on points that did not exist.

const database = testDatabase()
const by = { source: 'command', name: 'Sara' } as const

/** Of `replacingOrder` points are held at a time before that of its program's clock, which changes what earlier days held. */
const verify = async () =>
  (await ledgerDifferences(database.owner, { figures: true })).filter(({ check }) => check !== 'liability_report')

// The verification computes the same with its own SQL.
afterEach(async () => expect(await verify()).toEqual([]))

async function newHistory() {
  const { db } = database
  const clock = new TestClock('2026-02-10T09:00:00.000Z')
  const merchant = await oneMerchant(db)
  const { program_id } = merchant
  const { moveOrder, refundOrder } = servicesOn(db, { clock })
  return {
    clock,
    phone: freshPhone,
    async earn(phone: Phone, total: number) {
      return orderOf(await earnOn(db, clock)(earningOf(merchant, { total, phone }))).order_uuid
    },
    async redeem(phone: Phone, points: number) {
      const { order_uuid } = await replacingOrder(db, merchant, { points, phone, total: points / 2 })
      await moveOrder(merchant, order_uuid, { action: 'complete' })
      return order_uuid
    },
    refund: (order_uuid: Uuid, amount?: number) =>
      refundOrder(merchant, order_uuid, {
        amount_halalas: amount === undefined ? null : asHalalas(amount),
        reason: null,
      }),
    async rate(micro_sar_per_point: number) {
      await changeProgram(db, program_id, {
        rate: { micro_sar_per_point: micro_sar_per_point as never },
        now: clock.now(),
      })
    },
    async merge(from_phone: Phone, into_phone: Phone) {
      const from = (await walletOf(db, program_id, from_phone))?.customer_id as Uuid
      await mergeCustomers({ db, clock }, { program_id, from, into_phone, locale: 'en', by })
    },
    report: (day: string) => reportOf(db, clock, { program_id, day: day as Day }),
  }
}

type History = Awaited<ReturnType<typeof newHistory>>

/** Two numbers with points of February, of which the first has 100; months later the rate has doubled. */
async function twoNumbers(then: (history: History, phones: readonly [Phone, Phone]) => Promise<void>) {
  const history = await newHistory()
  const phones = [history.phone(), history.phone()] as const
  await history.earn(phones[0], 1_000)
  history.clock.advance(60)
  await history.earn(phones[1], 100)
  history.clock.advance(40 * day_s)
  await history.rate(10_000)
  history.clock.advance(day_s)
  await then(history, phones)
  history.clock.advance(600 * day_s)
  return history.report('2027-10-31')
}

it('a merge leaves the value at the rates at which points were issued', async () => {
  const alone = await twoNumbers(async () => {})
  const merged = await twoNumbers((history, [from, into]) => history.merge(from, into))
  expect(merged).toMatchObject({
    state: 'complete',
    owed_points: alone.owed_points,
    owed_value_recorded: alone.owed_value_recorded,
  })
})

it('a merge issues no points: the share of old ones that is still there stays', async () => {
  const alone = await twoNumbers(async () => {})
  const merged = await twoNumbers((history, [from, into]) => history.merge(from, into))
  const { kept_points, left_points } = alone.breakage
  expect(merged.breakage).toMatchObject({ kept_points, left_points, left_share: 1 })
})

it('a refund after a merge lowers the month in which the order earned', async () => {
  const { clock, phone, earn, merge, refund, report } = await newHistory()
  const [from, into] = [phone(), phone()]
  const order = await earn(from, 10_000)
  await earn(into, 100)
  clock.advance(10 * day_s)
  await merge(from, into)
  clock.advance(5 * day_s)
  await refund(order)
  clock.advance(60 * day_s)
  const { months } = await report('2026-03-31')
  expect(months.find(({ month }) => month === '2026-02')).toMatchObject({ kept_points: 10, left_points: 10 })
})

it('a refund after a merge of an empty wallet lowers the month in which the order earned', async () => {
  const { clock, phone, earn, redeem, merge, refund, report } = await newHistory()
  const [from, into] = [phone(), phone()]
  const order = await earn(from, 10_000)
  await redeem(from, 1_000)
  clock.advance(25 * day_s)
  await earn(into, 30_000)
  await merge(from, into)
  await refund(order)
  clock.advance(60 * day_s)
  const { months } = await report('2026-04-30')
  expect(months.find(({ month }) => month === '2026-02')).toMatchObject({ kept_points: 0, left_points: 0 })
  expect(months.find(({ month }) => month === '2026-03')).toMatchObject({ kept_points: 3_000, left_points: 2_000 })
})

it('a merge changes the age of no point, after uses of both numbers, and of numbers that were merged before', async () => {
  const { clock, phone, earn, redeem, merge, rate, report } = await newHistory()
  const [first, second, third] = [phone(), phone(), phone()]
  await earn(first, 10_000)
  await earn(second, 2_000)
  clock.advance(30 * day_s)
  await rate(10_000)
  clock.advance(day_s)
  await earn(second, 7_000)
  await earn(third, 7_000)
  for (const [number, points] of [
    [first, 100],
    [second, 300],
    [third, 650],
  ] as const)
    await redeem(number, points)
  clock.advance(30 * day_s)
  const before = await report('2026-04-10')
  await merge(first, second)
  clock.advance(day_s)
  const once = await report('2026-04-12')
  await merge(second, third)
  clock.advance(2 * day_s)
  const twice = await report('2026-04-14')
  expect(twice.months).toEqual(before.months)
  for (const report of [once, twice])
    expect(report).toMatchObject({
      state: 'complete',
      ...{ owed_points: before.owed_points, owed_value_recorded: before.owed_value_recorded },
    })
  // A past day stays as it was.
  expect((await report('2026-04-12')).months).toEqual(once.months)
  // From now on the points of all three are one wallet's, used oldest first.
  await redeem(third, 50)
  clock.advance(2 * day_s)
  const used = await report('2026-04-16')
  const left = (of: typeof used, month: string) => of.months.find((one) => one.month === month)?.left_points
  expect([left(used, '2026-02'), left(used, '2026-03')]).toEqual([
    Number(left(before, '2026-02')) - 50,
    left(before, '2026-03'),
  ])
})

it('a use that comes back after a merge has the age that it had, also of the number that was given up', async () => {
  const { clock, phone, earn, redeem, merge, refund, report } = await newHistory()
  const [from, into] = [phone(), phone()]
  await earn(from, 10_000)
  clock.advance(25 * day_s)
  const used = await redeem(from, 400)
  await earn(into, 5_000)
  await merge(from, into)
  clock.advance(28 * day_s)
  await refund(used)
  clock.advance(30 * day_s)
  const { months, state } = await report('2026-04-30')
  const left = Object.fromEntries(months.map((one) => [one.month, one.left_points]))
  expect(state).toBe('complete')
  expect(left).toMatchObject({ '2026-02': 1_000, '2026-03': 500 })
})

it('a debt that is merged uses the oldest points of the other number', async () => {
  const { clock, phone, earn, redeem, merge, refund, report } = await newHistory()
  const [from, into] = [phone(), phone()]
  const order = await earn(from, 10_000)
  await redeem(from, 1_000)
  await refund(order)
  await earn(into, 15_000)
  clock.advance(30 * day_s)
  await earn(into, 5_000)
  await merge(from, into)
  clock.advance(30 * day_s)
  const { months, state, receivable_points } = await report('2026-03-31')
  expect({ state, receivable_points }).toEqual({ state: 'complete', receivable_points: 0 })
  expect(months.map(({ month, left_points }) => [month, left_points])).toContainEqual(['2026-03', 500])
  expect(months.map(({ month, left_points }) => [month, left_points])).toContainEqual(['2026-02', 500])
})

it('the verification still knows what was kept after a merge, and bounds of what is left and its value', async () => {
  const { owner } = database
  await twoNumbers((history, [from, into]) => history.merge(from, into))
  expect(await verify()).toEqual([])
  for (const change of ['kept_points = kept_points + 1', 'left_micro_sar = left_micro_sar + 1']) {
    const altered = (sign: string) => ({
      text: `update liability_month set ${change.replace('+', sign)} where month = '2026-02-01' and left_points > 0`,
      values: [],
    })
    await owner.run(altered('+'))
    expect(new Set((await verify()).map(({ check }) => check))).toEqual(new Set(['liability_ages']))
    await owner.run(altered('-'))
  }
})
