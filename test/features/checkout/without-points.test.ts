import { beforeAll, describe, expect, it } from 'vitest'
import type { Phone } from '../../../src/domain/phone.ts'
import { terms } from '../../../src/domain/terms.ts'
import { newSecretText } from '../../../src/lib/ids.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import {
  change,
  confirm,
  formOf,
  type OpenLink,
  openedCheckout,
  paymentOf,
  paymentsOf,
  provenCheckout,
  resume,
  sellBy,
  settle,
  type TestCheckout,
  viewOf,
} from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOf, freshPhone, inProgram, TestClock, walletOf } from '../../support/earnings.ts'
import { ledgerDifferences } from '../../support/ledger.ts'
import { customerWith, eventNamesOf, pointsOf, rowOf } from '../../support/orders.ts'
import { providersOf, reconcilePayments, releaseExpired } from '../../support/payments.ts'

// A customer who goes on without points pays with money alone, and the order earns for the number that the store sent
// (docs/spec/checkout.md#without-points). Orders are of 100 SAR, which earn 1,000 points.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks', 'due messages'] })
const clock = new TestClock(app_noon)
const provider = new BookedProvider()
const payments = providersOf({ sandbox: provider, merchant: provider })
let one: Services
let two: Services
let shop: Shop
let collecting: Shop
let strict: Shop

beforeAll(async () => {
  one = servicesOn(database.connect({ size: 4 }), { clock, payments })
  two = servicesOn(database.connect({ size: 4 }), { clock, payments })
  shop = await oneShop(database.db)
  collecting = await oneShop(database.db)
  strict = await oneShop(database.db)
  await sellBy(database.owner, collecting, 'merchant')
  await database.owner.run({
    text: "update program set activation = 'required' where program_id = $1",
    values: [strict.merchant.program_id],
  })
})

const goOn = async (link: OpenLink, services = one, joining: { name: string; terms_version: string } | null = null) =>
  services.continueWithoutPoints(await formOf(services, link), joining)

/** A checkout that was continued without points and paid. */
async function paid(at: Shop, given: Phone | null, joining: { name: string; terms_version: string } | null = null) {
  const checkout = await openedCheckout(one, at, { given })
  expect((await goOn(checkout, one, joining)).kind).toBe('payment')
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  provider.arrive(payment_uuid)
  expect(await settle(one, at, payment_uuid)).toBe('paid')
  return { ...checkout, payment_uuid }
}

const customerOf = (at: Shop, phone: Phone) => walletOf(database.db, at.merchant.program_id, phone)
const refund = (at: Shop, order_uuid: TestCheckout['order_uuid'], halalas: number | null) =>
  one.refundOrder(at.merchant, order_uuid, { amount_halalas: halalas as never, reason: null })

