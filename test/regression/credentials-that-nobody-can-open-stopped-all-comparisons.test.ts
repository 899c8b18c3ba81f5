import { expect, test } from 'vitest'
import { setAccount } from '../../src/features/merchants/payment-credentials.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { app_noon, oneShop } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { confirm, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { pointsOf } from '../support/orders.ts'
import { paymentsOn, reconcilePayments, releaseExpired } from '../support/payments.ts'
import { secret_key } from '../support/secret-key.ts'

// Credentials that neither secret key opens, which a rotation counts as unreadable, failed the whole round that came to a payment
// of their merchant: no payment behind it was compared, of any merchant, so no order was reversed. Points held for checkouts of
// that merchant were never released.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)
const payments = () =>
  paymentsOn(database.db, clock, { secret_key, environment: 'sandbox', public_url: 'https://nuqta.example' })

/** Moves a payment to another provider, whose credentials of this merchant are sealed under a key that is lost. */
async function takeBy(name: 'paytabs', { program_id, merchant_id }: { program_id: number; merchant_id: number }) {
  const secrets = createSecretBox('another-secret-key-of-forty-characters-or-so')
  const account = { provider: name, profile_id: '1', server_key: 'S' } as const
  await setAccount({ db: database.db, secrets }, { program_id, merchant_id }, account)
  const text = 'update order_payment set provider = $2 where program_id = $1'
  await database.owner.run({ text, values: [program_id, name] })
}

test('a payment that cannot be asked for is a finding, and the others are compared', async () => {
  const first = await paidCheckout(database.db, booked())
  const second = await paidCheckout(database.db, { ...booked(), shop: await oneShop(database.db) })
  await takeBy('paytabs', booked().shop.merchant)
  clock.advance(3_600)
  expect(await reconcilePayments({ db: database.db, clock, payments: payments() })).toMatchObject([
    {
      order_uuid: first.order_uuid,
      finding: 'not_answered',
      action: 'none',
      detail: expect.stringContaining('another key'),
    },
    { order_uuid: second.order_uuid, finding: 'missing', action: 'reversed' },
  ])
})

test('an expired checkout whose provider cannot be asked is released after ten minutes, as with one that is silent', async () => {
  const { services, shop } = booked()
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points: 500 })
  await takeBy('paytabs', shop.merchant)
  const failures: unknown[] = []
  clock.advance(40 * 60)
  await releaseExpired({ db: database.db, clock, payments: payments(), onError: (error) => failures.push(error) })
  expect(failures).toEqual([])
  expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 0])
})
