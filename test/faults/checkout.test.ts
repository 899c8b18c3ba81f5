import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Services } from '../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import {
  change,
  confirm,
  paymentOf,
  paymentsOf,
  provenCheckout,
  resume,
  settle,
  type TestCheckout,
  viewOf,
} from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { eventNamesOf, pointsOf } from '../support/orders.ts'
import { providersOf, releaseExpired } from '../support/payments.ts'
import { type DatabaseProxy, startProxy } from '../support/proxy.ts'

// The process, database connection or provider of a checkout dies at the worst moment. The next process continues it.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
let proxy: DatabaseProxy
let clock: TestClock
let provider: BookedProvider
/** The services on a breaking connection, and on a sound one. */
let broken: Services
let services: Services
let shop: Shop

beforeAll(async () => {
  proxy = await startProxy(database.url)
  shop = await oneShop(database.db)
})
afterAll(() => proxy.close())

beforeEach(() => {
  clock = new TestClock(app_noon)
  provider = new BookedProvider()
  const parts = { clock, payments: providersOf({ sandbox: provider }) }
  services = servicesOn(database.db, parts)
  broken = servicesOn(database.connectTo(proxy.url, { size: 2 }), parts)
})

const proven = (options = {}) => provenCheckout(database.db, services, shop, { points: 1_000, ...options })
const balanceOf = ({ phone }: TestCheckout) => pointsOf(database.db, shop.merchant, phone)

async function paying(): Promise<TestCheckout & { payment_uuid: string }> {
  const checkout = await proven()
  await confirm(services, checkout, { points: 500 })
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  provider.arrive(payment_uuid)
  return { ...checkout, payment_uuid }
}

describe.each(['before the server hears the COMMIT', 'after the server has committed'] as const)(
  'a connection that breaks %s',
  (when) => {
    it('of a confirmation: one hold, one payment, and the customer is sent to pay', async () => {
      const checkout = await proven()
      proxy.breakNextCommit(when)
      const outcome = await confirm(broken, checkout, { points: 500 })
      const [payment, ...more] = await paymentsOf(database.db, checkout.order_uuid)
      expect(more).toEqual([])
      expect(outcome).toEqual({ kind: 'payment', url: payment?.page_url })
      expect(provider.calls).toEqual(['create'])
      expect(await balanceOf(checkout)).toEqual([1_000, 500])
    })

    it('of a confirmation that pays the order whole: approved once', async () => {
      const checkout = await proven({ total: 50 })
      proxy.breakNextCommit(when)
      expect(await confirm(broken, checkout, { points: 100, total: 50 })).toEqual({ kind: 'approved' })
      expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
      expect(await balanceOf(checkout)).toEqual([900, 0])
    })

    it('of a payment that arrived: approved once', async () => {
      const { payment_uuid, ...checkout } = await paying()
      proxy.breakNextCommit(when)
      expect(await settle(broken, shop, payment_uuid)).toBe('paid')
      expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
      expect(await balanceOf(checkout)).toEqual([1_475, 0])
    })

    it('of a cancelled choice: cancelled once', async () => {
      const checkout = await proven()
      await confirm(services, checkout, { points: 500 })
      proxy.breakNextCommit(when)
      expect(await change(broken, checkout)).toBe('choose')
      expect(await balanceOf(checkout)).toEqual([1_000, 0])
    })

    it('of a second payment after a decline: there is one, and its page', async () => {
      const { payment_uuid, ...checkout } = await paying()
      provider.arrive(payment_uuid, 'failed')
      await settle(services, shop, payment_uuid)
      proxy.breakNextCommit(when)
      const outcome = await resume(broken, checkout)
      const [, second, ...more] = await paymentsOf(database.db, checkout.order_uuid)
      expect(more).toEqual([])
      expect(outcome).toEqual({ kind: 'payment', url: second?.page_url })
    })

    it('of an expiry: free once, by this round or the next', async () => {
      const checkout = await proven()
      await confirm(services, checkout, { points: 500 })
      clock.advance(1_800)
      const db = database.connectTo(proxy.url, { size: 2 })
      const parts = { db, clock, payments: providersOf({ sandbox: provider }) }
      proxy.breakNextCommit(when)
      await releaseExpired(parts)
      await releaseExpired(parts)
      expect(await balanceOf(checkout)).toEqual([1_000, 0])
      expect(await ledgerDifferences(database.owner)).toEqual([])
    })
  },
)

