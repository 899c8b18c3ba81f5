import { beforeEach, describe, expect, it } from 'vitest'
import type { ExpiryRound } from '../../../src/features/checkout/expiry.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import {
  confirm,
  paymentOf,
  paymentsOf,
  provenCheckout,
  sellBy,
  settle,
  type TestCheckout,
  tasksOf,
  viewOf,
} from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { refusalOf, TestClock } from '../../support/earnings.ts'
import { eventNamesOf, everythingOf, pointsOf, rowOf } from '../../support/orders.ts'
import { providersOf, releaseExpired } from '../../support/payments.ts'

// Points are held until the session ends where a provider collects, and for seven days where the merchant does, in business
// time (docs/spec/checkout.md#expiry). Money that was paid in time always wins.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const minutes = 60
const days = 86_400
let clock: TestClock
let provider: BookedProvider
let services: Services
let shop: Shop
let failures: unknown[]

beforeEach(async () => {
  clock = new TestClock(app_noon)
  provider = new BookedProvider()
  failures = []
  services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider, merchant: provider }) })
  shop = await oneShop(database.db)
})

/** Runs one round. Checkouts of other tests are not due: each test begins at the same time. */
function round(): Promise<ExpiryRound> {
  const onError = (error: unknown): void => void failures.push(error)
  return releaseExpired({ db: database.db, clock, payments: providersOf({ sandbox: provider }), onError })
}

async function confirmed(points = 500): Promise<TestCheckout> {
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points })
  return checkout
}

const heldOf = ({ phone }: TestCheckout) => pointsOf(database.db, shop.merchant, phone)

describe('where a provider collects', () => {
  it('points are held to the last millisecond of the session, and released at its end', async () => {
    const checkout = await confirmed()
    clock.advance(30 * minutes - 0.001)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 500])
    expect((await viewOf(services, checkout)).step).toBe('pay')
    clock.advance(0.001)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 0])
    expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({
      order_status: 'new',
      total_points: 0,
      redeemed_halalas: 0,
    })
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'expired', held_until: null, payment: null })
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual([])
    expect(failures).toEqual([])
  })

  it('the payment under way fails, and its page is ended', async () => {
    const checkout = await confirmed()
    clock.advance(30 * minutes)
    await round()
    expect(await paymentOf(database.db, checkout.order_uuid)).toMatchObject({ state: 'failed', error: 'expired' })
    expect(await tasksOf(database.db, checkout.order_uuid)).toEqual(['give_back due'])
  })

  it('a payment made in time wins, though it was not reported', async () => {
    const checkout = await confirmed()
    provider.arrive((await paymentOf(database.db, checkout.order_uuid)).payment_uuid)
    clock.advance(45 * minutes)
    await round()
    expect((await viewOf(services, checkout)).step).toBe('finished')
    expect(await heldOf(checkout)).toEqual([1_475, 0])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
  })

  it('money that comes afterwards goes back, and the order does not change', async () => {
    const checkout = await confirmed(0)
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    clock.advance(30 * minutes)
    await round()
    provider.arrive(payment_uuid)
    expect(await settle(services, shop, payment_uuid)).toBe('surplus')
    expect(await viewOf(services, checkout)).toMatchObject({
      step: 'expired',
      order_status: 'new',
      going_back: [{ state: 'surplus', amount_halalas: 10_000 }],
    })
  })

  it('the API can still complete an expired order, without the points', async () => {
    const checkout = await confirmed()
    clock.advance(30 * minutes)
    await round()
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' })
    expect(await heldOf(checkout)).toEqual([2_000, 0])
    expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ total_points: 0, earned_points: 1_000 })
  })

  it('a provider that does not answer is asked again for ten minutes, then the points are released', async () => {
    const checkout = await confirmed()
    provider.down = true
    clock.advance(30 * minutes)
    await round()
    clock.advance(10 * minutes - 1)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 500])
    clock.advance(1)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 0])
    expect(await tasksOf(database.db, checkout.order_uuid)).toEqual(['give_back due'])
  })

  it('a provider that does not answer does not delay other checkouts', async () => {
    const [waiting, merchants] = [await confirmed(), await oneShop(database.db)]
    await sellBy(database.owner, merchants, 'merchant')
    const reserved = await provenCheckout(database.db, services, merchants)
    await confirm(services, reserved, { points: 500 })
    provider.down = true
    clock.advance(7 * days)
    // Confirmed seven days later, and due at the same time as the other.
    const late = await confirmed()
    clock.advance(30 * minutes)
    await round()
    expect(await pointsOf(database.db, merchants.merchant, reserved.phone)).toEqual([1_000, 0])
    expect(await heldOf(waiting)).toEqual([1_000, 0])
    expect(await heldOf(late)).toEqual([1_000, 500])
  })

  it('a payment without a page is cancelled too', async () => {
    provider.faults.create = ['before']
    const checkout = await confirmed()
    clock.advance(30 * minutes)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 0])
    expect((await paymentsOf(database.db, checkout.order_uuid)).map(({ state }) => state)).toEqual(['failed'])
  })

  it('rounds release hundreds of due checkouts, in any number of processes', async () => {
    const customers = [await confirmed(100), await confirmed(100), await confirmed(100)]
    const { program_id, merchant_id } = shop.merchant
    await database.owner.run({
      text: `with many as (
          select gen_random_uuid() as order_uuid, gen_random_uuid() as session_uuid, n from generate_series(1, 500) as n
        ), made as (
          insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number,
            order_number, order_status, total_halalas, total_points, created_at, updated_at)
          select $1, order_uuid, $2, null, 2, 'checkout', 'many-' || n, 'n', 'new', 100, 0, $3, $3 from many
        )
        insert into checkout_session (program_id, session_uuid, merchant_id, order_uuid, token_hash, browser_hash,
          proven_phone, proven_at, confirmed_at, release_at, collector, expires_at, created_at, updated_at)
        select $1, session_uuid, $2, order_uuid, session_uuid::text::bytea, 'x', '599999999', $3, $3, $3, 'merchant', $3,
          $3, $3 from many`,
      values: [program_id, merchant_id, clock.now()],
    })
    clock.advance(30 * minutes)
    const rounds = await Promise.all([round(), round(), round()])
    const released = rounds.reduce((sum, one) => sum + one.released, 0)
    await round()
    const [left] = await database.db.run<{ count: number }>({
      text: 'select count(*) from checkout_session where program_id = $1 and release_at <= $2',
      values: [program_id, clock.now()],
    })
    expect(left).toEqual({ count: 0 })
    expect(released).toBeGreaterThanOrEqual(500)
    for (const checkout of customers) expect(await heldOf(checkout)).toEqual([1_000, 0])
    expect(failures).toEqual([])
  })
})

