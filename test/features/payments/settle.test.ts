import { beforeEach, describe, expect, it } from 'vitest'
import { asHalalas } from '../../../src/domain/money.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import {
  change,
  confirm,
  formOf,
  paymentOf,
  paymentsOf,
  provenCheckout,
  sellBy,
  settle,
  type TestCheckout,
  tasksOf,
  viewOf,
} from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { eventNamesOf, everythingOf, pointsOf, rowOf } from '../../support/orders.ts'
import { performDue, providersOf } from '../../support/payments.ts'

// The provider's record decides, not the redirect (docs/spec/payments.md#provider-record). Whichever answer is lost, the
// customer pays once, and money that the order cannot take goes back.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock(app_noon)
let provider: BookedProvider
let services: Services
let shop: Shop
let odd: string[]

beforeEach(async () => {
  provider = new BookedProvider()
  odd = []
  services = servicesOn(database.db, {
    clock,
    payments: providersOf({ sandbox: provider }),
    onOddPayment: ({ payment_uuid }) => odd.push(payment_uuid),
  })
  shop = await oneShop(database.db)
})

/** A checkout of 100 SAR, confirmed with 500 of its customer's 1,000 points. */
async function confirmed(): Promise<TestCheckout & { readonly payment_uuid: string }> {
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points: 500 })
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  return { ...checkout, payment_uuid }
}

const resume = async (link: TestCheckout) => services.resumePayment(await formOf(services, link, { locale: 'ar' }))
const statesOf = async ({ order_uuid }: TestCheckout) =>
  (await paymentsOf(database.db, order_uuid)).map(({ state, error }) => (error === null ? state : `${state}: ${error}`))

/** Performs all payment tasks, without waiting for their due times. */
async function performTasks(): Promise<void> {
  const payments = providersOf({ sandbox: provider })
  for (let ahead_ms = 0; ahead_ms < 40_000_000; ahead_ms += 4_000_000)
    await performDue(database.db, payments, { clock, at_ms: Date.now() + ahead_ms })
}

describe('a payment that is made', () => {
  it('approves the order: points posted, money part earned, one event, session ended', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid)
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('paid')
    // 500 points spent, 97.50 SAR earn 975.
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_475, 0])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
    expect(await viewOf(services, checkout)).toMatchObject({
      step: 'finished',
      earned_points: 975,
      payment: { state: 'paid', error: null },
      going_back: [],
    })
  })

  it('is found when the customer returns, without a report', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid)
    await services.settleCheckout(checkout.token)
    expect((await viewOf(services, checkout)).step).toBe('finished')
    await services.settleCheckout('1-00000000000000000000000000')
  })

  it('changes nothing when settled again, and asks no provider', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid)
    await settle(services, shop, checkout.payment_uuid)
    const before = await everythingOf(database.db, checkout.order_uuid)
    const asked = provider.calls.length
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('paid')
    expect(provider.calls.length).toBe(asked)
    expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
  })

  it('authorises the order in the two-step flow, keeps the points held, and is captured by the API', async () => {
    await sellBy(database.owner, shop, 'sandbox', 'two_step')
    const checkout = await confirmed()
    expect(provider.books.get(checkout.payment_uuid as never)?.request.kind).toBe('auth')
    provider.arrive(checkout.payment_uuid, 'authorized')
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('authorized')
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 500])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['authorized'])
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'capture' })
    await performTasks()
    expect(await statesOf(checkout)).toEqual(['paid'])
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_475, 0])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['authorized', 'captured'])
  })

  it('of another amount pays nothing: the order stays new, the money goes back, and it is reported', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid, 'paid', 9_000)
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('surplus')
    expect(odd).toEqual([checkout.payment_uuid])
    expect(await viewOf(services, checkout)).toMatchObject({
      step: 'pay',
      order_status: 'new',
      going_back: [{ state: 'surplus', error: 'amount' }],
    })
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 500])
    await performTasks()
    expect(provider.kept_halalas).toBe(0)
    expect((await resume(checkout)).kind).toBe('payment')
  })

  it('that does not exist settles as null', async () => {
    expect(await settle(services, shop, '019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e')).toBeNull()
  })
})