describe('a customer without points', () => {
  it('pays the full amount and sees no customer data; the customer of the store’s number earns', async () => {
    const given = await customerWith(database.db, shop.merchant, { points: 700 })
    const checkout = await openedCheckout(one, shop, { given })
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'identify', may_continue: true, continued: false })
    expect((await goOn(checkout)).kind).toBe('payment')
    expect(await paymentsOf(database.db, checkout.order_uuid)).toMatchObject([{ amount_halalas: 10_000 }])
    const nothing = { proven_phone: null, customer: null, points_used: 0, due_halalas: 10_000 }
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'pay', continued: true, may_continue: false, ...nothing })
    // Anyone with the link may pay: no points are at stake.
    const elsewhere = { ...checkout, browser: newSecretText() }
    expect(await viewOf(one, elsewhere)).toMatchObject({ step: 'pay', ...nothing })
    expect((await resume(one, elsewhere)).kind).toBe('payment')
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    provider.arrive(payment_uuid)
    await settle(one, shop, payment_uuid)
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'finished', ...nothing, earned_points: 1_000 })
    expect(await pointsOf(database.db, shop.merchant, given)).toEqual([1_700, 0])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
  })

  it('earns nothing where the store sent no number', async () => {
    const { order_uuid } = await paid(shop, null)
    expect(await rowOf(database.db, order_uuid)).toMatchObject({
      order_status: 'approved',
      customer_id: null,
      earned_points: 0,
    })
    expect(await refund(shop, order_uuid, 4_000)).toMatchObject({ order_status: 'partially_refunded' })
    expect(await refund(shop, order_uuid, null)).toMatchObject({ order_status: 'fully_refunded' })
  })

  it('becomes a customer by paying, with the name that the store sent', async () => {
    const given = freshPhone()
    const { order_uuid } = await paid(shop, given)
    expect(await customerOf(shop, given)).toMatchObject({ status: 'active', name: null, posted: 1_000 })
    await refund(shop, order_uuid, 3_333)
    expect(await customerOf(shop, given)).toMatchObject({ posted: 667 })
    await refund(shop, order_uuid, null)
    expect(await customerOf(shop, given)).toMatchObject({ posted: 0 })
  })

  it('may join on the way: name and consent count once the order is paid, and only for a new customer', async () => {
    const joining = { name: 'Sara', terms_version: terms.version }
    const given = freshPhone()
    const checkout = await openedCheckout(one, shop, { given })
    await goOn(checkout, one, joining)
    expect(await customerOf(shop, given)).toBeUndefined()
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    provider.arrive(payment_uuid)
    await settle(one, shop, payment_uuid)
    expect(await customerOf(shop, given)).toMatchObject({ status: 'active', name: 'Sara', posted: 1_000 })
    await paid(shop, given, { ...joining, name: 'Somebody else' })
    expect(await customerOf(shop, given)).toMatchObject({ name: 'Sara', posted: 2_000 })
    const consents = await database.db.run({
      text: `select terms_version, locale, source from consent join customer using (program_id, customer_id) where phone = $1`,
      values: [given],
    })
    expect(consents).toEqual([{ terms_version: terms.version, locale: 'en', source: 'checkout' }])
  })

  it('cannot skip the code for an order of 0 SAR', async () => {
    const checkout = await openedCheckout(one, shop, { total: 0, given: freshPhone() })
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'identify', may_continue: false })
    expect(await goOn(checkout)).toEqual({ kind: 'changed' })
    expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ order_status: 'new' })
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual([])
  })

  it('changes nothing that another browser has confirmed with points', async () => {
    const checkout = await provenCheckout(database.db, one, shop, { points: 1_000 })
    await confirm(one, checkout, { points: 400 })
    const other = { ...checkout, browser: newSecretText() }
    expect(await viewOf(one, other)).toMatchObject({ step: 'identify', may_continue: false })
    expect(await goOn(other)).toEqual({ kind: 'changed' })
    expect(await goOn(checkout)).toEqual({ kind: 'changed' })
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 400])
  })

  it('holds nothing and changes nothing where the provider cannot be called', async () => {
    const without = servicesOn(database.db, { clock, payments: providersOf({}) })
    const checkout = await openedCheckout(one, shop, { given: freshPhone() })
    expect(await goOn(checkout, without)).toEqual({ kind: 'payment failed', error: 'unavailable' })
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'identify', may_continue: true })
    expect(await paymentsOf(database.db, checkout.order_uuid)).toEqual([])
  })

  it('may be new, prove a number and still not join', async () => {
    const given = freshPhone()
    const checkout = await provenCheckout(database.db, one, shop, { phone: freshPhone(), given })
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'onboard', may_continue: true })
    expect((await goOn(checkout)).kind).toBe('payment')
    expect((await viewOf(one, checkout)).step).toBe('pay')
    expect(await customerOf(shop, checkout.phone)).toBeUndefined()
  })
})

describe('where customers activate themselves', () => {
  it('a new customer is invited, the points earned wait in the wallet, and a refund takes its share', async () => {
    const given = freshPhone()
    const { order_uuid } = await paid(strict, given)
    expect(await customerOf(strict, given)).toMatchObject({ status: 'invited', posted: 1_000 })
    const invitations = await database.db.run({
      text: `select kind, state from sms_queue join customer using (program_id, customer_id) where phone = $1`,
      values: [given],
    })
    expect(invitations).toEqual([{ kind: 'invitation', state: 'due' }])
    const { program_id } = strict.merchant
    await one.earn(earningOf(inProgram(strict.merchant, { activation: 'required' }), { phone: given, total: 2_000 }))
    expect(await one.readWaiting(program_id, given)).toBe(1_200)
    await refund(strict, order_uuid, 2_500)
    expect(await one.readWaiting(program_id, given)).toBe(950)
    const joining = { name: 'Nora', terms_version: terms.version, locale: 'ar', source: 'wallet' } as const
    await one.onboard({ program_id, phone: given, ...joining })
    expect(await customerOf(strict, given)).toMatchObject({ status: 'active', name: 'Nora', posted: 950 })
    expect(await one.readWaiting(program_id, given)).toBe(0)
    await refund(strict, order_uuid, null)
    expect(await customerOf(strict, given)).toMatchObject({ posted: 200 })
  })
})

describe('where the store collects', () => {
  it.each([
    ['complete', ['complete'], ['approved', 'completed']],
    ['authorize and capture', ['authorize', 'capture'], ['authorized', 'captured']],
  ] as const)('the order waits for it, and %s earns for its number', async (_, actions, events) => {
    const given = freshPhone()
    const checkout = await openedCheckout(one, collecting, { given })
    expect(await goOn(checkout)).toEqual({ kind: 'reserved' })
    expect((await viewOf(one, { ...checkout, browser: newSecretText() })).step).toBe('reserved')
    for (const action of actions) await one.moveOrder(collecting.merchant, checkout.order_uuid, { action })
    expect(await customerOf(collecting, given)).toMatchObject({ status: 'active', posted: 1_000 })
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(events)
  })

  it('a cancelled order creates no customer, and a late completion still earns', async () => {
    const [cancelled, late] = [freshPhone(), freshPhone()]
    const first = await openedCheckout(one, collecting, { given: cancelled })
    await goOn(first)
    await one.moveOrder(collecting.merchant, first.order_uuid, { action: 'cancel' })
    expect(await customerOf(collecting, cancelled)).toBeUndefined()
    const second = await openedCheckout(one, collecting, { given: late })
    await goOn(second)
    clock.advance(8 * 86_400)
    await releaseExpired({ db: database.db, clock, payments })
    await one.moveOrder(collecting.merchant, second.order_uuid, { action: 'complete' })
    expect(await customerOf(collecting, late)).toMatchObject({ posted: 1_000 })
  })
})

