import { beforeEach, expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { createReceiveReports } from '../../src/features/payments/reports.ts'
import type { Services } from '../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { change, confirm, paymentOf, provenCheckout, tasksOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { performDue, providersOf, providerThat } from '../support/payments.ts'

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

/** A genuine report of a payment. */
function report(payment_uuid: Uuid): Promise<string> {
  const { ofPayment } = createReceiveReports({
    db: database.db,
    payments: providersOf({ sandbox: providerThat({ isGenuine: () => true }) }),
    askProvider: services.askProvider,
  })
  const { program_id } = shop.merchant
  return ofPayment(payment_uuid, { provider: 'sandbox', program_id, body: Buffer.alloc(0), headers: {}, query: {} })
}

// What went wrong: a payment had failed here, as when its customer changed the choice, and its page had been ended. Money came all
// the same, and the provider reported it; our question about it had no answer. The report was answered with 200, "settled", so
// it was not sent again, and nothing else looks at such a payment: the customer's money stayed (docs/payments.md).
test.each(['before', { kind: 'not_found', detail: 'not yet' }] as const)(
  'a report of money for a failed payment is wanted again while its record is not known: %s',
  async (fault) => {
    const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
    await confirm(services, checkout, { points: 500 })
    const payment_uuid = (await paymentOf(database.db, checkout.order_uuid)).payment_uuid as Uuid
    expect(await change(services, checkout)).toBe('choose')
    await performDue(database.db, providersOf({ sandbox: books }))
    expect(await tasksOf(database.db, checkout.order_uuid)).toEqual(['give_back done'])
    books.arrive(payment_uuid)
    books.faults.query = [fault]
    expect(await report(payment_uuid)).toBe('open')
    expect(await report(payment_uuid)).toBe('settled')
    await performDue(database.db, providersOf({ sandbox: books }))
    expect(books.kept_halalas).toBe(0)
    expect(await report(payment_uuid)).toBe('settled')
  },
)