describe('a payment that fails', () => {
  it('leaves the points held, and the customer can pay again by a new payment of the same amount', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid, 'failed')
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('failed')
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'pay', payment: { error: 'declined' } })
    expect(await confirm(services, checkout, { points: 500 })).toEqual({ kind: 'payment failed', error: 'declined' })
    const again = await resume(checkout)
    const { payment_uuid, ...second } = await paymentOf(database.db, checkout.order_uuid)
    expect(again).toEqual({ kind: 'payment', url: `https://pay.example.com/${payment_uuid}` })
    expect(second).toMatchObject({ state: 'created', amount_halalas: 9_750 })
    expect(provider.books.get(payment_uuid)?.request.locale).toBe('ar')
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 500])
    provider.arrive(payment_uuid)
    expect(await settle(services, shop, payment_uuid)).toBe('paid')
    expect(await statesOf(checkout)).toEqual(['failed: declined', 'paid'])
  })

  it('and is paid later is given back, while the second one pays the order', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid, 'failed')
    await resume(checkout)
    const second = await paymentOf(database.db, checkout.order_uuid)
    provider.arrive(checkout.payment_uuid, 'paid')
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('surplus')
    provider.arrive(second.payment_uuid)
    expect(await settle(services, shop, second.payment_uuid)).toBe('paid')
    await performTasks()
    expect(await statesOf(checkout)).toEqual(['returned: declined', 'paid'])
    expect(provider.kept_halalas).toBe(9_750)
    expect((await viewOf(services, checkout)).going_back).toMatchObject([{ state: 'returned' }])
  })

  it.each([
    ['declined', 'payment failed'],
    ['refused', 'payment failed'],
    ['credentials', 'payment failed'],
    ['unsupported', 'payment failed'],
  ] as const)('because the provider answers %s at once is reported, and can be tried again', async (kind, outcome) => {
    provider.faults.create = [{ kind, detail: 'no' }]
    const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
    expect(await confirm(services, checkout, { points: 500 })).toEqual({ kind: outcome, error: kind })
    expect(await statesOf(checkout)).toEqual([`failed: ${kind}`])
    expect((await resume(checkout)).kind).toBe('payment')
    expect((await viewOf(services, checkout)).points_used).toBe(500)
  })
})

describe('an answer that is lost', () => {
  it('before the provider knew: its record is read, then the same payment is created', async () => {
    provider.faults.create = ['before']
    const checkout = await provenCheckout(database.db, services, shop)
    expect(await confirm(services, checkout)).toEqual({ kind: 'payment failed', error: 'unknown' })
    const { payment_uuid, page_url } = await paymentOf(database.db, checkout.order_uuid)
    expect(page_url).toBeNull()
    expect(await resume(checkout)).toEqual({ kind: 'payment', url: `https://pay.example.com/${payment_uuid}` })
    expect(provider.calls.slice(0, 2)).toEqual(['create', 'query'])
    expect([...provider.books.keys()]).toEqual([payment_uuid])
  })

  it('after the provider knew: the customer gets the existing page', async () => {
    provider.faults.create = ['after']
    const checkout = await provenCheckout(database.db, services, shop)
    expect(await confirm(services, checkout)).toEqual({ kind: 'payment failed', error: 'unknown' })
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    expect(await confirm(services, checkout)).toEqual({
      kind: 'payment',
      url: `https://pay.example.com/${payment_uuid}`,
    })
    expect([...provider.books.keys()]).toEqual([payment_uuid])
  })

  it('after the customer paid: the payment is found, and no second one begins', async () => {
    provider.faults.create = ['after']
    const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
    await confirm(services, checkout, { points: 500 })
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    provider.arrive(payment_uuid)
    expect(await resume(checkout)).toEqual({ kind: 'approved' })
    expect([...provider.books.keys()]).toEqual([payment_uuid])
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_475, 0])
  })

  it('after the customer paid: a second click finds the payment, and asks for no page', async () => {
    provider.faults.create = ['after']
    const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
    await confirm(services, checkout, { points: 500 })
    provider.arrive((await paymentOf(database.db, checkout.order_uuid)).payment_uuid)
    expect(await confirm(services, checkout, { points: 500 })).toEqual({ kind: 'approved' })
    expect(provider.calls).toEqual(['create', 'query'])
  })

  it('several times changes nothing, and the page is created only once', async () => {
    provider.faults.create = ['after']
    const checkout = await provenCheckout(database.db, services, shop)
    await confirm(services, checkout)
    provider.down = true
    const before = await everythingOf(database.db, checkout.order_uuid)
    for (let times = 0; times < 3; times += 1)
      expect(await resume(checkout)).toEqual({ kind: 'payment failed', error: 'unknown' })
    expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
    expect(provider.calls.filter((call) => call === 'create').length).toBe(1)
  })

  it('to a query changes nothing either', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid)
    provider.down = true
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('created')
    expect(await rowOf(database.db, checkout.order_uuid)).toMatchObject({ order_status: 'new', total_points: 500 })
    provider.down = false
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('paid')
  })
})

describe('a customer who returns to a payment', () => {
  it('gets the same page while it can be paid, however often it is reloaded', async () => {
    const checkout = await confirmed()
    const url = `https://pay.example.com/${checkout.payment_uuid}`
    for (let times = 0; times < 3; times += 1) expect(await resume(checkout)).toEqual({ kind: 'payment', url })
    expect(provider.books.size).toBe(1)
  })

  it('gets the same page while the provider does not answer', async () => {
    const checkout = await confirmed()
    provider.down = true
    expect((await resume(checkout)).kind).toBe('payment')
  })

  it('gets another page where the provider no longer knows the first', async () => {
    const checkout = await confirmed()
    provider.books.clear()
    const again = await resume(checkout)
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    expect(payment_uuid).not.toBe(checkout.payment_uuid)
    expect(again).toEqual({ kind: 'payment', url: `https://pay.example.com/${payment_uuid}` })
    expect(await statesOf(checkout)).toEqual(['failed: not_found', 'created'])
  })

  it('in another browser gets nothing', async () => {
    const checkout = await confirmed()
    expect(await resume({ ...checkout, browser: 'x' })).toEqual({ kind: 'changed' })
    expect(await change(services, { ...checkout, browser: 'x' })).toBe('over')
  })

  it('cannot pay once the merchant collects money itself, and can take the choice back', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid, 'failed')
    await sellBy(database.owner, shop, 'merchant')
    expect(await resume(checkout)).toEqual({ kind: 'payment failed', error: 'unavailable' })
    expect(await change(services, checkout)).toBe('choose')
  })
})

