import { beforeEach, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { terms } from '../../src/domain/terms.ts'
import type { Services } from '../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { change, formOf, openedCheckout, paymentOf, paymentsOf, settle, viewOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, TestClock, walletOf } from '../support/earnings.ts'
import { rowOf } from '../support/orders.ts'
import { providersOf, releaseExpired } from '../support/payments.ts'

// A checkout that was continued without points, for a number that was new, forgot it when its payment expired. A store that
// then took the money in another way, and completed the order, awarded nobody; for a number that was known the same order
// earned.

const database = testDatabase({ leaves: ['due payment tasks', 'due messages'] })
const provider = new BookedProvider()
let clock: TestClock
let services: Services
let shop: Shop

beforeEach(async () => {
  clock = new TestClock(app_noon)
  services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider }) })
  shop = await oneShop(database.db)
})

/** A checkout of 100 SAR that was continued without points, with the name and the consent of a new customer. */
async function continued(given: Phone | null) {
  const checkout = await openedCheckout(services, shop, { given })
  const joining = { name: 'Sara', terms_version: terms.version }
  await services.continueWithoutPoints(await formOf(services, checkout), given === null ? null : joining)
  return checkout
}

async function expire(): Promise<void> {
  clock.advance(1_801)
  await releaseExpired({ db: database.db, clock, payments: providersOf({ sandbox: provider }) })
}

const customerOf = (phone: Phone) => walletOf(database.db, shop.merchant.program_id, phone)

it.each([
  ['completed', ['complete']],
  ['authorised and captured', ['authorize', 'capture']],
] as const)(
  'an order %s after its payment has expired earns for the number that the store sent',
  async (_, actions) => {
    const given = freshPhone()
    const checkout = await continued(given)
    await expire()
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'expired', payment: null, held_until: null })
    expect(await paymentsOf(database.db, checkout.order_uuid)).toMatchObject([{ state: 'failed', error: 'expired' }])
    expect(await customerOf(given)).toBeUndefined()
    for (const action of actions) await services.moveOrder(shop.merchant, checkout.order_uuid, { action })
    expect(await customerOf(given)).toMatchObject({ status: 'active', name: 'Sara', posted: 1_000 })
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'finished', payment: null, earned_points: 1_000 })
  },
)

it('without a number it earns for nobody', async () => {
  const { order_uuid } = await continued(null)
  await expire()
  await services.moveOrder(shop.merchant, order_uuid, { action: 'complete' })
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ customer_id: null, earned_points: 0 })
})

it('nothing more can be done with the expired page, and money that comes by it goes back', async () => {
  const checkout = await continued(freshPhone())
  await expire()
  expect(await change(services, checkout)).toBe('over')
  expect(await services.continueWithoutPoints(await formOf(services, checkout), null)).toEqual({ kind: 'over' })
  expect(await services.resumePayment(await formOf(services, checkout))).toEqual({ kind: 'over' })
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  provider.arrive(payment_uuid)
  expect(await settle(services, shop, payment_uuid)).toBe('surplus')
  expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ order_status: 'new' })
})

it('a choice that the customer took back stays taken back', async () => {
  const given = freshPhone()
  const checkout = await continued(given)
  expect(await change(services, checkout)).toBe('choose')
  await expire()
  await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' })
  expect(await customerOf(given)).toBeUndefined()
})
