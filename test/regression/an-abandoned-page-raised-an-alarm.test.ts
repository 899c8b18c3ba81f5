import { beforeEach, expect, test } from 'vitest'
import { hour_ms } from '../../src/domain/spans.ts'
import { readTasksDue } from '../../src/features/payments/tasks.ts'
import type { PaymentError } from '../../src/providers/payment/port.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, givenUpPayment } from '../support/booked-shop.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { performDue, providersOf } from '../support/payments.ts'

const database = testDatabase({ leaves: ['due payment tasks'] })
const clock = new TestClock(app_noon)
const unsupported: PaymentError = { kind: 'unsupported', detail: 'a payment page ends by itself' }
const booked = bookedShop(database, clock)

beforeEach(() => database.owner.script('delete from payment_task'))

/** Gives up a payment whose page is open. The provider cannot end the page. */
async function abandoned(): Promise<string> {
  const { payment_uuid } = await givenUpPayment(database, booked())
  booked().provider.faults.void = [unsupported, unsupported]
  return payment_uuid
}

const work = (at_ms: number) => performDue(database.db, providersOf({ sandbox: booked().provider }), { at_ms })
const dueAt = (at_ms: number) => readTasksDue(database.db, new Date(at_ms))

// What went wrong: PayTabs cannot end a page, so the task for one that a customer has abandoned stays due for a day. It counted
// as a capture, void or refund that has not reached its provider, and the critical alert NuqtaPaymentsLate never ended in a shop
// whose customers sometimes leave.
test('a task that waits for an abandoned page to end is due, and not late', async () => {
  await abandoned()
  const later = Date.now() + hour_ms
  await work(Date.now())
  await work(later)
  expect(await dueAt(later)).toEqual({ tasks: 1, oldest_s: 0 })
})

test('a task that was not tried, or whose provider did not answer, is late', async () => {
  const payment_uuid = await abandoned()
  const later = Date.now() + hour_ms
  expect((await dueAt(later)).oldest_s).toBeGreaterThan(3_000)
  await work(Date.now())
  const { provider } = booked()
  provider.arrive(payment_uuid)
  provider.faults.refund = ['before']
  await work(later)
  expect(await dueAt(later)).toMatchObject({ tasks: 1, oldest_s: expect.closeTo(3_600, -2) })
})
