import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import {
  type AbandonedParts,
  type AbandonedRound,
  createPurgeAbandoned,
} from '../../../src/features/checkout/abandoned.ts'
import { logPurged } from '../../../src/features/checkout/jobs.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import type { Log } from '../../../src/observability/log.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { openedCheckout, provenCheckout, type TestCheckout } from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { refusalOf, TestClock } from '../../support/earnings.ts'
import { waitForLocks } from '../../support/wait.ts'

// Anyone can open checkouts with the public key on a shop's page. Abandoned ones are deleted with their orders. A checkout
// stays when a customer proved a phone, the merchant changed the order, or money or points were involved.

const database = testDatabase({ leaves: ['due payment tasks', 'due deliveries'] })
const minutes = 60
const days = 86_400
let clock: TestClock
let services: Services
let shop: Shop

beforeEach(async () => {
  clock = new TestClock(app_noon)
  services = servicesOn(database.db, { clock })
  shop = await oneShop(database.db)
})

// Each test starts without checkouts of others.
afterEach(async () => {
  await database.owner.run({ text: `update order_payment set state = 'failed' where state = 'created'`, values: [] })
  const performed = `update payment_task set state = 'done', ended_at = created_at where state = 'due'`
  await database.owner.run({ text: performed, values: [] })
  clock.advance(1_000 * days)
  await worker()()
})

/** One worker, with its own sums. */
function worker(changes: Partial<AbandonedParts> = {}): () => Promise<AbandonedRound> {
  const settings = { checkout_retention_days: 30, checkout_store_bytes: 2 ** 30 }
  return createPurgeAbandoned({ db: database.db, clock, ...settings, ...changes })
}

const open = () => openedCheckout(services, shop)

async function many(count: number): Promise<TestCheckout[]> {
  const opened: TestCheckout[] = []
  for (let index = 0; index < count; index += 1) {
    opened.push(await open())
    clock.advance(1)
  }
  return opened
}

async function isThere({ order_uuid }: Pick<TestCheckout, 'order_uuid'>): Promise<boolean> {
  const [row] = await database.owner.run<{ orders: number; sessions: number }>({
    text: `select (select count(*)::int from orders where order_uuid = $1) as orders,
      (select count(*)::int from checkout_session where order_uuid = $1) as sessions`,
    values: [order_uuid],
  })
  // Neither row exists without the other.
  expect(row?.orders).toBe(row?.sessions)
  return row?.orders === 1
}

const standing = (checkouts: readonly TestCheckout[]) => Promise.all(checkouts.map(isThere))

/** A payment begun for an order, with its task. */
async function payment(order_uuid: Uuid, state: string, task?: 'due' | 'done' | 'refused'): Promise<void> {
  const { program_id } = shop.merchant
  const payment_uuid = newUuid()
  await database.owner.run({
    text: `insert into order_payment (program_id, payment_uuid, order_uuid, provider, provider_reference, amount_halalas,
        state, created_at, updated_at) values ($1, $2, $3, 'sandbox', 'r', 10000, $4, $5, $5)`,
    values: [program_id, payment_uuid, order_uuid, state, clock.now()],
  })
  await database.owner.run({
    text: `insert into sandbox_payment (program_id, payment_uuid, kind, state, amount_halalas, description, return_url,
        callback_url, created_at, updated_at) values ($1, $2, 'sale', 'pending', 10000, '', '', '', $3, $3)`,
    values: [program_id, payment_uuid, clock.now()],
  })
  if (task === undefined) return
  await database.owner.run({
    text: `insert into payment_task (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, state, due_at,
        created_at, ended_at) values ($1, $2, $3, $4, 'give_back', 10000, $5, $6, $6, $7)`,
    values: [program_id, newUuid(), payment_uuid, order_uuid, task, clock.now(), task === 'due' ? null : clock.now()],
  })
}

describe('by age', () => {
  it('deletes a checkout thirty days after its expiry, and not a millisecond sooner', async () => {
    const round = worker()
    const checkout = await open()
    clock.advance(30 * minutes + 30 * days - 0.001)
    await round()
    expect(await isThere(checkout)).toBe(true)
    clock.advance(0.001)
    expect(await round()).toMatchObject({ deleted: 1, kept: 0 })
    expect(await isThere(checkout)).toBe(false)
    const read = { ...shop.merchant }
    expect(await refusalOf(services.readOrder(read, checkout.order_uuid))).toMatchObject({ kind: 'order_not_found' })
    expect(await services.readCheckout(checkout.token, checkout.browser)).toBeNull()
  })

  it('takes the days from a setting, and deletes any number in batches', async () => {
    const checkouts = await many(7)
    clock.advance(30 * minutes + 2 * days)
    expect(await worker({ checkout_retention_days: 2, batch: 3 })()).toMatchObject({ deleted: 7 })
    expect(await standing(checkouts)).not.toContain(true)
  })

  it('deletes its codes too', async () => {
    const { order_uuid } = await open()
    await database.owner.run({
      text: `insert into otp (program_id, purpose, subject_uuid, otp_uuid, phone, code_hash, expires_at, created_at)
        select program_id, 'checkout', session_uuid, session_uuid, '512345678', '', $2, $2
        from checkout_session where order_uuid = $1`,
      values: [order_uuid, clock.now()],
    })
    clock.advance(31 * days)
    await worker()()
    expect(await database.owner.run({ text: 'select from otp', values: [] })).toEqual([])
  })
})

