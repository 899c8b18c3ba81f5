import { expect, it } from 'vitest'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { readOrderDetail } from '../../src/features/orders/dashboard-detail.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { eventsOf } from '../support/orders.ts'
import { providersOf, reconcilePayments } from '../support/payments.ts'
import { secret_key } from '../support/secret-key.ts'

// The reason of an automatic reversal is the service's own, but an erasure took it like those that people write. The page of the
// order then told a refund, as if the merchant had given money back, and a webhook that was sent again gave no reason.

const database = testDatabase()
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

it('a reversal is still told as one after its customer is erased', async () => {
  const { provider, shop } = booked()
  const { program_id } = shop.merchant
  const { order_uuid, payment_uuid, phone } = await paidCheckout(database.db, booked())
  provider.books.delete(payment_uuid)
  clock.advance(3_600)
  await reconcilePayments({ db: database.db, clock, payments: providersOf({ sandbox: provider }) })
  const told = async () => {
    const { timeline } = await readOrderDetail(database.db, clock, shop.merchant, order_uuid)
    const events = await eventsOf(database.db, order_uuid)
    return [timeline.at(-1), events.at(-1)?.payload['reason']]
  }
  const before = await told()
  expect(before).toMatchObject([{ what: 'auto_refunded' }, 'auto_refund_missing_transaction'])
  const parts = {
    owner: database.owner,
    secrets: createSecretBox(secret_key),
    by: { source: 'command', name: 'Sara' },
  } as const
  await eraseCustomer(parts, { program_id, phone, typed: phone })
  expect(await told()).toEqual(before)
})
