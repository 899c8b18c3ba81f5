import { expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { minute_ms } from '../../src/domain/spans.ts'
import { app_noon, oneShop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { paidCheckout } from '../support/booked-shop.ts'
import { sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { duePayments, performDue, providersOf } from '../support/payments.ts'

// A provider was away for hours. A refund that had waited behind its capture all that time looked at the record before the
// capture showed in it, and was refused for good because the refund itself was old: the customer's money never went back.

const database = testDatabase({ leaves: ['due payment tasks'] })

it('a refund that waited behind a late capture waits until the capture shows', async () => {
  const provider = new BookedProvider()
  const payments = providersOf({ sandbox: provider })
  const services = servicesOn(database.db, { clock: new TestClock(app_noon), payments })
  const shop = await oneShop(database.db)
  await sellBy(database.owner, shop, 'sandbox', 'two_step')
  const paid = { points: 500, state: 'authorized' } as const
  const { order_uuid, payment_uuid } = await paidCheckout(database.db, { provider, services, shop }, paid)
  await services.moveOrder(shop.merchant, order_uuid, { action: 'capture' })
  const asked = { amount_halalas: asHalalas(4_000), reason: null }
  await services.refundOrder(shop.merchant, order_uuid, asked)

  const { program_id } = shop.merchant
  const stateOf = () => duePayments(database.db, { program_id, order_uuid, payment_uuid })
  let at_ms = Date.now()
  const performAfter = (minutes: number) => {
    at_ms += minutes * minute_ms
    return performDue(database.db, payments, { at_ms })
  }
  // The record does not show the capture at once.
  const capture = provider.capture.bind(provider)
  provider.capture = async (captured) => {
    const done = await capture(captured)
    provider.arrive(payment_uuid, 'authorized')
    return done
  }
  provider.down = true
  await performAfter(0)
  provider.down = false
  await performAfter(180)
  expect((await stateOf()).tasks).toEqual(['capture done', 'refund due'])

  provider.arrive(payment_uuid, 'paid')
  await performAfter(5)
  expect(await stateOf()).toEqual({ payment: 'paid', tasks: ['capture done', 'refund done'], legs: ['done'] })
})