describe('where the merchant collects', () => {
  beforeEach(() => sellBy(database.owner, shop, 'merchant'))

  it('points are held for seven days from the confirmation, though the session ends earlier', async () => {
    const checkout = await provenCheckout(database.db, services, shop)
    clock.advance(29 * minutes)
    await confirm(services, checkout, { points: 500 })
    clock.advance(7 * days - 1)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 500])
    expect((await viewOf(services, checkout)).step).toBe('reserved')
    clock.advance(1)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 0])
    expect((await viewOf(services, checkout)).step).toBe('expired')
  })

  it('the chosen points stay on the order, and complete holds them again while the wallet has them', async () => {
    const checkout = await confirmed()
    clock.advance(7 * days)
    await round()
    expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ total_points: 500, redeemed_halalas: 250 })
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' })
    expect(await heldOf(checkout)).toEqual([1_475, 0])
  })

  it('complete refuses when the points have been spent elsewhere', async () => {
    const checkout = await confirmed(1_000)
    clock.advance(7 * days)
    await round()
    const elsewhere = await provenCheckout(database.db, services, shop, { phone: checkout.phone })
    await confirm(services, elsewhere, { points: 1_000 })
    const before = await everythingOf(database.db, checkout.order_uuid)
    const complete = services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' })
    expect(await refusalOf(complete)).toEqual({ kind: 'insufficient_points' })
    expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
  })

  it.each(['complete', 'cancel'] as const)('%s within the seven days leaves nothing to release', async (action) => {
    const checkout = await confirmed()
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action })
    const before = await everythingOf(database.db, checkout.order_uuid)
    clock.advance(8 * days)
    await round()
    expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
  })

  it("an authorised order's hold ends only at capture or cancel", async () => {
    const checkout = await confirmed()
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'authorize' })
    clock.advance(30 * days)
    await round()
    expect(await heldOf(checkout)).toEqual([1_000, 500])
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'cancel' })
    expect(await heldOf(checkout)).toEqual([1_000, 0])
  })
})

it('an unconfirmed checkout holds nothing, and leaves its order new', async () => {
  const checkout = await provenCheckout(database.db, services, shop)
  clock.advance(30 * minutes)
  const before = await everythingOf(database.db, checkout.order_uuid)
  await round()
  expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
})
