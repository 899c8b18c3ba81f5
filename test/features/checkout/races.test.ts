import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/pool.ts'
import { DomainError } from '../../../src/domain/failures.ts'
import type { PaymentOutcome } from '../../../src/features/payments/begin.ts'
import type { PaymentProvider } from '../../../src/providers/payment/port.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider, methodsOf } from '../../support/booked-provider.ts'
import {
  change,
  confirm,
  paymentsOf,
  provenCheckout,
  resume,
  sellBy,
  settle,
  type TestCheckout,
  viewOf,
} from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { ledgerDifferences } from '../../support/ledger.ts'
import { customerWith, eventNamesOf, pointsOf, rowOf } from '../../support/orders.ts'
import { performDue, providersOf, releaseExpired } from '../../support/payments.ts'

// Requests arrive at one moment from the pools of two processes: no point moves twice, no money is lost, and each event is
// written once (docs/spec/orders.md#racing).

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
/** `race` has 17 leads: half of them are tried, in a long run each three times. */
const rounds = process.env['NUQTA_TEST_LONG'] === '1' ? 51 : 8
let clock: TestClock
let provider: BookedProvider
let one: Services
let two: Services
let shop: Shop

let pools: readonly [Database, Database]

beforeAll(async () => {
  shop = await oneShop(database.db)
  pools = [database.connect({ size: 4 }), database.connect({ size: 4 })]
})

beforeEach(() => {
  clock = new TestClock(app_noon)
  provider = new BookedProvider()
  const parts = { clock, payments: providersOf({ sandbox: provider, merchant: provider }) }
  one = servicesOn(pools[0], parts)
  two = servicesOn(pools[1], parts)
})

const balanced = async (): Promise<void> => expect(await ledgerDifferences(database.owner)).toEqual([])

function count(outcomes: readonly PaymentOutcome[]): Record<string, number> {
  const kinds = outcomes.map(({ kind }) => kind)
  return Object.fromEntries([...new Set(kinds)].sort().map((kind) => [kind, kinds.filter((it) => it === kind).length]))
}

/** Alternates between both processes. */
const turns = (index: number): Services => (index % 2 === 0 ? one : two)

describe('40 parallel redemptions of one balance', () => {
  async function checkouts(phone: TestCheckout['phone'], options = {}): Promise<TestCheckout[]> {
    const opened: TestCheckout[] = []
    for (let number = 0; number < 40; number += 1)
      opened.push(await provenCheckout(database.db, one, shop, { phone, ...options }))
    return opened
  }

  it('hold no more than the balance, each for its own order', async () => {
    const phone = await customerWith(database.db, shop.merchant, { points: 1_000 })
    const all = await checkouts(phone)
    const outcomes = await Promise.all(all.map((checkout, index) => confirm(turns(index), checkout, { points: 100 })))
    expect(count(outcomes)).toEqual({ changed: 30, payment: 10 })
    expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([1_000, 1_000])
    const held = await Promise.all(
      all.map(async ({ order_uuid }) => (await rowOf(database.db, order_uuid))['total_points']),
    )
    expect(held.filter((points) => points === 100).length).toBe(10)
    expect(held.filter((points) => points === 0).length).toBe(30)
    await balanced()
  })

  it('of orders without money spend no more than the balance', async () => {
    const phone = await customerWith(database.db, shop.merchant, { points: 1_050 })
    const all = await checkouts(phone, { total: 50 })
    const outcomes = await Promise.all(
      all.map((checkout, index) => confirm(turns(index), checkout, { points: 100, total: 50 })),
    )
    expect(count(outcomes)).toEqual({ approved: 10, changed: 30 })
    expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([50, 0])
    await balanced()
  })

  it('of many sizes, some taken back meanwhile, never make the wallet negative', async () => {
    const phone = await customerWith(database.db, shop.merchant, { points: 2_000 })
    const all = await checkouts(phone)
    await Promise.all(
      all.map(async (checkout, index) => {
        const points = 40 + 14 * (index % 20)
        await confirm(turns(index), checkout, { points })
        if (index % 3 === 0) await change(turns(index + 1), checkout)
      }),
    )
    const orders = await Promise.all(all.map(({ order_uuid }) => rowOf(database.db, order_uuid)))
    const held = orders.reduce((sum, row) => sum + Number(row['total_points']), 0)
    expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([2_000, held])
    expect(held).toBeLessThanOrEqual(2_000)
    await balanced()
  })
})

