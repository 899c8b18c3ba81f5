import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../../src/dashboard-routes.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import { grace_ms } from '../../../src/features/activity/count.ts'
import { findMerchantCustomers } from '../../../src/features/activity/queries.ts'
import { loadMerchantOf } from '../../../src/features/merchants/merchant.ts'
import type { Services } from '../../../src/routes.ts'
import { startServer, type TestServer } from '../../http/support.ts'
import { countAll, countOn, daysFromEntries, daysOf } from '../../support/activity.ts'
import { servicesOn } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import {
  earningMerchants,
  earningOf,
  earnOn,
  freshPhone,
  orderOf,
  TestClock,
  walletOf,
} from '../../support/earnings.ts'
import { ledgerDifferences } from '../../support/ledger.ts'
import { replacingOrder } from '../../support/orders.ts'

const database = testDatabase()
const clock = new TestClock('2026-02-01T20:59:00.000Z')
let services: Services
let server: TestServer
let merchants: Awaited<ReturnType<typeof earningMerchants>>

beforeAll(async () => {
  services = servicesOn(database.db, { clock })
  merchants = await earningMerchants(database.db, 2)
  const auth = {
    origin: 'https://nuqta.example',
    readSession: async () => ({
      session_uuid: merchants[0]?.account_id as never,
      staff_uuid: merchants[0]?.account_id as never,
      ...{ email: 'sara@shop.example', name: 'Sara', locale: null, is_operator: true, memberships: [], csrf: 'c' },
      started_at: new Date(),
    }),
    loadMerchant: (merchant_id: number) => loadMerchantOf(database.db, merchant_id, shop(0).program_id),
    loadProgram: async () => null,
    requireRecent: async () => undefined,
    readStanding: async () => null,
  }
  server = await startServer([], services as never, { dashboard: { rows: dashboardRoutes as never, auth } })
})
afterAll(() => server.stop())

const later = (by_ms: number) => ({ machine_ms: () => Date.now() + by_ms })
const shop = (n: number) => {
  const merchant = merchants[n]
  if (merchant === undefined) throw new Error('there is no such shop')
  return merchant
}
const get = (path: string, n = 0) =>
  server.call('GET', `/dashboard/api/merchants/${shop(n).merchant_id}/${path}`, {
    headers: { cookie: '__Host-nuqta-session=x', 'sec-fetch-site': 'same-origin' },
  })