describe('at any age, is kept', () => {
  const cases: Readonly<Record<string, () => Promise<Pick<TestCheckout, 'order_uuid'>>>> = {
    'a phone was proven': () => provenCheckout(database.db, services, shop, { points: 10 }),
    'its merchant has updated its shipping status': async () => {
      const checkout = await open()
      await services.updateShipping(shop.merchant, checkout.order_uuid, { status: 'new' })
      return checkout
    },
    'the order was authorised': async () => {
      const checkout = await open()
      await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'authorize' })
      return checkout
    },
    'the order was cancelled': async () => {
      const checkout = await open()
      await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'cancel' })
      return checkout
    },
    'money came for it': async () => {
      const checkout = await open()
      await payment(checkout.order_uuid, 'returned', 'done')
      return checkout
    },
    'a provider refused a payment task': async () => {
      const checkout = await open()
      await payment(checkout.order_uuid, 'failed', 'refused')
      return checkout
    },
    'a payment is still under way': async () => {
      const checkout = await open()
      await payment(checkout.order_uuid, 'created')
      return checkout
    },
    'a payment task is still due': async () => {
      const checkout = await open()
      await payment(checkout.order_uuid, 'failed', 'due')
      return checkout
    },
  }

  it.each(Object.keys(cases))('%s', async (name) => {
    const kept = await cases[name]?.()
    if (kept === undefined) throw new Error('there is such a case')
    const gone = await open()
    clock.advance(400 * days)
    // In batches of one, so that a kept checkout would block the others if it were not passed.
    const round = worker({ batch: 1, checkout_store_bytes: 1 })
    await round()
    expect(await isThere(kept)).toBe(true)
    expect(await isThere(gone)).toBe(false)
    expect((await round()).deleted).toBe(0)
  })

  it('an order that the ledger names, even when the order itself shows no points', async () => {
    const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
    await database.owner.run({
      text: `insert into transfer (program_id, transfer_id, kind, reference, created_at) values ($1, $2, 'adjust', $3, $4)`,
      values: [shop.merchant.program_id, checkout.order_uuid, checkout.order_uuid, clock.now()],
    })
    await database.owner.run({
      text: `insert into hold (program_id, hold_id, account_id, order_uuid, points, state, hold_transfer_id, end_transfer_id,
          created_at, ended_at)
        select $1, $2, c.customer_id, $2, 1, 'released', $2, $2, $3, $3 from customer c where c.program_id = $1 limit 1`,
      values: [shop.merchant.program_id, checkout.order_uuid, clock.now()],
    })
    await database.owner.run({
      text: `update checkout_session set proven_at = null, proven_phone = null, browser_hash = null where order_uuid = $1`,
      values: [checkout.order_uuid],
    })
    clock.advance(400 * days)
    expect(await worker()()).toMatchObject({ deleted: 0, kept: 1 })
    expect(await isThere(checkout)).toBe(true)
    await database.owner.run({ text: 'delete from hold where hold_id = $1', values: [checkout.order_uuid] })
    await database.owner.run({ text: 'delete from transfer where transfer_id = $1', values: [checkout.order_uuid] })
  })

  it('but not an order with a failed payment, once no more money can come by it', async () => {
    const checkout = await open()
    await payment(checkout.order_uuid, 'failed', 'done')
    clock.advance(400 * days)
    expect(await worker()()).toMatchObject({ deleted: 1 })
    for (const table of ['order_payment', 'payment_task', 'sandbox_payment']) {
      const left = await database.owner.run({
        text: `select from ${table} where program_id = $1`,
        values: [shop.merchant.program_id],
      })
      expect(left, table).toEqual([])
    }
  })
})