describe('going back', () => {
  it('to use points after all cancels the payment and asks for the code', async () => {
    const given = await customerWith(database.db, shop.merchant, { points: 800 })
    const checkout = await openedCheckout(one, shop, { given, phone: given })
    await goOn(checkout, one, { name: 'Sara', terms_version: terms.version })
    expect(await change(one, checkout)).toBe('choose')
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'identify', may_continue: true, continued: false })
    expect(await paymentsOf(database.db, checkout.order_uuid)).toMatchObject([{ state: 'failed', error: 'changed' }])
    await one.proveSession(checkout.token, checkout.browser, given)
    expect((await confirm(one, checkout, { points: 800 })).kind).toBe('payment')
    expect(await pointsOf(database.db, shop.merchant, given)).toEqual([800, 800])
  })

  it('with a code that was entered afterwards keeps the payment, and the choice is one step away', async () => {
    const given = freshPhone()
    const phone = await customerWith(database.db, shop.merchant, { points: 800 })
    const checkout = await openedCheckout(one, shop, { given, phone })
    await goOn(checkout)
    expect(await one.proveSession(checkout.token, checkout.browser, phone)).toBe('proven')
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'pay', continued: true, points_used: 0 })
    expect(await confirm(one, checkout, { points: 0 })).toEqual({ kind: 'changed' })
    await change(one, checkout)
    expect(await viewOf(one, checkout)).toMatchObject({ step: 'choose', customer: { available: 800 } })
  })
})

it('an unpaid checkout is released in time, and its link expires', async () => {
  const checkout = await openedCheckout(one, shop, { given: freshPhone() })
  await goOn(checkout)
  clock.advance(1_800)
  await releaseExpired({ db: database.db, clock, payments })
  expect((await viewOf(one, checkout)).step).toBe('expired')
  expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ order_status: 'new', total_points: 0 })
})

it('a payment that its provider does not know afterwards is reversed, with its points', async () => {
  const given = freshPhone()
  const { order_uuid, payment_uuid } = await paid(shop, given)
  provider.arrive(payment_uuid, 'failed')
  clock.advance(3_601)
  await reconcilePayments({ db: database.db, clock, payments })
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'fully_refunded', reversed_points: 1_000 })
  expect(await customerOf(shop, given)).toMatchObject({ posted: 0 })
})

describe('at one moment, in two processes', () => {
  it('40 clicks are one payment', async () => {
    const checkout = await openedCheckout(one, shop, { given: freshPhone() })
    const before = provider.calls.filter((call) => call === 'create').length
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, index) => goOn(checkout, index % 2 ? one : two)))
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    expect(await paymentsOf(database.db, checkout.order_uuid)).toHaveLength(1)
    expect(provider.calls.filter((call) => call === 'create').length - before).toBe(1)
  })

  it('a choice of points at the same time: one of both is confirmed, and nothing is held for the other', async () => {
    for (let round = 0; round < 12; round += 1) {
      const checkout = await provenCheckout(database.db, one, shop, { points: 1_000, given: null })
      const [chosen, plain] = await Promise.all(
        round % 2 === 0
          ? [confirm(one, checkout, { points: 500 }), goOn(checkout, two)]
          : [confirm(two, checkout, { points: 500 }), goOn(checkout, one)],
      )
      expect([chosen.kind, plain.kind].sort()).toEqual(['changed', 'payment'])
      const held = chosen.kind === 'payment' ? 500 : 0
      expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, held])
      const [payment] = await paymentsOf(database.db, checkout.order_uuid)
      expect(payment?.amount_halalas).toBe(held === 0 ? 10_000 : 9_750)
    }
  })

  it('a first earning of the same new number: one customer, with the points of both', async () => {
    for (let round = 0; round < 12; round += 1) {
      const given = freshPhone()
      const checkout = await openedCheckout(one, collecting, { given })
      await goOn(checkout)
      await Promise.all([
        two.moveOrder(collecting.merchant, checkout.order_uuid, { action: 'complete' }),
        one.earn(earningOf(collecting.merchant, { phone: given })),
      ])
      expect(await customerOf(collecting, given)).toMatchObject({ status: 'active', posted: 2_000, version: 2 })
    }
  })

  it('leaves a ledger that balances', async () => {
    expect(await ledgerDifferences(database.owner)).toEqual([])
  })
})
