import { describe, expect, it } from 'vitest'
import { addDays, type Day, dayOf, type Month } from '../../../src/domain/day.ts'
import { addMonths } from '../../../src/domain/liability.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import { createMake } from '../../../src/features/liability/make.ts'
import { createLiability } from '../../../src/features/liability/service.ts'
import { servicesOn } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOf, earnOn, freshPhone, oneMerchant, orderOf, refusalOf, TestClock } from '../../support/earnings.ts'
import { ledgerDifferences } from '../../support/ledger.ts'
import { makeReports, reportOf } from '../../support/liability.ts'
import { replacingOrder } from '../../support/orders.ts'

const database = testDatabase()
const day = (text: string) => text as Day

/**
 * A sandbox's program, whose first customer has 10,000 points: a sale of 100 SAR in January, and in February a sale of 50 SAR,
 * a redemption and a refund.
 */
async function twoMonths() {
  const { db } = database
  const merchant = await oneMerchant(db)
  const clock = new TestClock('2026-01-31T20:58:00.000Z')
  const [phone, other] = [freshPhone(), freshPhone()]
  const first = orderOf(await earnOn(db, clock)(earningOf(merchant, { phone })))
  clock.advance(180)
  await earnOn(db, clock)(earningOf(merchant, { phone: other, total: 5_000 }))
  const { moveOrder, refundOrder } = servicesOn(db, { clock })
  const checkout = await replacingOrder(db, merchant, { points: 300, phone, total: 150 })
  await moveOrder(merchant, checkout.order_uuid, { action: 'complete' })
  await refundOrder(merchant, first.order_uuid, { amount_halalas: asHalalas(2_000), reason: null })
  clock.advance(86_400)
  return { merchant, clock, phone, other, program_id: merchant.program_id }
}