describe('40 parallel confirmations of one checkout', () => {
  const again = (checkout: TestCheckout, choice: { points: number; total?: number }) =>
    Promise.all(Array.from({ length: 40 }, (_, index) => confirm(turns(index), checkout, choice)))

  it('have one effect: one hold, one payment, and the provider is asked for one page', async () => {
    const checkout = await provenCheckout(database.db, one, shop, { points: 1_000 })
    const outcomes = await again(checkout, { points: 500 })
    const [payment, ...more] = await paymentsOf(database.db, checkout.order_uuid)
    expect(more).toEqual([])
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify({ kind: 'payment', url: payment?.page_url })]),
    )
    expect(provider.calls).toEqual(['create'])
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 500])
    await balanced()
  })

  it('that leave nothing to pay approve once', async () => {
    const checkout = await provenCheckout(database.db, one, shop, { points: 1_000, total: 50 })
    expect(count(await again(checkout, { points: 100, total: 50 }))).toEqual({ approved: 40 })
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([900, 0])
  })

  it('reserve once for a merchant who collects', async () => {
    const collecting = await oneShop(database.db)
    await sellBy(database.owner, collecting, 'merchant')
    const checkout = await provenCheckout(database.db, one, collecting, { points: 1_000 })
    expect(count(await again(checkout, { points: 500 }))).toEqual({ reserved: 40 })
    expect(await pointsOf(database.db, collecting.merchant, checkout.phone)).toEqual([1_000, 500])
  })

  it('of two choices confirm one of them', async () => {
    const checkout = await provenCheckout(database.db, one, shop, { points: 1_000 })
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => confirm(turns(index), checkout, { points: index < 20 ? 200 : 600 })),
    )
    expect(count(outcomes)).toEqual({ changed: 20, payment: 20 })
    const [, held] = await pointsOf(database.db, shop.merchant, checkout.phone)
    expect([200, 600]).toContain(held)
    await balanced()
  })
})

/** A provider whose first answers are out of date: pending. */
function stale(): PaymentProvider {
  return {
    ...methodsOf(provider),
    query: async (asked) => {
      const record = await provider.query(asked)
      return record.kind === 'payment' ? { ...record, state: 'pending' } : record
    },
  }
}

interface Paying extends TestCheckout {
  readonly payment_uuid: string
}

async function paying(state: 'paid' | 'pending' = 'paid'): Promise<Paying> {
  const checkout = await provenCheckout(database.db, one, shop, { points: 1_000 })
  await confirm(one, checkout, { points: 500 })
  const [payment] = await paymentsOf(database.db, checkout.order_uuid)
  if (payment === undefined) throw new Error('no payment was begun')
  provider.arrive(payment.payment_uuid, state)
  return { ...checkout, payment_uuid: payment.payment_uuid }
}

/**
 * Runs both at once, delaying one by more ways to the database and back from round to round. The API may refuse one. Each
 * 17 rounds the ways double, so that either can be first wherever a request is many times slower than a way.
 */
async function race(round: number, left: () => Promise<unknown>, right: () => Promise<unknown>): Promise<void> {
  const after = async (ways: number, act: () => Promise<unknown>): Promise<unknown> => {
    for (let left_over = ways; left_over > 0; left_over -= 1) await database.db.run({ text: 'select', values: [] })
    return act()
  }
  const lead = 4 * 2 ** Math.floor(round / 17) * (((round * 5) % 17) - 8)
  const both = [after(lead, left), after(-lead, right)]
  for (const outcome of await Promise.allSettled(both))
    if (outcome.status === 'rejected' && !(outcome.reason instanceof DomainError)) throw outcome.reason
}

async function performTasks(): Promise<void> {
  await performDue(database.db, providersOf({ sandbox: provider }), { clock })
}

/** Checks the end: money is kept only for a paid order, and no point moved twice. */
async function endOf(checkout: Paying, kept_before: number): Promise<string> {
  await performTasks()
  const { order_status } = await rowOf(database.db, checkout.order_uuid)
  const [payment] = await paymentsOf(database.db, checkout.order_uuid)
  const names = await eventNamesOf(database.db, checkout.order_uuid)
  expect(new Set(names).size).toBe(names.length)
  const pays = payment?.state === 'paid'
  expect(payment?.state).toBe(pays ? 'paid' : 'returned')
  expect(provider.kept_halalas - kept_before).toBe(pays ? 9_750 : 0)
  return pays ? `paid, ${order_status}` : `returned, ${order_status}`
}

