import { beforeEach, describe, expect, it } from 'vitest'
import { asHalalas } from '../../../src/domain/money.ts'
import type { Finding } from '../../../src/features/payments/reconciliation.ts'
import type { PaymentProviders } from '../../../src/providers/payment/port.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import { paidCheckout } from '../../support/booked-shop.ts'
import {
  confirm,
  paymentOf,
  provenCheckout,
  sellBy,
  settle,
  type TestCheckout,
  viewOf,
} from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { eventsOf, everythingOf, pointsOf, rowOf } from '../../support/orders.ts'
import { performDue, providersOf, reconcilePayments } from '../../support/payments.ts'
import { settleMerchant } from '../../support/settlement.ts'

// An order is reversed in full when its provider does not know the payment an hour after it was paid; a provider that does not
// answer reverses nothing (docs/spec/payments.md#automatic-reversal).

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const hour = 3_600
let clock: TestClock
let provider: BookedProvider
let services: Services
let shop: Shop

beforeEach(async () => {
  clock = new TestClock(app_noon)
  provider = new BookedProvider()
  services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider }) })
  shop = await oneShop(database.db)
})

/** Runs once, and gives the findings of this test's program. Skips payments of other tests. */
async function reconcile({
  name = 'sandbox',
}: {
  readonly name?: 'sandbox' | 'paytabs' | 'none'
} = {}): Promise<Finding[]> {
  const { program_id } = shop.merchant
  const payments: PaymentProviders = {
    of: async (owner, asked) => (owner.program_id === program_id && asked === name ? provider : undefined),
  }
  const findings = await reconcilePayments({ db: database.db, clock, payments })
  return findings.filter((finding) => finding.program_id === program_id)
}

type Paid = TestCheckout & { readonly payment_uuid: string }

/** An order of 100 SAR, paid in the checkout with 500 of the customer's 1,000 points and 97.50 SAR. */
const paid = (state: 'paid' | 'authorized' = 'paid'): Promise<Paid> =>
  paidCheckout(database.db, { provider, services, shop }, { points: 500, state })

const loseRecord = ({ payment_uuid }: Paid) => provider.books.delete(payment_uuid as never)
const statusOf = async ({ order_uuid }: Paid) => (await rowOf(database.db, order_uuid))['order_status']
const balanceOf = ({ phone }: Paid) => pointsOf(database.db, shop.merchant, phone)

describe('a payment that its provider does not know', () => {
  it('reverses the order in full: all points, one event, and no request to the provider', async () => {
    const order = await paid()
    expect(await balanceOf(order)).toEqual([1_475, 0])
    loseRecord(order)
    clock.advance(hour)
    const asked = provider.calls.length
    expect(await reconcile()).toMatchObject([
      {
        merchant_id: shop.merchant.merchant_id,
        order_uuid: order.order_uuid,
        payment_uuid: order.payment_uuid,
        provider: 'sandbox',
        amount: 97.5,
        finding: 'missing',
        action: 'reversed',
        refund_amount: 100,
        refund_points: 500,
        reversed_points: 975,
      },
    ])
    expect(provider.calls.slice(asked)).toEqual(['query'])
    expect(await balanceOf(order)).toEqual([1_000, 0])
    expect(await rowOf(database.db, order.order_uuid)).toMatchObject({
      order_status: 'fully_refunded',
      refunded_halalas: 10_000,
      returned_points: 500,
      reversed_points: 975,
    })
    const [, event, ...more] = await eventsOf(database.db, order.order_uuid)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      name: 'auto_refunded',
      payload: {
        reason: 'auto_refund_missing_transaction',
        refund_amount: 100,
        refund_points: 500,
        order_status: 'fully_refunded',
        total_points: 500,
      },
    })
    expect(await paymentOf(database.db, order.order_uuid)).toMatchObject({ state: 'failed', error: 'reversed' })
  })

  it.each(['failed', 'voided', 'pending'] as const)('to be paid, but as %s, reverses the order too', async (state) => {
    const order = await paid()
    provider.arrive(order.payment_uuid, state)
    clock.advance(hour)
    expect(await reconcile()).toMatchObject([{ finding: 'not_paid', action: 'reversed' }])
    expect(await statusOf(order)).toBe('fully_refunded')
  })

  it('is not queried before the grace period is over, to the second', async () => {
    const order = await paid()
    loseRecord(order)
    clock.advance(hour - 1)
    expect(await reconcile()).toEqual([])
    expect(provider.calls.filter((call) => call === 'query').length).toBe(1)
    clock.advance(1)
    expect(await reconcile()).toMatchObject([{ action: 'reversed' }])
  })

  it('reverses an order once, however many runs compare it', async () => {
    const order = await paid()
    loseRecord(order)
    clock.advance(hour)
    const runs = (await Promise.all(Array.from({ length: 5 }, () => reconcile()))).flat()
    expect(runs.filter(({ action }) => action === 'reversed').length).toBe(1)
    expect(await reconcile()).toEqual([])
    expect((await eventsOf(database.db, order.order_uuid)).map(({ name }) => name)).toEqual([
      'approved',
      'auto_refunded',
    ])
    expect(await balanceOf(order)).toEqual([1_000, 0])
  })

  it('makes the wallet negative where the earned points are spent', async () => {
    const order = await paid()
    const elsewhere = await provenCheckout(database.db, services, shop, { phone: order.phone, total: 700 })
    await confirm(services, elsewhere, { points: 1_400, total: 700 })
    loseRecord(order)
    clock.advance(hour)
    await reconcile()
    expect(await balanceOf(order)).toEqual([1_475 - 1_400 + 500 - 975, 0])
  })

  it('is given back when it turns up later', async () => {
    const order = await paid()
    const booked = provider.books.get(order.payment_uuid as never)
    loseRecord(order)
    clock.advance(hour)
    await reconcile()
    if (booked === undefined) throw new Error('nothing was paid')
    provider.books.set(order.payment_uuid as never, booked)
    expect(await settle(services, shop, order.payment_uuid)).toBe('surplus')
    await performDue(database.db, providersOf({ sandbox: provider }), { clock })
    expect(provider.kept_halalas).toBe(0)
    expect((await viewOf(services, order)).going_back).toMatchObject([{ state: 'returned' }])
  })
})