describe('a report of liability', () => {
  it('gives the points of the end of a past day, by the month of their issue, with their value', async () => {
    const { db } = database
    const { clock, program_id } = await twoMonths()
    const january = await reportOf(db, clock, { program_id, day: day('2026-01-31') })
    expect(january).toMatchObject({
      ...{ state: 'complete', is_final: true, until: '2026-01-31T21:00:00.000Z', progress: 1 },
      ...{ outstanding_points: 11_000, outstanding_value: 55, owed_value_recorded: 55, wallets: 2, earlier: null },
      months: [
        { month: '2026-01', issued_points: 1_000, adjusted_points: 10_000, outstanding_points: 11_000, left_share: 1 },
      ],
    })
    const february = await reportOf(db, clock, { program_id, day: day('2026-02-01') })
    expect(february).toMatchObject({
      ...{ outstanding_points: 11_000, owed_points: 11_000, held_points: 0, wallets: 3, owed_value: 55 },
      months: [
        // 200 of January's points were taken back with the refund, and 300 used.
        {
          month: '2026-01',
          issued_points: 1_000,
          kept_points: 10_800,
          left_points: 10_500,
          left_share: 0.9722,
          left_value: 52.5,
        },
        {
          month: '2026-02',
          issued_points: 500,
          redeemed_points: 300,
          reversed_points: 200,
          outstanding_points: 11_000,
          left_points: 500,
        },
      ],
    })
    let file = ''
    for await (const part of await createLiability({ db, clock }).lines({ program_id, day: day('2026-02-01') }))
      file += part
    expect(file.trim().split('\r\n').slice(1)).toEqual([
      '2026-02-01,2026-01,1000,0,0,0,10000,11000,10800,10500,52.5,52.5',
      '2026-02-01,2026-02,500,0,300,200,0,11000,500,500,2.5,2.5',
      '2026-02-01,total,1500,0,300,200,10000,11000,11300,11000,55,55',
    ])
  })

  it('counts what a merchant books later on the day on which the customer got it', async () => {
    const { db, owner } = database
    const { clock, program_id } = await twoMonths()
    const later = `update entry set created_at = $2 where program_id = $1 and created_at < $3
      and account_id in (select account_id from account where program_id = $1 and kind = 'merchant')`
    const end = new Date('2026-01-31T21:00:00Z')
    await owner.run({ text: later, values: [program_id, new Date('2026-02-15T00:00:00Z'), end] })
    const january = await reportOf(db, clock, { program_id, day: day('2026-01-31') })
    expect(january).toMatchObject({ state: 'complete', outstanding_points: 11_000 })
    expect(january.months).toMatchObject([{ month: '2026-01', outstanding_points: 11_000 }])
  })

  it('values what is left at the rates that its entries record, and at the first one where they record none', async () => {
    const { db, owner } = database
    const { clock, program_id } = await twoMonths()
    const end = new Date('2026-01-31T21:00:00Z')
    const set = (rate: number | null, before: string) => ({
      text: `update entry set micro_sar_per_point = $2 where program_id = $1 and created_at ${before} $3`,
      values: [program_id, rate, end],
    })
    await owner.run(set(null, '<'))
    await owner.run(set(20_000, '>='))
    // The redemption of February has the value that its order was chosen at.
    const chosen = 'update orders set micro_sar_per_point = 20000 where program_id = $1 and type = 2'
    await owner.run({ text: chosen, values: [program_id] })
    const { owed_value, owed_value_recorded, months } = await reportOf(db, clock, {
      program_id,
      day: day('2026-02-01'),
    })
    // 10,500 points of January at 0.005 SAR, and 500 of February at 0.02.
    expect([owed_value, owed_value_recorded]).toEqual([55, 62.5])
    expect(months.map((one) => one.left_value_recorded)).toEqual([52.5, 10])
  })

  it('is made once for a day that is over, and again for a day that goes on', async () => {
    const { db } = database
    const { clock, program_id, merchant } = await twoMonths()
    const liability = createLiability({ db, clock })
    const past = { program_id, day: day('2026-02-01') }
    const today = { program_id, day: dayOf(clock.now()) }
    await reportOf(db, clock, past)
    expect(await liability.ask(past)).toMatchObject({ state: 'complete' })
    expect(await reportOf(db, clock, today)).toMatchObject({ is_final: false, outstanding_points: 11_000 })
    await earnOn(db, clock)(earningOf(merchant))
    clock.advance(61)
    expect(await liability.ask(today)).toMatchObject({ state: 'waiting', progress: 0 })
    await makeReports(db)
    expect(await liability.read(today)).toMatchObject({ is_final: false, outstanding_points: 12_000 })
    expect((await liability.list(program_id, null, 10)).map((one) => one.day)).toEqual([today.day, past.day])
    expect(await liability.list(program_id, past.day, 10)).toEqual([])
    expect(await refusalOf(liability.ask({ program_id, day: addDays(today.day, 1) }))).toMatchObject({
      kind: 'validation',
    })
    expect(await refusalOf(liability.read({ program_id, day: day('2020-01-01') }))).toEqual({ kind: 'not_found' })
  })

  it('continues where it was interrupted, one report of a program at a time, in any worker', async () => {
    const { db } = database
    const { clock, program_id, merchant } = await twoMonths()
    for (let n = 0; n < 6; n += 1) await earnOn(db, clock)(earningOf(merchant))
    clock.advance(86_400)
    const liability = createLiability({ db, clock })
    const days = ['2026-02-02', '2026-02-01'].map(day)
    for (const one of days) await liability.ask({ program_id, day: one })
    const part = { transfers: 2, wallets: 1, entries: 1 }
    const workers = [0, 1, 2].map(() => createMake({ db, part }))
    const states = async () => (await liability.list(program_id, null, 9)).map(({ state }) => state)
    // A step that fails after its writes leaves nothing behind, as that of a process that dies.
    const failing = createMake({
      db: {
        run: db.run.bind(db),
        transaction: (work: never) =>
          db.transaction(async (tx) => {
            await (work as (of: typeof tx) => Promise<unknown>)(tx)
            throw new Error('it died')
          }),
      } as never,
      part,
    })
    for (let steps = 0; (await states()).includes('waiting') || (await states()).includes('making'); steps += 1) {
      if (steps % 3 === 0) await expect(failing.step(program_id)).rejects.toThrow('it died')
      await Promise.all(workers.map(({ step }) => step(program_id)))
      expect((await states()).filter((state) => state === 'making').length).toBeLessThan(2)
    }
    const made = await Promise.all(days.map((one) => liability.read({ program_id, day: one })))
    expect(made).toMatchObject([
      { outstanding_points: 17_000, wallets: 9, state: 'complete' },
      { outstanding_points: 11_000, state: 'complete' },
    ])
  })

  it('keeps a limited number: a new one replaces the oldest, which can be made again', async () => {
    const { db } = database
    const { clock, program_id } = await twoMonths()
    const liability = createLiability({ db, clock, most_stored: 2 })
    for (const one of ['2026-02-01', '2026-01-30', '2026-01-31']) {
      await liability.ask({ program_id, day: day(one) })
      await makeReports(db)
    }
    expect((await liability.list(program_id, null, 9)).map((one) => one.day)).toEqual(['2026-01-31', '2026-01-30'])
    const months = {
      text: 'select count(*) as months from liability_month where program_id = $1 and day = $2',
      values: [program_id, '2026-02-01'],
    }
    expect(await db.run(months)).toEqual([{ months: 0 }])
    for (let n = 0; n < 24; n += 1)
      await createLiability({ db, clock }).ask({ program_id, day: addDays(day('2025-01-01'), n) })
    expect(await refusalOf(liability.ask({ program_id, day: day('2025-03-01') }))).toMatchObject({
      errors: [{ rule: 'most_waiting', limit: 24 }],
    })
    await makeReports(db)
  })

  it('reports when wallets and ledger disagree; the verification names wrong reports', async () => {
    const { db, owner } = database
    const { clock, program_id } = await twoMonths()
    const key = { program_id, day: day('2026-01-31') }
    const verify = () => ledgerDifferences(owner, { programs: [program_id], figures: true })
    await reportOf(db, clock, key)
    await reportOf(db, clock, { program_id, day: day('2026-02-01') })
    expect(await verify()).toEqual([])
    const raise = (points: number) => ({
      text: 'update liability_report set owed_points = owed_points + $2 where program_id = $1 and day = $3',
      values: [program_id, points, key.day],
    })
    await owner.run(raise(1))
    expect((await verify()).map(({ check, id }) => [check, id])).toEqual([
      ['liability_report', key.day],
      ['liability_month', key.day],
    ])
    await owner.run(raise(-1))
    const move = (points: number) => ({
      text: 'update entry set amount = amount + $2 where program_id = $1 and account_version = 1 and amount = 1000 + (1 - $2) / 2 and created_at < $3',
      values: [program_id, points, new Date('2026-01-31T21:00:00Z')],
    })
    await owner.run(move(1))
    const found: unknown[] = []
    await createLiability({ db, clock }).ask(key, true)
    const { step } = createMake({ db, onDifference: (of) => found.push(of) })
    while (await step(program_id));
    expect(found).toEqual([key])
    const liability = createLiability({ db, clock })
    expect(await liability.read(key)).toMatchObject({ state: 'differs', outstanding_points: 11_001 })
    await owner.run(move(-1))
    // A report that does not agree is rebuilt automatically.
    expect(await liability.ask(key)).toMatchObject({ state: 'waiting' })
    await makeReports(db)
    expect(await liability.read(key)).toMatchObject({ state: 'complete', outstanding_points: 11_000 })
  })

  // The verification compared sums over all months, and believed the rate.
  it.each([
    ['the value of a point', 'liability_report', 'micro_sar_per_point = micro_sar_per_point * 2', ['liability_rate']],
    [
      'points that were redeemed in another month',
      'liability_month',
      `redeemed_points = redeemed_points + case when month = '2026-01-01' then 5 else -5 end`,
      ['liability_flows', 'liability_flows'],
    ],
    [
      'points that an adjustment gave, as if they were issued',
      'liability_month',
      `issued_points = issued_points + 7, adjusted_points = adjusted_points - 7`,
      ['liability_flows', 'liability_flows'],
    ],
    [
      'points that were kept',
      'liability_month',
      `kept_points = kept_points + case when month = '2026-01-01' then 5 else -5 end`,
      ['liability_ages', 'liability_ages'],
    ],
    [
      'points that are left of another month',
      'liability_month',
      `left_points = left_points + case when month = '2026-01-01' then 5 else -5 end`,
      ['liability_ages', 'liability_ages'],
    ],
    [
      'the value of what is left of a month',
      'liability_month',
      `left_micro_sar = left_micro_sar + case when month = '2026-01-01' then 1 else 0 end`,
      ['liability_ages'],
    ],
  ])('the verification notices altered reports: %s', async (_, table, change, found) => {
    const { db, owner } = database
    const { clock, program_id } = await twoMonths()
    const verify = () => ledgerDifferences(owner, { programs: [program_id], figures: true })
    clock.advance(40 * 86_400)
    await reportOf(db, clock, { program_id, day: day('2026-02-28') })
    expect(await verify()).toEqual([])
    await owner.run({ text: `update ${table} set ${change} where program_id = $1`, values: [program_id] })
    expect((await verify()).map(({ check }) => check)).toEqual(found)
  })

  it('shows two years of months, and one sum of those before', async () => {
    const { db } = database
    const merchant = await oneMerchant(db)
    const { program_id } = merchant
    const clock = new TestClock('2023-11-15T09:00:00.000Z')
    for (let n = 0; n < 27; n += 1) {
      await earnOn(db, clock)(earningOf(merchant))
      clock.advance(30.5 * 86_400)
    }
    const report = await reportOf(db, clock, { program_id, day: day('2026-01-31') })
    expect(report.months).toHaveLength(24)
    expect(report.months.map(({ month }) => month)).toEqual(
      Array.from({ length: 24 }, (_, n) => addMonths('2024-02-01' as Month, n).slice(0, 7)),
    )
    expect(report).toMatchObject({
      earlier: { month: null, issued_points: 3_000, outstanding_points: 3_000, left_points: 3_000 },
      breakage: { age_months: 12, until_month: '2025-01', left_share: 1, left_points: 15_000 },
      outstanding_points: 37_000,
    })
  })
})
