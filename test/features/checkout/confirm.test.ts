import { beforeAll, describe, expect, it } from 'vitest'
import { asHalalas } from '../../../src/domain/money.ts'
import { asPoints } from '../../../src/domain/points.ts'
import { newSecretText } from '../../../src/lib/ids.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import {
  change,
  confirm,
  formOf,
  openedCheckout,
  paymentOf,
  paymentsOf,
  provenCheckout,
  sellBy,
  tasksOf,
  viewOf,
} from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { freshPhone, TestClock } from '../../support/earnings.ts'
import {
  customerWith,
  earningOrder,
  eventNamesOf,
  eventsOf,
  everythingOf,
  pointsOf,
  rowOf,
} from '../../support/orders.ts'
import { providersOf } from '../../support/payments.ts'

// Each browser's view, and the effects of a confirmation (docs/spec/checkout.md#steps). A SAR earns 10 points, and two points
// are worth a halala.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock(app_noon)
const provider = new BookedProvider()
let services: Services
let shop: Shop
let collecting: Shop

beforeAll(async () => {
  services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider, merchant: provider }) })
  shop = await oneShop(database.db)
  collecting = await oneShop(database.db)
  await sellBy(database.owner, collecting, 'merchant')
})

const proven = (options = {}) => provenCheckout(database.db, services, shop, options)

describe('the phone that was proven', () => {
  it('is shown only in its browser, with the customer and the balance', async () => {
    const checkout = await proven({ points: 700 })
    const here = await viewOf(services, checkout)
    expect(here).toMatchObject({ step: 'choose', proven_phone: checkout.phone, customer: { available: 700 } })
    const elsewhere = await viewOf(services, { ...checkout, browser: newSecretText() })
    expect(elsewhere).toMatchObject({ step: 'identify', proven_phone: null, customer: null })
  })

  it('moves to the browser in which it was proven last', async () => {
    const checkout = await proven()
    const second = { ...checkout, browser: newSecretText() }
    expect(await services.proveSession(checkout.token, second.browser, checkout.phone)).toBe('proven')
    expect((await viewOf(services, second)).step).toBe('choose')
    expect((await viewOf(services, checkout)).step).toBe('identify')
    expect(await confirm(services, checkout, { points: 100 })).toEqual({ kind: 'changed' })
    expect((await rowOf(database.db, checkout.order_uuid))['total_points']).toBe(0)
  })

  it('may differ from the one that the merchant sent: the proven phone’s points are used', async () => {
    const given = await customerWith(database.db, shop.merchant, { points: 50 })
    const phone = await customerWith(database.db, shop.merchant, { points: 400 })
    const checkout = await openedCheckout(services, shop, { given, phone })
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'identify', given_phone: given, customer: null })
    await services.proveSession(checkout.token, checkout.browser, phone)
    expect((await confirm(services, checkout, { points: 400 })).kind).toBe('payment')
    expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([400, 400])
    expect(await pointsOf(database.db, shop.merchant, given)).toEqual([50, 0])
  })

  it('of no customer leads to onboarding, and nothing can be confirmed before that', async () => {
    const checkout = await proven({ phone: freshPhone() })
    expect((await viewOf(services, checkout)).step).toBe('onboard')
    expect(await confirm(services, checkout)).toEqual({ kind: 'changed' })
    expect(await paymentsOf(database.db, checkout.order_uuid)).toEqual([])
  })

  it('while a confirmation was under way makes it `changed`: it was shown to the owner of the other phone', async () => {
    const checkout = await proven({ points: 300 })
    const form = await formOf(services, checkout)
    const other = await customerWith(database.db, shop.merchant, { points: 300 })
    expect(await services.proveSession(checkout.token, checkout.browser, other)).toBe('proven')
    const choice = { points: asPoints(300), due_halalas: asHalalas(9_850) }
    expect(await services.confirmCheckout(form, choice)).toEqual({ kind: 'changed' })
    expect(await pointsOf(database.db, shop.merchant, other)).toEqual([300, 0])
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([300, 0])
  })

  it('stays the one that confirmed, whichever browser proves it again', async () => {
    const checkout = await proven()
    await confirm(services, checkout, { points: 600 })
    const other = await customerWith(database.db, shop.merchant, { points: 10 })
    const second = { ...checkout, browser: newSecretText() }
    expect(await services.proveSession(checkout.token, second.browser, other)).toBe('another phone')
    expect((await viewOf(services, second)).step).toBe('identify')
    expect(await services.proveSession(checkout.token, second.browser, checkout.phone)).toBe('proven')
    expect(await viewOf(services, second)).toMatchObject({ step: 'pay', points_used: 600 })
  })

  it('can be another one after the choice was taken back, and the ledger keeps the two apart', async () => {
    const checkout = await proven({ points: 300 })
    await confirm(services, checkout, { points: 300 })
    expect(await change(services, checkout)).toBe('choose')
    const other = await customerWith(database.db, shop.merchant, { points: 200 })
    expect(await services.proveSession(checkout.token, checkout.browser, other)).toBe('proven')
    expect((await confirm(services, checkout, { points: 200 })).kind).toBe('payment')
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([300, 0])
    expect(await pointsOf(database.db, shop.merchant, other)).toEqual([200, 200])
  })

  it('cannot be proven once the checkout is over', async () => {
    const checkout = await openedCheckout(services, shop)
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'cancel' })
    expect(await services.proveSession(checkout.token, checkout.browser, checkout.phone)).toBe('over')
    expect(await services.proveSession('1-00000000000000000000000000', checkout.browser, checkout.phone)).toBe('over')
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'cancelled', proven_phone: null })
  })
})