describe('a payment that its provider knows', () => {
  it('is correct, and is not queried again', async () => {
    const order = await paid()
    clock.advance(hour)
    const before = await everythingOf(database.db, order.order_uuid)
    expect(await reconcile()).toEqual([])
    const asked = provider.calls.length
    expect(await reconcile()).toEqual([])
    expect(provider.calls.length).toBe(asked)
    expect(await everythingOf(database.db, order.order_uuid)).toEqual(before)
  })

  it('with another amount is reported, and reverses nothing', async () => {
    const order = await paid()
    provider.arrive(order.payment_uuid, 'paid', 9_000)
    clock.advance(hour)
    expect(await reconcile()).toMatchObject([{ finding: 'amount_differs', action: 'none', detail: 'paid, 90.00 SAR' }])
    expect(await statusOf(order)).toBe('approved')
  })

  it('and has refunded by itself is reported, and reverses nothing', async () => {
    const order = await paid()
    const booked = provider.books.get(order.payment_uuid as never)
    if (booked !== undefined) booked.refunded_halalas = 9_750
    clock.advance(hour)
    expect(await reconcile()).toMatchObject([
      { finding: 'refunded_elsewhere', action: 'none', detail: 'paid, 97.50 SAR, 97.50 SAR paid back' },
    ])
    expect(await statusOf(order)).toBe('approved')
  })
})

describe('a provider that does not answer', () => {
  it.each([
    ['is out of reach', { kind: 'unknown', detail: 'no answer' }],
    ['does not accept our credentials', { kind: 'credentials', detail: 'refused' }],
    ['answers what cannot be understood', { kind: 'refused', detail: 'no' }],
  ] as const)('because it %s reverses nothing, and is asked again', async (_, fault) => {
    const order = await paid()
    loseRecord(order)
    clock.advance(hour)
    provider.faults.query = [fault]
    const before = await everythingOf(database.db, order.order_uuid)
    expect(await reconcile()).toMatchObject([
      { finding: 'not_answered', action: 'none', detail: `${fault.kind}: ${fault.detail}` },
    ])
    expect(await everythingOf(database.db, order.order_uuid)).toEqual(before)
    expect(await reconcile()).toMatchObject([{ finding: 'missing', action: 'reversed' }])
  })

  it('because it cannot be called reverses nothing', async () => {
    const order = await paid()
    clock.advance(hour)
    expect(await reconcile({ name: 'none' })).toMatchObject([{ finding: 'not_answered', action: 'none' }])
    expect(await statusOf(order)).toBe('approved')
  })

  it('is asked only a few times in one run', async () => {
    const orders: Paid[] = []
    for (let number = 0; number < 10; number += 1) orders.push(await paid())
    clock.advance(hour)
    provider.down = true
    const asked = provider.calls.length
    expect((await reconcile()).map(({ finding }) => finding)).toEqual(orders.map(() => 'not_answered'))
    expect(provider.calls.length - asked).toBeLessThan(10)
  })
})