/** Lets the lease of the first request expire, by the machine's clock. */
async function leaseRunsOut({ order_uuid }: TestCheckout): Promise<void> {
  await database.owner.run({
    text: `update order_payment set leased_until = timestamptz '2026-01-01Z' where order_uuid = $1`,
    values: [order_uuid],
  })
}

describe('a process that dies', () => {
  class Died extends Error {}

  it('between its commit and the provider: the next request queries the provider, and creates the same payment', async () => {
    const checkout = await proven()
    provider.meanwhile = () => Promise.reject(new Died())
    await expect(confirm(services, checkout, { points: 500 })).rejects.toBeInstanceOf(Died)
    provider.meanwhile = async () => undefined
    expect(provider.books.size).toBe(0)
    await leaseRunsOut(checkout)
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    expect(await resume(services, checkout)).toEqual({
      kind: 'payment',
      url: `https://pay.example.com/${payment_uuid}`,
    })
    expect((await paymentsOf(database.db, checkout.order_uuid)).length).toBe(1)
    expect(await balanceOf(checkout)).toEqual([1_000, 500])
  })

  it('between the provider and keeping its page: the customer gets the page that the provider has', async () => {
    const checkout = await proven()
    const create = provider.create.bind(provider)
    provider.create = async (request) => {
      await create(request)
      throw new Died()
    }
    await expect(confirm(services, checkout, { points: 500 })).rejects.toBeInstanceOf(Died)
    provider.create = create
    await leaseRunsOut(checkout)
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    const outcome = await resume(services, checkout)
    expect(outcome).toEqual({ kind: 'payment', url: `https://pay.example.com/${payment_uuid}` })
    expect(provider.books.size).toBe(1)
  })

  it('and the customer does not come back: the points are released when the session expires', async () => {
    const checkout = await proven()
    provider.meanwhile = () => Promise.reject(new Died())
    await expect(confirm(services, checkout, { points: 500 })).rejects.toBeInstanceOf(Died)
    provider.meanwhile = async () => undefined
    clock.advance(1_800)
    await releaseExpired({ db: database.db, clock, payments: providersOf({ sandbox: provider }) })
    expect(await balanceOf(checkout)).toEqual([1_000, 0])
    expect((await viewOf(services, checkout)).step).toBe('expired')
  })

  it('while it may still live: a second click waits, and gets the page that the first is requesting', async () => {
    const checkout = await proven()
    const { asked, answered } = holdPages()
    const first = confirm(services, checkout, { points: 500 })
    await asked.promise
    const second = confirm(services, checkout, { points: 500 })
    const third = resume(services, checkout)
    // Both see the first request in progress many times.
    for (let looks = 0; looks < 100; looks += 1) await database.db.isWritable()
    expect(provider.calls.filter((call) => call === 'create').length).toBe(1)
    answered.resolve()
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    const url = `https://pay.example.com/${payment_uuid}`
    expect(await Promise.all([first, second, third])).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'payment', url })),
    )
    expect(provider.calls.filter((call) => call === 'create').length).toBe(1)
  })
})

/** The provider reports a request for a page, and answers when the test allows it. */
function holdPages() {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  provider.meanwhile = (operation) => {
    if (operation !== 'create') return Promise.resolve()
    asked.resolve()
    return answered.promise
  }
  return { asked, answered }
}

it('a payment page that arrives after the payment was cancelled is shown to nobody', async () => {
  const checkout = await proven()
  const { asked, answered } = holdPages()
  const first = confirm(services, checkout, { points: 500 })
  await asked.promise
  expect(await change(services, checkout)).toBe('choose')
  answered.resolve()
  expect(await first).toEqual({ kind: 'changed' })
  const { payment_uuid, page_url, state } = await paymentOf(database.db, checkout.order_uuid)
  expect([page_url, state]).toEqual([null, 'failed'])
  provider.arrive(payment_uuid)
  expect(await settle(services, shop, payment_uuid)).toBe('surplus')
})
