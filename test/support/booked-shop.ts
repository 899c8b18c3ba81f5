import { beforeEach, expect } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Services } from '../../src/routes.ts'
import { oneShop, type Shop, servicesOn } from './app.ts'
import { BookedProvider } from './booked-provider.ts'
import { change, confirm, paymentOf, provenCheckout, settle } from './checkouts.ts'
import type { TestDatabase } from './database.ts'
import type { TestClock } from './earnings.ts'
import { providersOf } from './payments.ts'

/** A shop whose payments a provider with books takes, made anew for each test. */
export interface BookedShop {
  readonly provider: BookedProvider
  readonly services: Services
  readonly shop: Shop
}

/** Makes the shop before each test of a file. Take its parts in tests and later hooks only. */
export function bookedShop(database: TestDatabase, clock: TestClock): () => BookedShop {
  let made: BookedShop | undefined
  beforeEach(async () => {
    const provider = new BookedProvider()
    const services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider }) })
    made = { provider, services, shop: await oneShop(database.db) }
  })
  return () => {
    if (made === undefined) throw new Error('the shop is made before each test: use it in tests only')
    return made
  }
}

/** A checkout of 100 SAR, paid or authorised at the provider, of a customer who uses `points` of 1,000. */
export async function paidCheckout(
  db: Database,
  { provider, services, shop }: BookedShop,
  { points = 500, state = 'paid' }: { readonly points?: number; readonly state?: 'paid' | 'authorized' } = {},
) {
  const checkout = await provenCheckout(db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points })
  const { payment_uuid } = await paymentOf(db, checkout.order_uuid)
  provider.arrive(payment_uuid, state)
  expect(await settle(services, shop, payment_uuid)).toBe(state)
  return { ...checkout, payment_uuid }
}

/** A payment of 95 SAR that was given up while its page was open. */
export async function givenUpPayment({ db }: TestDatabase, { services, shop }: BookedShop) {
  const checkout = await provenCheckout(db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points: 500 })
  const { payment_uuid } = await paymentOf(db, checkout.order_uuid)
  expect(await change(services, checkout)).toBe('choose')
  return { order_uuid: checkout.order_uuid, payment_uuid: payment_uuid as Uuid }
}
