import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { createReceiveReports } from '../../src/features/payments/reports.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, givenUpPayment } from '../support/booked-shop.ts'
import { tasksOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { performDue, providersOf, providerThat } from '../support/payments.ts'

const database = testDatabase()
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

/** A genuine report of a payment. */
function report(payment_uuid: Uuid): Promise<string> {
  const { services, shop } = booked()
  const { ofPayment } = createReceiveReports({
    db: database.db,
    payments: providersOf({ sandbox: providerThat({ isGenuine: () => true }) }),
    askProvider: services.askProvider,
  })
  const { program_id } = shop.merchant
  return ofPayment(payment_uuid, { provider: 'sandbox', program_id, body: Buffer.alloc(0), headers: {}, query: {} })
}

// What went wrong: a payment had failed here, as when its customer changed the choice, and its page had been ended. Money
// came all the same, and the provider reported it; our question about it had no answer. The report was answered with 200,
// "settled", so it was not sent again, and nothing else looks at such a payment: the customer's money stayed
// (docs/payments.md).
test.each(['before', { kind: 'not_found', detail: 'not yet' }] as const)(
  'a report of money for a failed payment is wanted again while its record is not known: %s',
  async (fault) => {
    const { provider } = booked()
    const { order_uuid, payment_uuid } = await givenUpPayment(database, booked())
    await performDue(database.db, providersOf({ sandbox: provider }))
    expect(await tasksOf(database.db, order_uuid)).toEqual(['give_back done'])
    provider.arrive(payment_uuid)
    provider.faults.query = [fault]
    expect(await report(payment_uuid)).toBe('open')
    expect(await report(payment_uuid)).toBe('settled')
    await performDue(database.db, providersOf({ sandbox: provider }))
    expect(provider.kept_halalas).toBe(0)
    expect(await report(payment_uuid)).toBe('settled')
  },
)
