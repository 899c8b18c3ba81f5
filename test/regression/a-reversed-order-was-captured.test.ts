import { expect, it } from 'vitest'
import { app_noon } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { paymentOf, sellBy, tasksOf, viewOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { rowOf } from '../support/orders.ts'
import { performDue, providersOf, reconcilePayments } from '../support/payments.ts'

// A capture waited for a provider that was away. The provider then knew no such payment, so the order was reversed; the capture
// still waited, and once the payment was there again, it took the customer's money for an order that was no more.

const database = testDatabase()
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

it.each([
  ['authorized', ['query', 'void']],
  ['paid', ['query', 'refund']],
] as const)('money of a reversed order that turns up %s goes back', async (state, calls) => {
  const { provider, services, shop } = booked()
  await sellBy(database.owner, shop, 'sandbox', 'two_step')
  const checkout = await paidCheckout(database.db, booked(), { points: 500, state: 'authorized' })
  const { order_uuid, payment_uuid } = checkout
  const payments = providersOf({ sandbox: provider })
  await services.moveOrder(shop.merchant, order_uuid, { action: 'capture' })
  provider.down = true
  await performDue(database.db, payments)
  provider.down = false

  const record = provider.books.get(payment_uuid)
  if (record === undefined) throw new Error('nothing was reserved')
  provider.books.delete(payment_uuid)
  clock.advance(3_600)
  expect(await reconcilePayments({ db: database.db, clock, payments })).toMatchObject([{ action: 'reversed' }])

  provider.books.set(payment_uuid, { ...record, state })
  const asked = provider.calls.length
  await performDue(database.db, payments, { clock, at_ms: Date.now() + 3_600_000 })
  expect(provider.calls.slice(asked)).toEqual(calls)
  expect(provider.kept_halalas).toBe(0)
  expect(await tasksOf(database.db, order_uuid)).toEqual(['capture done'])
  expect(await paymentOf(database.db, order_uuid)).toMatchObject({ state: 'returned', error: 'reversed' })
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'fully_refunded' })
  expect((await viewOf(services, checkout)).going_back).toMatchObject([{ state: 'returned' }])
})