describe('the figures of a merchant', () => {
  const [phone, other] = [freshPhone(), freshPhone()]

  it('cover the day in Riyadh, for this merchant alone, beside the days before', async () => {
    expect((await get('overview')).body.data).toMatchObject({ as_of: null, building: true, balance_points: 0 })
    await earnOn(database.db, clock)(earningOf(shop(0), { phone }))
    // One minute later it is midnight in Riyadh.
    clock.advance(60)
    const { order_uuid } = orderOf(await earnOn(database.db, clock)(earningOf(shop(0), { phone, total: 5_050 })))
    await services.refundOrder(shop(0), order_uuid, { amount_halalas: asHalalas(50), reason: null })
    const checkout = await replacingOrder(database.db, shop(0), { points: 200, phone })
    await services.moveOrder(shop(0), checkout.order_uuid, { action: 'complete' })
    await earnOn(database.db, clock)(earningOf(shop(1), { phone: other, total: 100 }))
    await countAll(countOn(database.db, later(grace_ms + 1_000)))

    const { body } = await get('overview?from=2026-02-02&to=2026-02-02')
    expect(body.data).toMatchObject({
      period: { from: '2026-02-02', to: '2026-02-02' },
      before: { from: '2026-02-01', to: '2026-02-01' },
      building: false,
      as_of: expect.stringMatching(/Z$/),
      totals: {
        ...{ purchases: 1, checkouts: 1, refunds: 1, sales: 150.5, redeemed_amount: 1, refunded_amount: 0.5 },
        ...{ redeemed_points: 200, reversed_points: 5, new_customers: 0, returning_customers: 1 },
      },
      totals_before: { purchases: 1, sales: 100, issued_points: 1_000, new_customers: 1, returning_customers: 0 },
    })
    const { data } = (await get('overview', 1)).body as { data: { days: unknown[]; totals: object } }
    expect(data.days).toHaveLength(30)
    expect(data.totals).toMatchObject({ purchases: 1, sales: 1, new_customers: 1 })
  })

  it('of a month that is not over end today, and compare the same days of the month before', async () => {
    const { body } = await get('overview?from=2026-02-01&to=2026-02-28')
    expect(body.data).toMatchObject({
      today: '2026-02-02',
      period: { from: '2026-02-01', to: '2026-02-02' },
      before: { from: '2026-01-01', to: '2026-01-02' },
    })
  })

  it('compare a month with the one before, and so many days with as many', async () => {
    const compared = async (query: string) => {
      const { before, totals_before } = (await get(`overview?${query}`)).body.data as Record<
        string,
        Record<string, unknown>
      >
      return { ...before, sales: totals_before?.['sales'] }
    }
    const whole = await compared('from=2026-01-01&to=2026-01-31')
    expect(whole).toEqual({ from: '2025-12-01', to: '2025-12-31', sales: 0 })
    // 50.5 of the 2nd are in neither.
    const first = await compared('from=2026-03-01&to=2026-03-01')
    expect(first).toEqual({ from: '2026-02-01', to: '2026-02-01', sales: 100 })
    const days = await compared('to=2026-03-02&days=2')
    expect(days).toEqual({ from: '2026-02-27', to: '2026-02-28', sales: 0 })
    expect(await compared('to=2026-02-02&days=1')).toEqual({ from: '2026-02-01', to: '2026-02-01', sales: 100 })
  })

  it('can be downloaded, with a row for every day', async () => {
    const { text, headers } = await get('overview.csv?from=2026-01-31&to=2026-02-02')
    expect(headers['content-disposition']).toBe('attachment; filename="overview-2026-01-31-2026-02-02.csv"')
    expect(text.split('\r\n').map((line) => line.slice(0, 24))).toEqual([
      '\ufeffDay,Purchases,Ratings,C',
      expect.stringMatching(/^2026-01-31,0,0,0,0,0,0,/),
      expect.stringMatching(/^2026-02-01,1,0,0,0,100,/),
      expect.stringMatching(/^2026-02-02,1,0,1,1,150/),
      '',
    ])
  })

  it('names its columns with their units in the reader’s language, as other files do', async () => {
    const head = async (lang: string) => (await get(`overview.csv?lang=${lang}`)).text.split('\r\n')[0]
    expect(await head('en')).toContain(',Sales (SAR),Paid with points (SAR),Refunded (SAR),Points issued,')
    expect(await head('ar')).toContain('اليوم,عمليات الشراء,')
  })

  it.each([
    ['from=2026-02-30', 'from'],
    ['to=0000-00-00', 'to'],
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['from=2025-01-01&to=2026-02-05', 'from'],
    ['from=yesterday', 'from'],
    ['days=401', 'days'],
    ['days=-1', 'days'],
  ])('are refused for %s', async (query, field) => {
    const { status, body } = await get(`overview?${query}`)
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } })
  })

  it('name its customers, who came last first', async () => {
    const customer = await walletOf(database.db, shop(0).program_id, phone)
    const found = await database.db.run(findMerchantCustomers(shop(0), { before: null, limit: 10 }))
    expect(found).toEqual([
      expect.objectContaining({ customer_id: customer?.customer_id, orders: 3, sales_halalas: '25050' }),
    ])
    const [last] = found
    if (last === undefined) throw new Error('nobody was found')
    expect(await database.db.run(findMerchantCustomers(shop(1), { before: null, limit: 10 }))).not.toContainEqual(last)
    expect(await database.db.run(findMerchantCustomers(shop(0), { before: last, limit: 10 }))).toEqual([])
  })

  it('tick the checklist', async () => {
    const { body } = await get('checklist')
    const done = (body.data as { item: string; done: boolean }[]).filter((one) => one.done).map(({ item }) => item)
    expect(done).toEqual(['first_earning', 'checkout_opened', 'checkout_paid', 'first_refund'])
  })

  it('keep a webhook that has answered ticked, however many deliveries fail after it', async () => {
    const { program_id, merchant_id } = shop(0)
    const text = `insert into delivery (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, state,
        series, attempts, created_at, ended_at)
      select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), $2,
        gen_random_uuid(), gen_random_uuid(), case n when 0 then 'delivered' else 'failed' end,
        1, 1, now(), now() from generate_series(0, 150) n`
    await database.owner.run({ text, values: [program_id, merchant_id] })
    const { body } = await get('checklist')
    const items = body.data as { item: string; done: boolean }[]
    expect(items.find(({ item }) => item === 'webhook_verified')).toMatchObject({ done: true })
  })
})