describe('a choice that is taken back', () => {
  it('releases the points and the order, and ends the page of the payment', async () => {
    const checkout = await confirmed()
    expect(await change(services, checkout)).toBe('choose')
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 0])
    expect(await viewOf(services, checkout)).toMatchObject({
      step: 'choose',
      points_used: 0,
      due_halalas: 10_000,
      payment: null,
      held_until: null,
    })
    await performTasks()
    expect(provider.books.get(checkout.payment_uuid as never)?.state).toBe('voided')
    expect((await confirm(services, checkout, { points: 200 })).kind).toBe('payment')
    expect(await statesOf(checkout)).toEqual(['failed: changed', 'created'])
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 200])
  })

  it('stays when the money has come: it pays the order', async () => {
    const checkout = await confirmed()
    provider.arrive(checkout.payment_uuid)
    expect(await change(services, checkout)).toBe('finished')
    expect(await statesOf(checkout)).toEqual(['paid'])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
  })

  it('stays while it is unknown whether the money has come', async () => {
    const checkout = await confirmed()
    provider.down = true
    const before = await everythingOf(database.db, checkout.order_uuid)
    expect(await change(services, checkout)).toBe('not now')
    expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
  })

  it('gives back money that comes by the first page later, though the same amount is due again', async () => {
    const checkout = await confirmed()
    await change(services, checkout)
    await confirm(services, checkout, { points: 500 })
    provider.arrive(checkout.payment_uuid)
    expect(await settle(services, shop, checkout.payment_uuid)).toBe('surplus')
    expect((await rowOf(database.db, checkout.order_uuid))['order_status']).toBe('new')
    await performTasks()
    expect(provider.kept_halalas).toBe(0)
    expect(await statesOf(checkout)).toEqual(['returned: changed', 'created'])
  })

  it('changes nothing where nothing was confirmed, and can be taken back twice', async () => {
    const checkout = await provenCheckout(database.db, services, shop)
    expect(await change(services, checkout)).toBe('choose')
    await confirm(services, checkout, { points: 100 })
    expect([await change(services, checkout), await change(services, checkout)]).toEqual(['choose', 'choose'])
  })

  it('with points reserved for a merchant works within the session, and not after it', async () => {
    await sellBy(database.owner, shop, 'merchant')
    const own = new TestClock(app_noon)
    const timed = servicesOn(database.db, { clock: own, payments: providersOf({ merchant: provider }) })
    const checkout = await provenCheckout(database.db, timed, shop)
    await confirm(timed, checkout, { points: 500 })
    expect(await change(timed, checkout)).toBe('choose')
    await confirm(timed, checkout, { points: 400 })
    own.advance(1_800)
    expect(await change(timed, checkout)).toBe('over')
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 400])
  })
})

describe('money that comes when the merchant has moved the order', () => {
  it.each(['cancel', 'complete', 'authorize'] as const)('goes back after %s, reported or not', async (action) => {
    const [reported, quiet] = [await confirmed(), await confirmed()]
    for (const { order_uuid, payment_uuid } of [reported, quiet]) {
      await services.moveOrder(shop.merchant, order_uuid, { action })
      provider.arrive(payment_uuid)
    }
    expect(await settle(services, shop, reported.payment_uuid)).toBe('surplus')
    await performTasks()
    expect(provider.kept_halalas).toBe(0)
    expect(await statesOf(reported)).toEqual(['returned: order moved'])
    expect(await statesOf(quiet)).toEqual(['returned: order moved'])
    expect(await tasksOf(database.db, quiet.order_uuid)).toEqual(['give_back done'])
  })

  it('does not count in a refund of the order, which it did not pay for', async () => {
    const checkout = await confirmed()
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' })
    provider.arrive(checkout.payment_uuid)
    await settle(services, shop, checkout.payment_uuid)
    await services.refundOrder(shop.merchant, checkout.order_uuid, { amount_halalas: asHalalas(5_000), reason: null })
    const [refund] = await database.db.run<{ provider_halalas: number }>({
      text: 'select provider_halalas from order_refund where order_uuid = $1',
      values: [checkout.order_uuid],
    })
    expect(refund).toEqual({ provider_halalas: 0 })
    await performTasks()
    expect(provider.kept_halalas).toBe(0)
  })
})
