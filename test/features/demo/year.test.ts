import { describe, expect, it } from 'vitest'
import { createYearWorkers } from '../../../src/app/demo.ts'
import { createPurgeAbandoned } from '../../../src/features/checkout/abandoned.ts'
import { receiver_path } from '../../../src/features/demo/receiver.ts'
import { monthEnds } from '../../../src/features/demo/year/between-steps.ts'
import { planYear } from '../../../src/features/demo/year/plan.ts'
import type { YearWorker } from '../../../src/features/demo/year/run-step.ts'
import type { YearOptions, YearStep } from '../../../src/features/demo/year/steps.ts'
import { fillYear } from '../../../src/features/demo/year/year.ts'
import { claimDeployment } from '../../../src/features/deployment/service.ts'
import { newSecretText } from '../../../src/lib/ids.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { daysFromEntries, daysOf } from '../../support/activity.ts'
import { defaults } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { paymentsOn, releaseExpired } from '../../support/payments.ts'

// A year is planned from its options alone, and each step is taken once, however often a run is interrupted.

const database = testDatabase({
  leaves: ['open holds', 'due deliveries', 'due messages', 'due payment tasks'],
  plans: 'by_key',
})
const until_ms = Date.parse('2026-11-22T18:00:00Z')
const options: YearOptions = { seed: 7, orders: 200, months: 12, until_ms, invites: true }
const now = new Date(until_ms)
const receiver = { public_url: 'https://localhost:8443', secrets: createSecretBox(newSecretText()) }
const by = { source: 'command', name: 'a test' } as const

interface RunOptions {
  /** Interrupts the run after this many steps. */
  readonly interrupt_after?: number
  /** Kills the run at the earning of this number. */
  readonly killed_at?: number
}

async function fill({ interrupt_after, killed_at }: RunOptions = {}, asked = options) {
  await claimDeployment(database.db, 'sandbox')
  const stop = new AbortController()
  const workers = createYearWorkers(database.db, 'https://localhost:8443')
  const of = { db: database.db, lock_db: database.owner, now, by, receiver, retention_days: 90 }
  return fillYear({ ...of, workers: mortal(workers, killed_at) }, asked, {
    signal: stop.signal,
    onBegin: () => undefined,
    onStep: ({ steps }) => {
      if (steps === interrupt_after) stop.abort()
    },
  })
}

const clock = { now: () => now }

/** The workers of a running service: they expire unpaid checkouts, and delete old ones. */
async function workersLook(): Promise<void> {
  const db = database.db
  await releaseExpired({ db, clock, payments: paymentsOn(db, clock, defaults) })
  await createPurgeAbandoned({ db, clock, checkout_retention_days: 30, checkout_store_bytes: 1e9 })()
}

/** Workers whose earnings fail from one on. The workers of a service look before each step of a checkout. */
function mortal(workers: readonly YearWorker[], killed_at = Number.POSITIVE_INFINITY): readonly YearWorker[] {
  let earnings = 0
  return workers.map(({ clock, services }) => ({
    clock,
    services: {
      ...services,
      proveSession: async (...request) => {
        await workersLook()
        return services.proveSession(...request)
      },
      sandboxPage: services.sandboxPage && {
        ...services.sandboxPage,
        choose: async (...request) => {
          await workersLook()
          return services.sandboxPage?.choose(...request)
        },
      },
      demoApi: async (...request) => {
        earnings += 1
        if (earnings >= killed_at) throw new Error('killed')
        return services.demoApi(...request)
      },
    },
  }))
}

interface Row {
  readonly order_number: string
}

/** The orders without their random ids. */
function ordersSeen(): Promise<readonly Row[]> {
  return database.db.run<Row>({
    text: `select o.order_number, o.order_status, o.total_halalas, o.total_points, o.earned_points, o.refunded_halalas,
        o.returned_points, o.reversed_points, o.shipping_status, o.created_at, o.paid_at, c.phone, c.name
      from orders o join program p on p.program_id = o.program_id left join customer c
        on c.program_id = o.program_id and c.customer_id = o.customer_id
      where p.name in ('Waha Rewards', 'Naseej Circle') order by o.order_number`,
    values: [],
  })
}

