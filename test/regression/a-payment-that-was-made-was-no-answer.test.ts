import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { createReleaseExpired } from '../../src/features/checkout/expiry.ts'
import { findPayment, type OwnedPayment } from '../../src/features/orders/payment-queries.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop } from '../support/booked-shop.ts'
import { confirm, paymentOf, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'

// A round of expiry asks a merchant's provider no more after five queries without an answer. A payment that it found paid did not
// begin that count anew: a provider that answered every fifth time was taken for silent, and points were released late.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

test('a payment that is found paid or authorised is an answer of its provider', async () => {
  const { services, shop } = booked()
  const payments = new Map<string, OwnedPayment>()
  const { program_id } = shop.merchant
  for (let n = 0; n < 20; n += 1) {
    const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
    await confirm(services, checkout, { points: 500 })
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    const payment = await database.db.one(findPayment(program_id, payment_uuid as Uuid))
    if (payment !== undefined) payments.set(payment.payment_uuid, payment)
  }
  clock.advance(30 * 60)
  let asked = 0
  const release = createReleaseExpired({
    ...{ db: database.db, clock },
    // At once, so that the answers come in their order.
    async askProvider(_, payment_uuid) {
      asked += 1
      const payment = payments.get(payment_uuid)
      if (payment === undefined) throw new Error('there is no such payment')
      if (asked % 5 !== 0) return { payment, answer: 'nothing' }
      return { payment: { ...payment, state: asked % 10 === 0 ? 'paid' : 'authorized' }, answer: 'record' }
    },
  })
  expect(await release()).toEqual({ released: 0, paid: 4, left: 16 })
  expect(asked).toBe(20)
})