describe('by size', () => {
  const bytes = async () =>
    (
      await database.owner.run<{ bytes: number }>({
        text: 'select sum(stored_bytes)::int as bytes from checkout_session where merchant_id = $1',
        values: [shop.merchant.merchant_id],
      })
    )[0]?.bytes ?? 0

  it('deletes the oldest sooner, no more than needed; those that can still be paid stay', async () => {
    const old = await many(10)
    const each = (await bytes()) / 10
    clock.advance(30 * minutes)
    const live = await many(3)
    const round = worker({ checkout_store_bytes: each * 6, batch: 2 })
    expect(await round()).toMatchObject({ deleted: 4, bytes: each * 4 })
    expect(await standing(old)).toEqual([...Array(4).fill(false), ...Array(6).fill(true)])
    expect(await standing(live)).toEqual([true, true, true])
    expect((await round()).deleted).toBe(0)
    // The worker adds newly expired checkouts to its sum.
    clock.advance(30 * minutes)
    expect((await round()).deleted).toBe(3)
    expect(await standing(live)).toEqual([true, true, true])
  })

  it('counts the bytes that a shop sends', async () => {
    const { order_uuid } = await open()
    const before = await bytes()
    await database.owner.run({ text: 'delete from checkout_session where order_uuid = $1', values: [order_uuid] })
    const { program_id, merchant_id } = shop.merchant
    const nothing = { shipping_halalas: null, tax_halalas: null, discount_halalas: null, phone: null, name: null }
    await services.openCheckout({
      ...{ program_id, merchant_id, order_uuid: newUuid(), order_number: `web-${order_uuid.slice(-6)}` },
      ...{ total_halalas: asHalalas(100), shipping_address: null, callback_url: null, ...nothing },
      items: JSON.stringify([{ product_name: 'ق'.repeat(500), product_price: 1, quantity: 1 }]),
      metadata: JSON.stringify({ note: 'x'.repeat(10_000) }),
    })
    expect((await bytes()) - before).toBeGreaterThan(11_000)
    expect((await bytes()) - before).toBeLessThan(11_200)
  })

  it('counts each merchant by itself', async () => {
    const theirs = await many(3)
    const each = (await bytes()) / 3
    shop = await oneShop(database.db)
    const ours = await many(5)
    clock.advance(31 * minutes)
    await worker({ checkout_store_bytes: each * 3 })()
    expect(await standing(theirs)).toEqual([true, true, true])
    expect(await standing(ours)).toEqual([false, false, true, true, true])
  })

  /** As after "continue without points" at a merchant who collects: reserved for seven days. */
  async function promise(checkouts: readonly TestCheckout[]): Promise<void> {
    await database.owner.run({
      text: `update checkout_session set confirmed_at = $2, continued_at = $2, collector = 'merchant', release_at = $3
        where order_uuid = any($1::uuid[])`,
      values: [
        checkouts.map(({ order_uuid }) => order_uuid),
        clock.now(),
        new Date(clock.now().getTime() + 7 * days * 1_000),
      ],
    })
  }

  const logged = (round: AbandonedRound) => {
    const lines: unknown[] = []
    const write = (level: string) => (line: unknown) => lines.push([level, line])
    logPurged({ info: write('info'), warn: write('warn') } as unknown as Log, round)
    return lines
  }

  it('deletes reserved checkouts last, whatever their age', async () => {
    const checkouts = await many(8)
    const each = (await bytes()) / 8
    await promise(checkouts.slice(0, 3))
    clock.advance(31 * minutes)
    const first = await worker({ checkout_store_bytes: each * 5 })()
    expect(first).toMatchObject({ deleted: 3, promised: [] })
    expect(logged(first)).toEqual([['info', { deleted: 3, bytes: each * 3 }]])
    const reserved = [true, true, true]
    expect(await standing(checkouts)).toEqual([...reserved, false, false, false, true, true])
    expect((await worker({ checkout_store_bytes: each * 3 })()).deleted).toBe(2)
    expect(await standing(checkouts)).toEqual([...reserved, ...Array(5).fill(false)])
    // A retention shorter than the promise does not break it either.
    clock.advance(3 * days)
    expect((await worker({ checkout_retention_days: 1 })()).deleted).toBe(0)
  })

  it('deletes reserved checkouts when nothing else is left, the oldest first, and logs the merchant', async () => {
    const checkouts = await many(6)
    const each = (await bytes()) / 6
    await promise(checkouts.slice(1))
    clock.advance(31 * minutes)
    const round = await worker({ checkout_store_bytes: each * 3, batch: 1 })()
    expect(round.deleted).toBe(3)
    expect(await standing(checkouts)).toEqual([false, false, false, true, true, true])
    const { program_id, merchant_id } = shop.merchant
    expect(logged(round)).toEqual([
      ['info', { deleted: 3, bytes: each * 3 }],
      ['warn', { program_id, merchant_id, count: 2 }],
    ])
  })

  it('treats them like the others once the seven days are over', async () => {
    const checkouts = await many(2)
    const each = (await bytes()) / 2
    await promise(checkouts.slice(0, 1))
    clock.advance(7 * days + 60)
    expect(await worker({ checkout_store_bytes: each })()).toMatchObject({ deleted: 1, promised: [] })
    expect(await standing(checkouts)).toEqual([false, true])
  })

  it('visits so many in a round, continues in the next, and revisits those not yet deletable after ten minutes', async () => {
    const checkouts = await many(6)
    for (const { order_uuid } of checkouts) await payment(order_uuid, 'failed', 'due')
    clock.advance(31 * minutes)
    let machine_ms = 0
    const looked: number[] = []
    const db = new Proxy(database.db, {
      get(target, name) {
        if (name === 'transaction') looked.push(machine_ms)
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const round = worker({ db, checkout_store_bytes: 1, batch: 1, most_batches: 4, machine_ms: () => machine_ms })
    for (const [time, count] of [
      [0, 4],
      [30_000, 2],
      [60_000, 0],
      [599_999, 0],
      [600_000, 4],
    ] as const) {
      machine_ms = time
      looked.length = 0
      expect(await round()).toMatchObject({ deleted: 0, kept: 0 })
      expect(looked).toHaveLength(count)
    }
    const { program_id } = shop.merchant
    const ended = `update payment_task set state = 'done', ended_at = created_at where program_id = $1`
    await database.owner.run({ text: ended, values: [program_id] })
    // For a day, the customer may try another card on the page of a declined payment.
    expect((await round()).deleted).toBe(0)
    clock.advance(1 * days)
    machine_ms = 1_200_000
    expect((await round()).deleted).toBe(4)
    machine_ms = 1_800_000
    expect((await round()).deleted).toBe(2)
    expect(await standing(checkouts)).not.toContain(true)
  })

  it('is summed anew an hour later by the clock that it was given', async () => {
    await many(2)
    clock.advance(31 * minutes)
    let machine_ms = 0
    let sums = 0
    const db = new Proxy(database.db, {
      get(target, name) {
        if (name === 'one') sums += 1
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const round = worker({ db, machine_ms: () => machine_ms })
    for (const [time, count] of [
      [0, 1],
      [3_599_999, 0],
      [3_600_000, 1],
    ] as const) {
      machine_ms = time
      sums = 0
      await round()
      expect(sums).toBe(count)
    }
  })

  it('deletes the same excess only once, whatever the number of workers', async () => {
    await many(40)
    const each = (await bytes()) / 40
    clock.advance(31 * minutes)
    const pools = [1, 2, 3].map(() => database.connect({ size: 2 }))
    const rounds = await Promise.all(pools.map((db) => worker({ db, checkout_store_bytes: each * 20, batch: 5 })()))
    expect(rounds.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(20)
    expect(await bytes()).toBe(each * 20)
  })
})

describe('beside a customer', () => {
  it('skips a checkout that is being confirmed, and keeps it afterwards', async () => {
    const checkout = await open()
    clock.advance(31 * days)
    const { program_id } = shop.merchant
    await database.owner.transaction(async (tx) => {
      await tx.run({
        text: 'select from orders where program_id = $1 and order_uuid = $2 for no key update',
        values: [program_id, checkout.order_uuid],
      })
      expect((await worker()()).deleted).toBe(0)
      await tx.run({
        text: `update checkout_session set proven_at = $3, proven_phone = '512345678', browser_hash = ''
          where program_id = $1 and order_uuid = $2`,
        values: [program_id, checkout.order_uuid, clock.now()],
      })
    })
    expect((await worker()()).deleted).toBe(0)
    expect(await isThere(checkout)).toBe(true)
  })

  it('a customer who comes at the moment of the deletion finds nothing, and nothing breaks', async () => {
    const checkout = await open()
    const deleted = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const deletion = database.owner.transaction(async (tx) => {
      const values = [shop.merchant.program_id, checkout.order_uuid]
      await tx.run({ text: 'select from orders where program_id = $1 and order_uuid = $2 for update', values })
      locked.resolve()
      await deleted.promise
      void tx.run({ text: 'delete from checkout_session where program_id = $1 and order_uuid = $2', values })
      void tx.run({ text: 'delete from orders where program_id = $1 and order_uuid = $2', values })
    })
    await locked.promise
    const proving = refusalOf(services.proveSession(checkout.token, checkout.browser, '512345678' as Phone))
    const completing = refusalOf(services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' }))
    await waitForLocks(database.owner, 2)
    deleted.resolve()
    await deletion
    expect(await proving).toMatchObject({ kind: 'order_not_found' })
    expect(await services.readCheckout(checkout.token, checkout.browser)).toBeNull()
    expect(await completing).toMatchObject({ kind: 'order_not_found' })
  })
})