async function count(text: string): Promise<number> {
  return (await database.db.one<{ n: number }>({ text: `select count(*) as n from ${text}`, values: [] }))?.n ?? 0
}

describe('the plan', () => {
  const kinds = (steps: readonly YearStep[]) => Map.groupBy(steps, ({ does }) => does)

  it('is the same for the same options, and another one for another seed', () => {
    expect(planYear(options)).toEqual(planYear(options))
    expect(planYear({ ...options, seed: 8 })).not.toEqual(planYear(options))
  })

  it('is in order, within its months and of as many orders as asked for', () => {
    const steps = planYear({ ...options, orders: 2_000 })
    const times = steps.map(({ at_ms }) => at_ms)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.at(-1)).toBeLessThan(until_ms)
    const of = kinds(steps)
    const made = ['buy', 'rate', 'check out'].map((does) => of.get(does as YearStep['does'])?.length ?? 0)
    expect(made.reduce((sum, one) => sum + one, 0)).toBe(2_000)
    expect(new Date((times[0] ?? 0) + 20 * 86_400_000).toISOString()).toMatch(/^202(5-1[12]|6-01)/)
  })

  it('has every kind of step, and refunds as often as shops see them', () => {
    const steps = planYear({ ...options, orders: 5_000 })
    const of = kinds(steps)
    expect([...of.keys()].sort()).toEqual(['buy', 'check out', 'join', 'move', 'rate', 'refund', 'ship'])
    const refunds = of.get('refund')?.length ?? 0
    expect(refunds / 5_000).toBeGreaterThan(0.03)
    expect(refunds / 5_000).toBeLessThan(0.06)
  })

  it('has regulars, people who come a few times, and many who come once', () => {
    const orders = planYear({ ...options, orders: 5_000 }).filter(({ does }) => does === 'buy' || does === 'check out')
    const visits = [...Map.groupBy(orders, ({ who }) => `${who.program} ${who.phone}`).values()].map(
      (all) => all.length,
    )
    const share = (most: number, least = 1) => visits.filter((n) => n >= least && n <= most).length / visits.length
    expect(share(1)).toBeGreaterThan(0.3)
    expect(share(10, 2)).toBeGreaterThan(0.3)
    expect(share(1_000, 30)).toBeGreaterThan(0.01)
  })

  it('invites nobody where messages would reach people', () => {
    const joined = new Map<string, number>()
    const steps = planYear({ ...options, orders: 2_000, invites: false }).filter(({ who }) => who.program === 1)
    for (const { does, at_ms, who } of steps) if (does === 'join') joined.set(who.phone, at_ms)
    for (const { at_ms, who } of steps) expect(joined.get(who.phone) ?? at_ms + 1).toBeLessThanOrEqual(at_ms)
  })
})

describe('the months of a year', () => {
  const ends = (changes: Partial<YearOptions>) =>
    monthEnds({ ...options, ...changes }).map(({ until, at_ms }) => [
      until.toISOString(),
      new Date(at_ms).toISOString(),
    ])

  it('end in Riyadh, and are closed on the 21st of the next month', () => {
    expect(ends({ months: 3 })).toEqual([
      ['2026-08-31T21:00:00.000Z', '2026-09-21T06:00:00.000Z'],
      ['2026-09-30T21:00:00.000Z', '2026-10-21T06:00:00.000Z'],
      ['2026-10-31T21:00:00.000Z', '2026-11-21T06:00:00.000Z'],
    ])
  })

  it('are those whose close is over: a year has twelve, a month one or none', () => {
    expect(ends({})).toHaveLength(12)
    expect(ends({ months: 1 })).toHaveLength(1)
    expect(ends({ months: 1, until_ms: Date.parse('2026-11-20T18:00:00Z') })).toEqual([])
  })

  it('are no shorter than a week: the first days belong to the month after them', () => {
    const [first] = ends({ until_ms: Date.parse('2026-11-30T09:00:00Z') })
    expect(first).toEqual(['2025-12-31T21:00:00.000Z', '2026-01-21T06:00:00.000Z'])
  })
})

