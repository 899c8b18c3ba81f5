import { expect, test } from 'vitest'
import { app_noon, oneShop } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { rowOf } from '../support/orders.ts'
import { providersOf, providerThat, reconcilePayments } from '../support/payments.ts'

// An error at one payment ended the round, and the next round began with the same payment: no order behind it was ever reversed.

const database = testDatabase()
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

test('a payment that cannot be compared is reported after all others were compared', async () => {
  const { provider } = booked()
  const broken = await paidCheckout(database.db, booked())
  const lost = await paidCheckout(database.db, { ...booked(), shop: await oneShop(database.db) })
  provider.books.delete(lost.payment_uuid as never)
  const broken_query = providerThat({
    query: (asked) =>
      asked.payment_uuid === broken.payment_uuid ? Promise.reject(new Error('broken')) : provider.query(asked),
  })
  const payments = providersOf({ sandbox: broken_query })
  clock.advance(3_600)
  await expect(reconcilePayments({ db: database.db, clock, payments })).rejects.toThrow('broken')
  const stateOf = async ({ order_uuid }: { readonly order_uuid: string }) =>
    (await rowOf(database.db, order_uuid))['order_status']
  expect([await stateOf(broken), await stateOf(lost)]).toEqual(['approved', 'fully_refunded'])
})
