import { expect, test } from 'vitest'
import { createReceiveReports, most_reports } from '../../src/features/payments/reports.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, givenUpPayment } from '../support/booked-shop.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { elapsedTime } from '../support/elapsed.ts'
import { performDue, providersOf, providerThat } from '../support/payments.ts'

// The browser of a customer brings a signed form back from PayTabs. Sent to the address of reports, it is a genuine report, and
// each copy of it queried the provider: after a declined payment a customer could do so without end, until the provider refused
// everybody.

const database = testDatabase()
const booked = bookedShop(database, new TestClock(app_noon))
const elapsed = elapsedTime()

test('reports of one payment query the provider a few times a minute, and the others are wanted again', async () => {
  const { provider, services, shop } = booked()
  const [one, other] = [await givenUpPayment(database, booked()), await givenUpPayment(database, booked())]
  await performDue(database.db, providersOf({ sandbox: provider }))
  const { ofPayment } = createReceiveReports({
    db: database.db,
    payments: providersOf({ sandbox: providerThat({ isGenuine: () => true }) }),
    askProvider: services.askProvider,
  })
  const { program_id } = shop.merchant
  const report = ({ payment_uuid }: typeof one) =>
    ofPayment(payment_uuid, { provider: 'sandbox', program_id, body: Buffer.alloc(0), headers: {}, query: {} })
  const asked = () => provider.calls.filter((call) => call === 'query').length
  const before = asked()

  const received = await Promise.all(Array.from({ length: most_reports + 5 }, () => report(one)))
  expect(asked() - before).toBe(most_reports)
  expect(received.filter((each) => each === 'open')).toHaveLength(5)
  expect(await report(other)).toBe('settled')

  elapsed.pass(60_001)
  expect(await report(one)).toBe('settled')
})
