import { beforeEach, describe, expect, it } from 'vitest'
import texts from '../../dashboard/src/texts/en/operator/findings.json' with { type: 'json' }
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { createFindings } from '../../src/features/payments/findings.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { paymentOf, sellBy, tasksOf, viewOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { rowOf } from '../support/orders.ts'
import { performDue, providersOf, reconcilePayments } from '../support/payments.ts'

// A provider may refuse to collect what it holds. An hour later the order was reversed, but nobody voided the payment: it
// stayed held on the customer's card until the bank gave it up, and could still be collected for an order that was no more.

const database = testDatabase()
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

beforeEach(() => sellBy(database.owner, booked().shop, 'sandbox', 'two_step'))

const perform = (options: { readonly at_ms?: number } = {}) =>
  performDue(database.db, providersOf({ sandbox: booked().provider }), options)
const reconcile = () =>
  reconcilePayments({ db: database.db, clock, payments: providersOf({ sandbox: booked().provider }) })

/** An order of 100 SAR whose capture the provider refuses. */
async function refused() {
  const checkout = await paidCheckout(database.db, booked(), { points: 0, state: 'authorized' })
  booked().provider.faults.capture = [{ kind: 'refused', detail: 'risk' }]
  await booked().services.moveOrder(booked().shop.merchant, checkout.order_uuid, { action: 'capture' })
  await perform()
  return checkout
}

const findings = async () => {
  const list = await createFindings(database.db).list(booked().shop.merchant.program_id, undefined, {
    before: undefined,
    size: 10,
  })
  return list.map(({ kind, action, state }) => [kind, action, state]).sort()
}

it('voids the payment once the order is reversed', async () => {
  const checkout = await refused()
  expect(await findings()).toEqual([['capture_refused', 'none', 'open']])
  expect(booked().provider.kept_halalas).toBe(10_000)
  clock.advance(3_600)
  await reconcile()
  expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ order_status: 'fully_refunded' })
  await perform()
  expect(booked().provider.kept_halalas).toBe(0)
  expect(await tasksOf(database.db, checkout.order_uuid)).toEqual(['capture refused', 'void done'])
  expect(await paymentOf(database.db, checkout.order_uuid)).toMatchObject({ state: 'voided', error: 'reversed' })
  expect(await viewOf(booked().services, checkout)).toMatchObject({ payment: { error: 'reversed' }, going_back: [] })
  await reconcile()
  expect(await findings()).toEqual([
    ['capture_refused', 'none', 'resolved'],
    ['not_paid', 'reversed', 'open'],
  ])
  expect(await ledgerDifferences(database.owner)).toEqual([])
})

describe('that is refunded before the reversal', () => {
  const hours = (count: number) => ({ at_ms: Date.now() + count * 3_600_000 })
  const refund = async (order_uuid: Uuid, halalas: number | null) => {
    const amount_halalas = halalas === null ? null : asHalalas(halalas)
    await booked().services.refundOrder(booked().shop.merchant, order_uuid, { amount_halalas, reason: null })
    await perform(hours(1))
  }

  it('in full, voids the payment, since nobody has collected any to pay back', async () => {
    const checkout = await refused()
    await refund(checkout.order_uuid, null)
    expect(booked().provider.kept_halalas).toBe(0)
    expect(await tasksOf(database.db, checkout.order_uuid)).toEqual(['capture refused', 'refund done'])
    expect(await paymentOf(database.db, checkout.order_uuid)).toMatchObject({ state: 'voided' })
    await reconcile()
    expect(await findings()).toEqual([['capture_refused', 'none', 'resolved']])
    const { payment, order_status } = await viewOf(booked().services, checkout)
    expect([payment?.state, order_status]).toEqual(['voided', 'fully_refunded'])
    expect(await ledgerDifferences(database.owner)).toEqual([])
  })

  it('in full, does not void twice when the answer to the void was lost', async () => {
    const { order_uuid } = await refused()
    booked().provider.faults.void = ['after']
    await refund(order_uuid, null)
    await perform(hours(2))
    expect(booked().provider.calls.filter((call) => call === 'void')).toHaveLength(1)
    expect(await tasksOf(database.db, order_uuid)).toEqual(['capture refused', 'refund done'])
  })

  it('in part, leaves it to a person', async () => {
    const { order_uuid } = await refused()
    await refund(order_uuid, 4_000)
    expect(await tasksOf(database.db, order_uuid)).toEqual(['capture refused', 'refund refused'])
    expect(booked().provider.kept_halalas).toBe(10_000)
    // Nobody has collected it, so that the operator must not pay it.
    expect(texts.means_refund_refused).toContain('or release there what is only reserved')
  })
})

it('pays back money that somebody has collected at the provider meanwhile', async () => {
  const { order_uuid, payment_uuid } = await refused()
  clock.advance(3_600)
  await reconcile()
  booked().provider.arrive(payment_uuid, 'paid')
  await perform()
  expect(booked().provider.kept_halalas).toBe(0)
  expect(await paymentOf(database.db, order_uuid)).toMatchObject({ state: 'returned' })
})

it('voids nothing that is no longer held', async () => {
  const { order_uuid, payment_uuid } = await refused()
  booked().provider.arrive(payment_uuid, 'voided')
  clock.advance(3_600)
  await reconcile()
  expect(await tasksOf(database.db, order_uuid)).toEqual(['capture refused'])
})

it('reverses nothing that was collected by hand within the hour', async () => {
  const { order_uuid, payment_uuid } = await refused()
  booked().provider.arrive(payment_uuid, 'paid')
  clock.advance(3_600)
  await reconcile()
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'captured' })
  expect(await findings()).toEqual([['capture_refused', 'none', 'resolved']])
})