describe('an order in two steps', () => {
  beforeEach(() => sellBy(database.owner, shop, 'sandbox', 'two_step'))

  const performTasks = () => performDue(database.db, providersOf({ sandbox: provider }), { clock })

  it('is not compared while it is only authorised', async () => {
    const order = await paid('authorized')
    loseRecord(order)
    clock.advance(48 * hour)
    expect(await reconcile()).toEqual([])
    expect(await statusOf(order)).toBe('authorized')
  })

  it('whose capture is still due is captured, not reversed', async () => {
    const order = await paid('authorized')
    await services.moveOrder(shop.merchant, order.order_uuid, { action: 'capture' })
    clock.advance(2 * hour)
    expect(await reconcile()).toMatchObject([{ finding: 'capture_due', action: 'none' }])
    expect(await statusOf(order)).toBe('captured')
    await performTasks()
    clock.advance(hour)
    expect(await reconcile()).toEqual([])
    expect(await paymentOf(database.db, order.order_uuid)).toMatchObject({ state: 'paid', error: null })
  })

  it('whose capture the provider refused is reversed: it was not paid', async () => {
    const order = await paid('authorized')
    await services.moveOrder(shop.merchant, order.order_uuid, { action: 'capture' })
    provider.arrive(order.payment_uuid, 'voided')
    await performTasks()
    clock.advance(hour)
    expect(await reconcile()).toMatchObject([{ finding: 'not_paid', action: 'reversed' }])
    expect(await balanceOf(order)).toEqual([1_000, 0])
    expect((await eventsOf(database.db, order.order_uuid)).map(({ name }) => name)).toEqual([
      'authorized',
      'captured',
      'auto_refunded',
    ])
  })

  it('whose capture was refused at once is reversed only after the hour', async () => {
    const order = await paid('authorized')
    clock.advance(48 * hour)
    provider.arrive(order.payment_uuid, 'voided')
    await services.moveOrder(shop.merchant, order.order_uuid, { action: 'capture' })
    await performTasks()
    clock.advance(hour - 1)
    expect(await reconcile()).toEqual([])
    clock.advance(1)
    expect(await reconcile()).toMatchObject([{ finding: 'not_paid', action: 'reversed' }])
  })

  it('is compared an hour after its capture, not after its authorisation', async () => {
    const order = await paid('authorized')
    clock.advance(48 * hour)
    await services.moveOrder(shop.merchant, order.order_uuid, { action: 'capture' })
    await performTasks()
    loseRecord(order)
    clock.advance(hour - 1)
    expect(await reconcile()).toEqual([])
    clock.advance(1)
    expect(await reconcile()).toMatchObject([{ finding: 'missing', action: 'reversed' }])
  })
})

describe('an order that has changed meanwhile', () => {
  it('partly refunded, is reported and stays: only approved and captured orders can be reversed', async () => {
    const order = await paid()
    loseRecord(order)
    await services.refundOrder(shop.merchant, order.order_uuid, { amount_halalas: asHalalas(4_000), reason: null })
    clock.advance(hour)
    const before = await everythingOf(database.db, order.order_uuid)
    expect(await reconcile()).toMatchObject([{ finding: 'missing', action: 'none' }])
    expect(await everythingOf(database.db, order.order_uuid)).toEqual(before)
  })

  it('refunded in full, is not compared', async () => {
    const order = await paid()
    loseRecord(order)
    await services.refundOrder(shop.merchant, order.order_uuid, { amount_halalas: null, reason: null })
    clock.advance(hour)
    expect(await reconcile()).toEqual([])
    const [payment] = await database.db.run<{ reconciled_at: Date | null }>({
      text: 'select reconciled_at from order_payment where order_uuid = $1',
      values: [order.order_uuid],
    })
    expect(payment).toEqual({ reconciled_at: clock.now() })
  })

  it('settled, is reversed all the same, and the closed settlement does not change', async () => {
    const order = await paid()
    await settleMerchant(database.db, clock, shop.merchant)
    loseRecord(order)
    clock.advance(60 * 24 * hour)
    expect(await reconcile()).toMatchObject([{ finding: 'missing', action: 'reversed' }])
    expect(await rowOf(database.db, order.order_uuid)).toMatchObject({
      order_status: 'fully_refunded',
      refunded_late: true,
    })
    expect(await services.readOrder(shop.merchant, order.order_uuid)).toMatchObject({ settled: true })
  })

  it('completed by the merchant, is not compared', async () => {
    const checkout = await provenCheckout(database.db, services, shop)
    await confirm(services, checkout, { points: 500 })
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' })
    clock.advance(2 * hour)
    expect(await reconcile()).toEqual([])
    expect((await rowOf(database.db, checkout.order_uuid))['order_status']).toBe('approved')
  })

  it('refunded at the same moment, is either refunded or reversed, never both', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const order = await paid()
      loseRecord(order)
      clock.advance(hour)
      const asked = { amount_halalas: null, reason: null }
      const refund = () => services.refundOrder(shop.merchant, order.order_uuid, asked).catch(() => undefined)
      await Promise.all(turn % 2 === 0 ? [refund(), reconcile()] : [reconcile(), refund()])
      expect(await balanceOf(order)).toEqual([1_000, 0])
      expect((await eventsOf(database.db, order.order_uuid)).length).toBe(2)
    }
  })
})
