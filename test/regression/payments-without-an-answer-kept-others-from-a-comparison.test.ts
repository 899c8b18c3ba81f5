import { expect, test } from 'vitest'
import { createReconcile } from '../../src/features/payments/reconciliation.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { rowOf } from '../support/orders.ts'
import { providersOf, providerThat } from '../support/payments.ts'

// A run asks a merchant's provider no more after five payments without an answer, and each run began with the same payments. Five
// that never had one kept all others of the merchant from being compared, and none was reversed.

const database = testDatabase()
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)
/** As many as a run asks for until it stops. */
const without_answer = 8

test('the next run begins behind the payments that had no answer, and the one after it begins anew', async () => {
  const { provider } = booked()
  const paid: Awaited<ReturnType<typeof paidCheckout>>[] = []
  for (let n = 0; n <= without_answer; n += 1) paid.push(await paidCheckout(database.db, booked(), { points: 0 }))
  const odd = new Set<string>(paid.slice(0, without_answer).map(({ payment_uuid }) => payment_uuid))
  const lost = paid[without_answer]
  if (lost === undefined) throw new Error('no payment is lost')
  provider.books.delete(lost.payment_uuid as never)
  const asked: string[] = []
  const sandbox = providerThat({
    async query(one) {
      asked.push(one.payment_uuid)
      return odd.has(one.payment_uuid) ? { kind: 'unknown', detail: 'HTTP 500' } : provider.query(one)
    },
  })
  clock.advance(3_600)
  const reconcile = createReconcile({
    ...{ db: database.db, clock, grace_s: 3_600, payments: providersOf({ sandbox }) },
  })
  const run = async () => {
    asked.length = 0
    await reconcile(() => undefined)
    return [...asked]
  }
  expect(await run()).toEqual([...odd])
  expect(await run()).toEqual([lost.payment_uuid])
  expect((await rowOf(database.db, lost.order_uuid))['order_status']).toBe('fully_refunded')
  expect(await run()).toEqual([...odd])
})
