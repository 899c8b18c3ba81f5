import { beforeEach, expect, test } from 'vitest'
import type { PaymentProvider } from '../../src/providers/payment/port.ts'
import type { Services } from '../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { change, confirm, paymentOf, paymentsOf, provenCheckout, settle, tasksOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { performDue, providersOf } from '../support/payments.ts'

const database = testDatabase()
const clock = new TestClock(app_noon)
let books: BookedProvider
let services: Services
let shop: Shop

beforeEach(async () => {
  books = new BookedProvider()
  services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: books }) })
  shop = await oneShop(database.db)
})

/** A payment that was given up while its page was open. */
async function givenUp() {
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points: 500 })
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  expect(await change(services, checkout)).toBe('choose')
  return { order_uuid: checkout.order_uuid, payment_uuid }
}

/** The provider, at which the customer pays after an operation was performed and before its answer arrives. */
function paidDuring(operation: 'query' | 'void', payment_uuid: string): PaymentProvider {
  let paid = false
  const late = async <T>(answer: T): Promise<T> => {
    if (paid) return answer
    paid = true
    books.arrive(payment_uuid)
    expect(await settle(services, shop, payment_uuid)).toBe('surplus')
    return answer
  }
  return {
    ...{ name: books.name, page_origins: [], checkAccount: () => books.checkAccount(), isGenuine: () => false },
    create: (asked) => books.create(asked),
    capture: (asked) => books.capture(asked),
    refund: (asked) => books.refund(asked),
    query: async (asked) => (operation === 'query' ? late(await books.query(asked)) : books.query(asked)),
    void: async (asked) => (operation === 'void' ? late(await books.void(asked)) : books.void(asked)),
  }
}

// What went wrong: the worker had found a given-up payment unpaid, or had just ended its page. The payment was then reported as
// paid, while the worker's task was still open, so no other was queued. The worker wrote "done, failed" over the surplus, and
// the customer's money stayed with the provider: docs/spec/payments.md#late-payments.
test.each(['query', 'void'] as const)(
  'money that comes during the %s of a given-up payment goes back',
  async (when) => {
    const { order_uuid, payment_uuid } = await givenUp()
    if (when === 'query') books.arrive(payment_uuid, 'failed')
    await performDue(database.db, providersOf({ sandbox: paidDuring(when, payment_uuid) }))
    expect(books.kept_halalas).toBe(0)
    expect((await paymentsOf(database.db, order_uuid)).map(({ state }) => state)).toEqual(['returned'])
    expect(await tasksOf(database.db, order_uuid)).toEqual(['give_back done'])
  },
)
