import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { app_noon } from '../support/app.ts'
import { type BookedShop, bookedShop, givenUpPayment } from '../support/booked-shop.ts'
import { paymentsOf, settle, tasksOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { performDue, providersOf } from '../support/payments.ts'

const database = testDatabase()
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

/** The customer pays after the provider has performed an operation, and before its answer arrives. */
function payDuring(operation: 'query' | 'void', payment_uuid: Uuid, { provider, services, shop }: BookedShop): void {
  let paid = false
  provider.onItsWay = async (performed) => {
    if (paid || performed !== operation) return
    paid = true
    provider.arrive(payment_uuid)
    expect(await settle(services, shop, payment_uuid)).toBe('surplus')
  }
}

// What went wrong: the worker had found a given-up payment unpaid, or had just ended its page. The payment was then reported as
// paid, while the worker's task was still open, so no other was queued. The worker wrote "done, failed" over the surplus, and
// the customer's money stayed with the provider: docs/spec/payments.md#late-payments.
test.each(['query', 'void'] as const)(
  'money that comes during the %s of a given-up payment goes back',
  async (when) => {
    const stage = booked()
    const { provider } = stage
    const { order_uuid, payment_uuid } = await givenUpPayment(database, stage)
    if (when === 'query') provider.arrive(payment_uuid, 'failed')
    payDuring(when, payment_uuid, stage)
    await performDue(database.db, providersOf({ sandbox: provider }))
    expect(provider.kept_halalas).toBe(0)
    expect((await paymentsOf(database.db, order_uuid)).map(({ state }) => state)).toEqual(['returned'])
    expect(await tasksOf(database.db, order_uuid)).toEqual(['give_back done'])
  },
)