describe('a confirmed choice', () => {
  it('holds its points, records their value, and sends the customer to the provider', async () => {
    const checkout = await proven({ points: 1_000 })
    const outcome = await confirm(services, checkout, { points: 500 })
    const payment = await paymentOf(database.db, checkout.order_uuid)
    expect(outcome).toEqual({ kind: 'payment', url: `https://pay.example.com/${payment.payment_uuid}` })
    expect(payment).toMatchObject({ state: 'created', kind: 'sale', amount_halalas: 9_750 })
    const row = await rowOf(database.db, checkout.order_uuid)
    expect(row).toMatchObject({ order_status: 'new', total_points: 500, redeemed_halalas: 250 })
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 500])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual([])
    expect(await viewOf(services, checkout)).toMatchObject({
      step: 'pay',
      points_used: 500,
      redeemed_halalas: 250,
      due_halalas: 9_750,
      customer: { available: 500 },
      payment: { state: 'created', amount_halalas: 9_750, page_url: payment.page_url },
    })
  })

  it('sends the provider the amount, the return address and the callback address', async () => {
    const checkout = await proven()
    await confirm(services, checkout)
    const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
    const { program_id, name } = shop.merchant
    const row = await rowOf(database.db, checkout.order_uuid)
    expect(provider.books.get(payment_uuid)?.request).toEqual({
      program_id,
      payment_uuid,
      amount_halalas: 10_000,
      kind: 'sale',
      locale: 'en',
      description: `${name} · ${row['order_number']}`,
      return_url: `https://localhost:8443/checkout/${checkout.token}/return`,
      callback_url: `https://localhost:8443/payments/sandbox/${program_id}/${payment_uuid}/callback`,
    })
  })

  it('with nothing left to pay is approved at once: points posted, one event, no request to a provider', async () => {
    const checkout = await proven({ points: 30_000 })
    const asked = provider.calls.length
    expect(await confirm(services, checkout, { points: 20_000 })).toEqual({ kind: 'approved' })
    expect(provider.calls.length).toBe(asked)
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([10_000, 0])
    const [event, ...more] = await eventsOf(database.db, checkout.order_uuid)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      name: 'approved',
      payload: { total_points: 20_000, payment_status: 'fully_paid', order_status: 'approved' },
    })
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'finished', points_used: 20_000, earned_points: 0 })
  })

  it('of an order of 0 SAR is approved without points', async () => {
    const checkout = await proven({ total: 0 })
    expect(await confirm(services, checkout, { total: 0 })).toEqual({ kind: 'approved' })
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 0])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved'])
  })

  it('is reserved for seven days where the merchant collects, and then completed by the API', async () => {
    const checkout = await provenCheckout(database.db, services, collecting, { points: 1_000 })
    expect(await confirm(services, checkout, { points: 1_000 })).toEqual({ kind: 'reserved' })
    const week_ms = 7 * 86_400_000
    expect(await viewOf(services, checkout)).toMatchObject({
      step: 'reserved',
      held_until: new Date(clock.now().getTime() + week_ms),
      payment: null,
    })
    expect(await paymentsOf(database.db, checkout.order_uuid)).toEqual([])
    await services.moveOrder(collecting.merchant, checkout.order_uuid, { action: 'complete' })
    // 1,000 points spent, 95 SAR earn 950.
    expect(await pointsOf(database.db, collecting.merchant, checkout.phone)).toEqual([950, 0])
    expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(['approved', 'completed'])
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'finished', held_until: null })
  })

  it.each([
    ['more points than there are', { points: 1_001 }],
    ['less than no points', { points: -2 }],
    ['an amount other than the points leave', { points: 100, total: 9_999 }],
    ['more points than the order needs', { points: 1_000, total: 100 }],
  ])('is refused as changed with %s: nothing is held', async (_, choice) => {
    const total = 'total' in choice && choice.total === 100 ? 100 : 10_000
    const checkout = await proven({ points: 1_000, total })
    const before = await everythingOf(database.db, checkout.order_uuid)
    expect(await confirm(services, checkout, choice)).toEqual({ kind: 'changed' })
    expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 0])
  })

  it('with a negative wallet may use no points, and may still pay', async () => {
    const { order_uuid, phone } = await earningOrder(database.db, shop.merchant, { total: 1_000 })
    // Spend all 100 points on an order that they pay in full, then refund the purchase that earned them.
    const spent = await proven({ phone, total: 50 })
    await confirm(services, spent, { points: 100, total: 50 })
    await services.refundOrder(shop.merchant, order_uuid, { amount_halalas: null, reason: null })
    const checkout = await proven({ phone })
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'choose', customer: { available: -100 } })
    expect(await confirm(services, checkout, { points: 1 })).toEqual({ kind: 'changed' })
    expect((await confirm(services, checkout)).kind).toBe('payment')
  })

  it('confirmed again gives the same and changes nothing; another choice gives `changed`', async () => {
    const checkout = await proven({ points: 1_000 })
    const first = await confirm(services, checkout, { points: 200 })
    const before = await everythingOf(database.db, checkout.order_uuid)
    expect(await confirm(services, checkout, { points: 200 })).toEqual(first)
    expect(await confirm(services, checkout, { points: 300 })).toEqual({ kind: 'changed' })
    expect(await everythingOf(database.db, checkout.order_uuid)).toEqual(before)
    expect((await paymentsOf(database.db, checkout.order_uuid)).length).toBe(1)
  })

  it('ends with the session: nothing can be confirmed at its last instant', async () => {
    const own = new TestClock(app_noon)
    const timed = servicesOn(database.db, { clock: own, payments: providersOf({ sandbox: provider }) })
    const checkout = await provenCheckout(database.db, timed, shop)
    own.advance(1_800)
    expect(await confirm(timed, checkout, { points: 100 })).toEqual({ kind: 'over' })
    expect((await viewOf(timed, checkout)).step).toBe('expired')
    expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual([1_000, 0])
  })

  it('begins nothing and holds no points where the provider cannot be called', async () => {
    const without = servicesOn(database.db, { clock, payments: providersOf({}) })
    const checkout = await proven()
    expect(await confirm(without, checkout, { points: 500 })).toEqual({ kind: 'payment failed', error: 'unavailable' })
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'choose', customer: { available: 1_000 } })
  })
})

