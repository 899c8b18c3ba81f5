import { beforeEach, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { AccountProvider } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import type { Finding } from '../../src/features/payments/reconciliation.ts'
import { accountId } from '../../src/providers/payment/account.ts'
import type { PaymentProviders } from '../../src/providers/payment/port.ts'
import type { Services } from '../../src/routes.ts'
import { oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { paidCheckout } from '../support/booked-shop.ts'
import { sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { eventNamesOf, pointsOf, rowOf } from '../support/orders.ts'
import { duePayments, performDue, reconcilePayments } from '../support/payments.ts'

// A payment that was made through one account at its provider, and is looked for in another: reconciliation took it for
// missing, reversed the paid order, and gave the points back. Refunds were refused for good.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })

const named = (profile_id: string) => accountId({ provider: 'paytabs', profile_id })
let own: BookedProvider
let deployment: BookedProvider
/** The one that is asked now: the merchant's own, until it is removed. */
let used: BookedProvider
let clock: TestClock
let shop: Shop
let payments: PaymentProviders
let services: Services

beforeEach(async () => {
  own = new BookedProvider({ id: named('1'), own: true })
  deployment = new BookedProvider({ id: named('2'), own: false })
  used = own
  payments = { of: async (_, name) => (name === 'paytabs' ? used : undefined) }
  // Ahead of the machine's clock, as a sandbox's may be.
  clock = new TestClock(after(new Date(), day_ms))
  services = servicesOn(database.db, { clock, payments })
  shop = await oneShop(database.db)
})

async function paidBy(flow: 'sale' | 'two_step', state: 'paid' | 'authorized') {
  await sellBy(database.owner, shop, 'paytabs', flow)
  return paidCheckout(database.db, { provider: used, services, shop }, { points: 500, state })
}

async function reconcile(order_uuid: Uuid): Promise<Finding[]> {
  clock.advance(3_600)
  const findings = await reconcilePayments({ db: database.db, clock, payments })
  return findings.filter((finding) => finding.order_uuid === order_uuid)
}

const collectedFor = (order_uuid: Uuid) =>
  database.db.run({
    text: 'select kind, amount_halalas from provider_money where program_id = $1 and order_uuid = $2',
    values: [shop.merchant.program_id, order_uuid],
  })

describe('an order that was paid through another account', () => {
  it.each([
    ['the merchant has removed its own', () => deployment],
    ['the merchant has replaced its own', () => new BookedProvider({ id: named('3'), own: true })],
  ])('is not reversed when %s', async (_, next) => {
    const { order_uuid, phone } = await paidBy('sale', 'paid')
    used = next()
    expect(await reconcile(order_uuid)).toMatchObject([{ finding: 'account_changed', action: 'none' }])
    expect((await rowOf(database.db, order_uuid))['order_status']).toBe('approved')
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
    expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([1_475, 0])
  })

  it('is not reversed when the deployment has changed its own', async () => {
    used = deployment
    const { order_uuid } = await paidBy('sale', 'paid')
    used = new BookedProvider({ id: named('4'), own: false })
    expect(await reconcile(order_uuid)).toMatchObject([{ finding: 'account_changed', action: 'none' }])
    expect((await rowOf(database.db, order_uuid))['order_status']).toBe('approved')
  })

  it('is reversed when the account that had the payment knows it no more', async () => {
    const { order_uuid, payment_uuid } = await paidBy('sale', 'paid')
    own.books.delete(payment_uuid)
    expect(await reconcile(order_uuid)).toMatchObject([{ finding: 'missing', action: 'reversed' }])
    expect((await rowOf(database.db, order_uuid))['order_status']).toBe('fully_refunded')
  })

  it('is not reversed when an older version has not recorded which account it was', async () => {
    const { order_uuid, payment_uuid } = await paidBy('sale', 'paid')
    await database.owner.run({
      text: 'update order_payment set provider_account = null, own_account = null where program_id = $1 and payment_uuid = $2',
      values: [shop.merchant.program_id, payment_uuid],
    })
    used = deployment
    expect(await reconcile(order_uuid)).toMatchObject([{ finding: 'account_changed', action: 'none' }])
  })

  it('is paid back once the credentials are set again', async () => {
    const { order_uuid, payment_uuid } = await paidBy('sale', 'paid')
    const { program_id } = shop.merchant
    used = deployment
    await services.refundOrder(shop.merchant, order_uuid, { amount_halalas: asHalalas(10_000), reason: null })
    await performDue(database.db, payments)
    expect((await duePayments(database.db, { program_id, order_uuid, payment_uuid })).legs).toEqual(['due'])
    used = own
    await performDue(database.db, payments, { at_ms: Date.now() + 3_600_000 })
    expect((await duePayments(database.db, { program_id, order_uuid, payment_uuid })).legs).toEqual(['done'])
    expect(own.kept_halalas).toBe(0)
  })
})

it('the money of a capture belongs to the account that authorised it', async () => {
  const { order_uuid } = await paidBy('two_step', 'authorized')
  used = deployment
  await services.moveOrder(shop.merchant, order_uuid, { action: 'capture' })
  expect(await collectedFor(order_uuid)).toEqual([])
  used = deployment
  const other = await paidBy('two_step', 'authorized')
  used = own
  await services.moveOrder(shop.merchant, other.order_uuid, { action: 'capture' })
  expect(await collectedFor(other.order_uuid)).toMatchObject([{ kind: 'collected' }])
})

it('accounts are distinguished by their identity, not by their user', () => {
  const id = (provider: AccountProvider, told: string, url?: string) =>
    provider === 'paytabs'
      ? accountId({ provider, profile_id: told, url })
      : accountId({ provider, secret_key: told, url })
  const ids = [id('paytabs', '1'), id('paytabs', '2'), id('paytabs', '1', 'https://other.example'), id('moyasar', '1')]
  expect(new Set(ids).size).toBe(4)
  expect(id('paytabs', '1')).toBe(ids[0])
  // PayTabs' key may be renewed, the profile stays.
  expect(accountId({ provider: 'paytabs', profile_id: '1', ...{ server_key: 'new' } })).toBe(ids[0])
})