describe('a payment that is reported', () => {
  it('10 times approves the order once', async () => {
    const checkout = await paying()
    const states = await Promise.all(
      Array.from({ length: 10 }, (_, index) => settle(turns(index), shop, checkout.payment_uuid)),
    )
    expect(new Set(states)).toEqual(new Set(['paid']))
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_475, 0])
  })

  it('at the moment its checkout expires: approved with its points, or refunded and released', async () => {
    const ends = new Set<string>()
    const [db] = pools
    for (let round = 0; round < 96 && (round < rounds || ends.size < 2); round += 1) {
      const kept = provider.kept_halalas
      const checkout = await paying()
      clock.advance(1_800)
      const parts = { db, clock, payments: providersOf({ sandbox: stale() }) }
      const release = () => releaseExpired(parts)
      await race(round, release, () => settle(two, shop, checkout.payment_uuid))
      // A round skips an order that the other has locked, and the next round finds it.
      await release()
      const end = await endOf(checkout, kept)
      ends.add(end)
      const points = await pointsOf(database.db, shop.merchant, checkout.phone)
      expect(points).toEqual(end === 'paid, approved' ? [1_475, 0] : [1_000, 0])
    }
    expect([...ends].sort()).toEqual(['paid, approved', 'returned, new'])
    await balanced()
  })

  it.each([
    ['cancel', ['paid, approved', 'returned, cancelled'], [1_000, 0]],
    ['complete', ['paid, approved', 'returned, approved'], [1_475, 0]],
    ['authorize', ['paid, approved', 'returned, authorized'], [1_000, 500]],
  ] as const)(
    'at the moment of %s by the API: one wins, and money that is not needed goes back',
    async (action, expected, otherwise) => {
      const ends = new Set<string>()
      for (let round = 0; round < 96 && (round < rounds || ends.size < 2); round += 1) {
        const kept = provider.kept_halalas
        const checkout = await paying()
        await race(
          round,
          () => one.moveOrder(shop.merchant, checkout.order_uuid, { action }),
          () => settle(two, shop, checkout.payment_uuid),
        )
        const end = await endOf(checkout, kept)
        ends.add(end)
        const points = await pointsOf(database.db, shop.merchant, checkout.phone)
        expect(points).toEqual(end === 'paid, approved' ? [1_475, 0] : otherwise)
      }
      expect([...ends].sort()).toEqual([...expected])
      await balanced()
    },
  )

  it('at the moment the customer takes the choice back: it pays, or goes back', async () => {
    const ends = new Set<string>()
    const changing = servicesOn(pools[0], { clock, payments: providersOf({ sandbox: stale() }) })
    for (let round = 0; round < 96 && (round < rounds || ends.size < 2); round += 1) {
      const kept = provider.kept_halalas
      const checkout = await paying()
      await race(
        round,
        () => change(changing, checkout),
        () => settle(two, shop, checkout.payment_uuid),
      )
      const end = await endOf(checkout, kept)
      ends.add(end)
      const { step, customer } = await viewOf(one, checkout)
      expect(step).toBe(end === 'paid, approved' ? 'finished' : 'choose')
      expect(customer?.available).toBe(end === 'paid, approved' ? 1_475 : 1_000)
    }
    expect([...ends].sort()).toEqual(['paid, approved', 'returned, new'])
    await balanced()
  })

  it('at the moment the customer pays again: it pays, and no second one begins', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const checkout = await paying()
      await race(
        round,
        () => resume(one, checkout),
        () => settle(two, shop, checkout.payment_uuid),
      )
      expect((await paymentsOf(database.db, checkout.order_uuid)).map(({ state }) => state)).toEqual(['paid'])
      expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
    }
  })

  it('for both a first that was declined and a second: one pays and the other goes back', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const kept = provider.kept_halalas
      const checkout = await paying('pending')
      provider.arrive(checkout.payment_uuid, 'failed')
      await resume(one, checkout)
      const [, second] = await paymentsOf(database.db, checkout.order_uuid)
      if (second === undefined) throw new Error('no second payment was begun')
      provider.arrive(checkout.payment_uuid, 'paid')
      provider.arrive(second.payment_uuid, 'paid')
      await race(
        round,
        () => settle(one, shop, checkout.payment_uuid),
        () => settle(two, shop, second.payment_uuid),
      )
      await performTasks()
      const states = (await paymentsOf(database.db, checkout.order_uuid)).map(({ state }) => state)
      expect(states).toEqual(['returned', 'paid'])
      expect(provider.kept_halalas - kept).toBe(9_750)
    }
    await balanced()
  })
})

describe('a customer in two tabs', () => {
  it('who pays again in both after a decline gets one new payment', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const checkout = await paying('pending')
      provider.arrive(checkout.payment_uuid, 'failed')
      const outcomes = await Promise.all(Array.from({ length: 6 }, (_, index) => resume(turns(index), checkout)))
      const payments = await paymentsOf(database.db, checkout.order_uuid)
      expect(payments.map(({ state }) => state)).toEqual(['failed', 'created'])
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    }
  })

  it('who takes the choice back in one and pays in the other ends with one hold, or with none', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const checkout = await paying('pending')
      await race(
        round,
        () => change(one, checkout),
        () => confirm(two, checkout, { points: 500 }),
      )
      const { step } = await viewOf(one, checkout)
      const points = await pointsOf(database.db, shop.merchant, checkout.phone)
      expect([step, points]).toEqual(step === 'pay' ? ['pay', [1_000, 500]] : ['choose', [1_000, 0]])
    }
    await balanced()
  })

  it('whose merchant cancels meanwhile has nothing held', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const checkout = await provenCheckout(database.db, one, shop, { points: 1_000 })
      await race(
        round,
        () => confirm(one, checkout, { points: 500 }),
        () => two.moveOrder(shop.merchant, checkout.order_uuid, { action: 'cancel' }),
      )
      expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 0])
      expect((await viewOf(one, checkout)).step).toBe('cancelled')
      expect((await paymentsOf(database.db, checkout.order_uuid)).filter(({ state }) => state === 'created')).toEqual(
        [],
      )
    }
    await balanced()
  })
})