describe('the job', () => {
  it('rebuilds the figures when rows were committed after the count', async () => {
    const [merchant] = await earningMerchants(database.db, 1)
    if (merchant === undefined) throw new Error('no merchant was made')
    const { program_id } = merchant
    const whys: string[] = []
    const count = (by_ms: number) =>
      countOn(database.db, { ...later(by_ms), onRebuild: (one) => one.program_id === program_id && whys.push(one.why) })
    await earnOn(database.db, clock)(earningOf(merchant))
    await countAll(count(grace_ms + 1_000))
    // Simulate a transaction that held its ids for longer than the grace period.
    await earnOn(database.db, clock)(earningOf(merchant))
    await countAll(count(grace_ms + 2_000))
    expect(await daysOf(database.db, program_id)).toMatchObject([{ purchases: 1 }])
    await countAll(count(2 * 3_600_000))
    expect(whys).toEqual(['rows came late'])
    expect(await daysOf(database.db, program_id)).toMatchObject([{ purchases: 2 }])
    expect(await daysOf(database.db, program_id)).toEqual(await daysFromEntries(database.db, program_id))
    const old = { text: 'select generation from activity_day where program_id = $1 group by 1', values: [program_id] }
    expect(await database.db.run(old)).toHaveLength(1)
  })

  it('keeps figures that the verification compares with the orders', async () => {
    const [merchant] = await earningMerchants(database.db, 1)
    if (merchant === undefined) throw new Error('no merchant was made')
    const { program_id } = merchant
    await countAll(countOn(database.db))
    await earnOn(database.db, clock)(earningOf(merchant))
    await countAll(countOn(database.db, later(grace_ms + 1_000)))
    const verify = () => ledgerDifferences(database.owner, { programs: [program_id], figures: true })
    expect(await verify()).toEqual([])
    const text = 'update activity_day set purchases = purchases + $2 where program_id = $1'
    await database.owner.run({ text, values: [program_id, 1] })
    const detail = 'the figures of this merchant and day are not those of its orders: purchases differ by 1'
    expect(await verify()).toMatchObject([{ check: 'daily_figures', detail }])
    await database.owner.run({ text, values: [program_id, -1] })
  })

  // The verification passed over new and returning customers, and over what is kept of each customer, by which they count.
  it.each([
    ['new customers', 'activity_day', 'new_customers = new_customers + 1', ['daily_figures']],
    ['returning customers', 'activity_day', 'returning_customers = returning_customers - 1', ['daily_figures']],
    ['the sales of a customer', 'merchant_customer', 'sales_halalas = sales_halalas + 1', ['customer_figures']],
    [
      'the first order of a customer',
      'merchant_customer',
      `first_at = '2026-01-01T00:00:00Z'`,
      ['daily_figures', 'daily_figures', 'customer_figures'],
    ],
    [
      'whose orders they were',
      'merchant_customer',
      `customer_id = '0193e7a1-0000-7000-8000-000000000001'`,
      ['customer_figures', 'customer_figures'],
    ],
  ])('notices altered figures: %s', async (_, table, change, found) => {
    const [merchant] = await earningMerchants(database.db, 1)
    if (merchant === undefined) throw new Error('no merchant was made')
    const { program_id } = merchant
    await countAll(countOn(database.db))
    const phone = freshPhone()
    for (let n = 0; n < 2; n += 1) await earnOn(database.db, clock)(earningOf(merchant, { phone }))
    await countAll(countOn(database.db, later(grace_ms + 1_000)))
    const verify = () => ledgerDifferences(database.owner, { programs: [program_id], figures: true })
    expect(await verify()).toEqual([])
    await database.owner.run({ text: `update ${table} set ${change} where program_id = $1`, values: [program_id] })
    expect((await verify()).map(({ check }) => check)).toEqual(found)
  })

  it('adds nothing twice when several workers run it', async () => {
    const [merchant] = await earningMerchants(database.db, 1)
    if (merchant === undefined) throw new Error('no merchant was made')
    for (let n = 0; n < 20; n += 1) await earnOn(database.db, clock)(earningOf(merchant))
    const workers = Array.from({ length: 4 }, () => countOn(database.db, { ...later(grace_ms + 1_000), part: 3 }))
    for (const one of workers) await one.programs()
    const all = async (step: (typeof workers)[number]['step']): Promise<void> => {
      for (let n = 0; n < 20; n += 1) await step(merchant.program_id)
    }
    await Promise.all(workers.map(({ step }) => all(step)))
    // A step that finds the program locked leaves the rest to others.
    await all(countOn(database.db, later(grace_ms + 1_000)).step)
    expect(await daysOf(database.db, merchant.program_id)).toMatchObject([{ purchases: 20, new_customers: 20 }])
  })
})