describe('a year', () => {
  let written: readonly Row[] = []

  it('continues where it was interrupted or killed', async () => {
    expect(await fill({ interrupt_after: 60 })).toMatchObject({ kind: 'interrupted', programs: 2, merchants: 7 })
    await expect(fill({ killed_at: 20 })).rejects.toThrow('killed')
    const filled = await fill()
    expect(filled).toMatchObject({ kind: 'filled', orders: expect.any(Number), points_issued: expect.any(Number) })
    written = await ordersSeen()
    expect(written).toHaveLength(filled.orders)
    const waiting = await count('pending_earning where order_uuid is null')
    expect(filled.orders + waiting).toBe(200)
  })

  it('is written once: another run, with other options too, adds nothing', async () => {
    expect(await fill()).toMatchObject({ kind: 'there', options })
    expect(await fill({}, { ...options, orders: 300, seed: 9 })).toMatchObject({ kind: 'there', options })
    expect(await ordersSeen()).toEqual(written)
  })

  it('has the steps of the plan, at their times', async () => {
    const planned = new Map<string, YearStep>()
    for (const step of planYear(options))
      if ('number' in step && !planned.has(step.number)) planned.set(step.number, step)
    const times = await database.db.run<Row & { created_at: Date; type: number; who: string }>({
      text: `select o.order_number, o.created_at, o.type, c.phone as who from orders o
        join customer c on c.program_id = o.program_id and c.customer_id = o.customer_id
        where o.type = 2 or not exists (select from pending_earning e where e.program_id = o.program_id and e.order_uuid = o.order_uuid)`,
      values: [],
    })
    expect(times.length).toBeGreaterThan(150)
    for (const { order_number, created_at, who } of times)
      expect([created_at.getTime(), who]).toEqual([
        planned.get(order_number)?.at_ms,
        planned.get(order_number)?.who.phone,
      ])
  })

  it('pays its checkouts, although workers expire unpaid ones', async () => {
    const paid = planYear(options).filter((step) => step.does === 'check out' && step.ends === 'paid')
    const numbers = paid.map((step) => ('number' in step ? step.number : ''))
    expect(numbers.length).toBeGreaterThan(5)
    const found = await database.db.run<Row & { order_status: string }>({
      text: 'select order_number, order_status from orders where order_number = any($1) order by 1',
      values: [numbers],
    })
    expect(found.map(({ order_number }) => order_number)).toEqual(numbers.toSorted())
    expect(found.filter(({ order_status }) => order_status === 'new')).toEqual([])
  })

  it('has orders of many statuses, redemptions and refunds', async () => {
    const statuses = await database.db.run<{ what: string }>({
      text: `select distinct type || ' ' || order_status as what from orders order by 1`,
      values: [],
    })
    expect(statuses.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['1 approved', '1 fully_refunded', '1 partially_refunded', '2 approved']),
    )
    expect(await count('orders where type = 2 and redeemed_halalas > 0')).toBeGreaterThan(0)
    expect(await count("orders where shipping_status = 'delivered'")).toBeGreaterThan(0)
    expect(await count('order_rating')).toBeGreaterThan(0)
    expect(await count('consent')).toBeGreaterThan(0)
  })

  it('uses up no limit, and leaves keys of repeated requests alone', async () => {
    expect([await count('limit_counter'), await count('rate_limit'), await count('idempotency')]).toEqual([0, 0, 0])
  })

  it('settles each month once, although it was interrupted and killed, and leaves the last ones open', async () => {
    const settled = await database.db.run<{ until_at: Date; created_at: Date; net_points: string }>({
      text: `select until_at, created_at, net_points::text from settlement order by program_id, merchant_id, until_at`,
      values: [],
    })
    const closes = new Map(monthEnds(options).map(({ until, at_ms }) => [until.getTime(), at_ms]))
    expect(new Set(settled.map(({ until_at }) => until_at.getTime())).size).toBeGreaterThan(10)
    for (const { until_at, created_at } of settled) expect(created_at.getTime()).toBe(closes.get(until_at.getTime()))
    expect(await count('(select from settlement group by merchant_id, until_at having count(*) > 1) twice')).toBe(0)
    const last = Math.max(...closes.keys())
    const boundaries = await database.db.run<{ settled_to: Date }>({
      text: `select distinct l.settled_to from earning_lock l join program p on p.program_id = l.program_id
        where p.name in ('Waha Rewards', 'Naseej Circle')`,
      values: [],
    })
    expect(boundaries.map(({ settled_to }) => settled_to.getTime())).toEqual([last])
  })

  it('refunds before the close: no refund of the plan is refused', async () => {
    const planned = planYear(options).flatMap((step) => (step.does === 'refund' ? [step.number] : []))
    const refunded = await database.db.run<Row>({
      text: 'select order_number from orders where order_number = any($1) and refunded_halalas > 0 order by 1',
      values: [planned],
    })
    expect(refunded.map(({ order_number }) => order_number)).toEqual(planned.toSorted())
  })

  it('has its figures ready when it is written', async () => {
    const programs = await database.db.run<{ program_id: number }>({
      text: "select program_id from program where name in ('Waha Rewards', 'Naseej Circle') order by 1",
      values: [],
    })
    expect(programs).toHaveLength(2)
    for (const { program_id } of programs) {
      const days = await daysOf(database.db, program_id)
      expect(days.length).toBeGreaterThan(20)
      expect(days).toEqual(await daysFromEntries(database.db, program_id))
    }
  })

  it('leaves an order out of settlements for each of five reasons, at shops of both programs', async () => {
    const left_out = await database.db.run<{ reason: string; merchant_id: number; is_paid: boolean }>({
      text: `select x.reason, x.merchant_id, o.paid_at < x.excluded_at as is_paid
        from settlement_exclusion x join orders o on o.program_id = x.program_id and o.order_uuid = x.order_uuid
        where x.included_at is null and o.booked_at = 'infinity'`,
      values: [],
    })
    expect(new Set(left_out.map(({ reason }) => reason)).size).toBe(5)
    expect(new Set(left_out.map(({ merchant_id }) => merchant_id)).size).toBeGreaterThan(2)
    expect(left_out.filter(({ is_paid }) => !is_paid)).toEqual([])
    expect(await count('settlement_exclusion')).toBe(5)
  })

  it('has a webhook of one shop, with a test and the events of a month, and of the programs', async () => {
    const urls = await database.db.run<{ url: string }>({
      text: 'select url from webhook union all select url from program_webhook',
      values: [],
    })
    expect(urls.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => receiver.public_url + receiver_path))
    const queued = await database.db.run<{ name: string; created_at: Date }>({
      text: `select e.name, e.created_at from delivery_queue q
        join event e on e.program_id = q.program_id and e.event_id = q.event_id order by e.created_at, e.event_id`,
      values: [],
    })
    const begins = new Date(until_ms - 30 * 86_400_000)
    expect(queued[0]).toEqual({ name: 'test', created_at: begins })
    expect(queued.filter(({ name }) => name === 'test')).toHaveLength(1)
    for (const { created_at } of queued) expect(created_at.getTime()).toBeGreaterThanOrEqual(begins.getTime())
    expect(await count('settlement_notice')).toBe(await count('settlement'))
  })
})
