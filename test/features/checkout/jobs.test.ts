import { expect, it, vi } from 'vitest'
import { startCheckoutJobs } from '../../../src/features/checkout/jobs.ts'
import { createLog } from '../../../src/observability/log.ts'
import { app_noon, oneShop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import { paidCheckout } from '../../support/booked-shop.ts'
import { confirm, provenCheckout } from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { pointsOf, rowOf } from '../../support/orders.ts'
import { providersOf } from '../../support/payments.ts'

const database = testDatabase({ leaves: ['due payment tasks'] })
const patience = { timeout: 120_000, interval: 50 }

// Expiry and reconciliation run in the background, and log only ids.
it('the jobs release and reverse by themselves, and stop when asked', async () => {
  const clock = new TestClock(app_noon)
  const provider = new BookedProvider()
  const payments = providersOf({ sandbox: provider })
  const services = servicesOn(database.db, { clock, payments })
  const shop = await oneShop(database.db)

  const gone = await paidCheckout(database.db, { provider, services, shop })
  provider.books.delete(gone.payment_uuid)
  const expired = await provenCheckout(database.db, services, shop, { points: 1_000 })
  await confirm(services, expired, { points: 500 })
  clock.advance(3_600)

  const lines: string[] = []
  const log = createLog({ level: 'info', stream: { write: (line) => lines.push(line) } })
  const settings = { reconcile_grace_s: 3_600, checkout_retention_days: 30, checkout_store_bytes: 2 ** 30 }
  const stop = startCheckoutJobs({ db: database.db, clock, payments, log, ...settings })
  await vi.waitFor(async () => {
    expect(await pointsOf(database.db, shop.merchant, expired.phone)).toEqual([1_000, 0])
    expect(await rowOf(database.db, gone.order_uuid)).toMatchObject({ order_status: 'fully_refunded' })
  }, patience)
  await stop()

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      message: 'an order was reversed: its provider does not know the payment',
      order_uuid: gone.order_uuid,
      payment_uuid: gone.payment_uuid,
      finding: 'missing',
      action: 'reversed',
      provider_says: 'not_found: not in the books',
    },
  ])
  expect(lines.join('')).not.toContain(gone.phone)
})