describe('the merchant', () => {
  it.each([
    ['cancel', 'cancelled', ['cancelled'], [1_000, 0]],
    ['complete', 'finished', ['approved', 'completed'], [1_475, 0]],
    ['authorize', 'finished', ['authorized'], [1_000, 500]],
  ] as const)(
    'may %s a confirmed order: the hold moves with it, and the payment is cancelled',
    async (action, step, events, points) => {
      const checkout = await proven({ points: 1_000 })
      await confirm(services, checkout, { points: 500 })
      await services.moveOrder(shop.merchant, checkout.order_uuid, { action })
      expect(await viewOf(services, checkout)).toMatchObject({ step, held_until: null, payment: { state: 'failed' } })
      expect(await eventNamesOf(database.db, checkout.order_uuid)).toEqual(events)
      expect(await pointsOf(database.db, shop.merchant, checkout.phone)).toEqual(points)
      expect(await tasksOf(database.db, checkout.order_uuid)).toEqual(['give_back due'])
      expect((await confirm(services, checkout, { points: 400 })).kind).toMatch(/over|changed/)
    },
  )

  it('closes the checkout by moving an order that is not confirmed', async () => {
    const checkout = await proven()
    await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'complete' })
    expect((await viewOf(services, checkout)).step).toBe('closed')
    expect(await confirm(services, checkout, { points: 100 })).toEqual({ kind: 'over' })
  })
})

describe('the return link', () => {
  it('has the order’s current state', async () => {
    const callback_url = 'https://shop.example.com/thanks?a=1#done'
    const checkout = await proven({ points: 20_000, callback_url })
    const before = await viewOf(services, checkout)
    expect(before.return_to).toContain('order_status=new')
    await confirm(services, checkout, { points: 20_000 })
    const { return_to, order_number, reference_number, order_uuid } = await viewOf(services, checkout)
    expect(return_to).toBe(
      `https://shop.example.com/thanks?a=1&order_uuid=${order_uuid}&order_number=${order_number}` +
        `&order_status=approved&reference_number=${reference_number}#done`,
    )
  })

  it('is missing without a callback_url', async () => {
    expect((await viewOf(services, await openedCheckout(services, shop))).return_to).toBeNull()
  })
})
