import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { createLimits } from '../../src/features/limits/service.ts'
import { findPayments } from '../../src/features/orders/payment-queries.ts'
import { queueTask } from '../../src/features/orders/payment-tasks.ts'
import { createLimitPayments, unproven_payments_per_hour } from '../../src/features/payments/limit.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { confirm, formOf, openedCheckout, paymentOf, paymentsOf, provenCheckout, viewOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { performDue, providersOf, usePayments } from '../support/payments.ts'
import { secret_key } from '../support/secret-key.ts'
import { wordsOf } from '../support/shopper.ts'

// "Continue without points", then "change", and again: each round began a payment at the provider and queried one, without a
// code and without limit. Each left a task that was tried for a day, and the tasks of merchants waited behind those.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const stage = checkoutStage(database, { collector: 'sandbox' })
const address = '203.0.113.7'
let provider: BookedProvider
let services: Services
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
})

beforeEach(() => {
  provider = new BookedProvider()
  services = servicesOn(database.db, { clock: new TestClock(app_noon), payments: providersOf({ sandbox: provider }) })
})

type Link = { readonly token: string; readonly browser: string }
const form = (link: Link, client_address = address) => formOf(services, link, { client_address })
const goOn = async (link: Link, from = address) => services.continueWithoutPoints(await form(link, from), null)
const resume = async (link: Link, from = address) => services.resumePayment(await form(link, from))
const change = async (link: Link) => services.changeChoice(await form(link))
const begun = () => provider.calls.filter((call) => call === 'create').length

describe('one order', () => {
  it('begins ten payments at most, whatever an anonymous client does', async () => {
    const checkout = await openedCheckout(services, shop)
    const outcomes: string[] = []
    for (let turns = 0; turns < 12; turns += 1) {
      outcomes.push((await goOn(checkout)).kind)
      await change(checkout)
    }
    expect(outcomes).toEqual([...Array(10).fill('payment'), 'no more payments', 'no more payments'])
    expect(begun()).toBe(10)
    expect(await paymentsOf(database.db, checkout.order_uuid)).toHaveLength(10)
    // The refused request has changed nothing.
    expect(await viewOf(services, checkout)).toMatchObject({ step: 'identify', continued: false, payments_over: true })
  })

  it('begins no more for a customer with a code, who keeps the points and may still pay with points alone', async () => {
    const checkout = await provenCheckout(database.db, services, shop, { points: 20_000 })
    for (let turns = 0; turns < 10; turns += 1) {
      expect((await confirm(services, checkout, { points: 400 })).kind).toBe('payment')
      await change(checkout)
    }
    expect(await confirm(services, checkout, { points: 400 })).toEqual({ kind: 'no more payments' })
    const view = await viewOf(services, checkout)
    expect(view).toMatchObject({ step: 'choose', points_used: 0, customer: { available: 20_000 } })
    expect(await confirm(services, checkout, { points: 20_000 })).toEqual({ kind: 'approved' })
  })

  it('begins no more after failed payments', async () => {
    const checkout = await openedCheckout(services, shop)
    await goOn(checkout)
    const outcomes: string[] = []
    for (let turns = 0; turns < 10; turns += 1) {
      const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
      provider.arrive(payment_uuid, 'failed')
      await services.settlePayment(shop.merchant.program_id, payment_uuid)
      outcomes.push((await resume(checkout)).kind)
    }
    expect(outcomes).toEqual([...Array(9).fill('payment'), 'no more payments'])
    expect(begun()).toBe(10)
  })

  it('is read with as many payments, however many there are', async () => {
    const { order_uuid } = await openedCheckout(services, shop)
    const { program_id } = shop.merchant
    const uuids = Array.from({ length: 40 }, () => newUuid()).sort()
    await database.db.run({
      text: `insert into order_payment (program_id, payment_uuid, order_uuid, provider, amount_halalas, kind, state, created_at,
          updated_at) select $1, u, $2, 'sandbox', 100, 'sale', 'failed', $4, $4 from unnest($3::uuid[]) u`,
      values: [program_id, order_uuid, uuids, new Date(app_noon)],
    })
    const found = await database.db.run(findPayments(program_id, order_uuid))
    expect(found.map(({ payment_uuid }) => payment_uuid)).toEqual(uuids.slice(-10))
  })
})

describe('one address', () => {
  it('begins a limited number of payments of a merchant within an hour without a code', async () => {
    await usePayments(database.db, { ...shop.merchant, client_address: address }, 1)
    const [first, second] = [await openedCheckout(services, shop), await openedCheckout(services, shop)]
    expect((await goOn(first)).kind).toBe('payment')
    const refused = await goOn(second)
    expect(refused).toMatchObject({ kind: 'wait' })
    if (refused.kind !== 'wait') throw new Error('it is to wait')
    expect(refused.retry_at.getTime()).toBeGreaterThan(Date.now() + 3_000_000)
    expect(await viewOf(services, second)).toMatchObject({ step: 'identify', continued: false })
    expect(await paymentsOf(database.db, second.order_uuid)).toEqual([])
    // A page that is there is shown again, and sent forms that begin nothing are not counted.
    expect((await goOn(first)).kind).toBe('payment')
    expect((await resume(first)).kind).toBe('payment')
    // Others can still pay: another address, a customer with a proven number, and customers of another shop.
    const proven = await provenCheckout(database.db, services, shop)
    expect((await goOn(proven)).kind).toBe('payment')
    expect((await goOn(await openedCheckout(services, await oneShop(database.db)))).kind).toBe('payment')
    expect((await goOn(second, '203.0.113.8')).kind).toBe('payment')
  })

  it('is not counted for a payment that does not begin after all', async () => {
    const limits = createLimits({ db: database.db, secrets: createSecretBox(secret_key) })
    const count = createLimitPayments(limits)
    const stranger = { ...shop.merchant, client_address: '203.0.113.9' }
    for (let times = 0; times <= unproven_payments_per_hour; times += 1)
      expect(await count(stranger, async (counted) => ({ kind: counted ? 'changed' : 'not counted' }))).toEqual({
        kind: 'changed',
      })
  })
})

it('tasks of a merchant come before those of anonymous clients', async () => {
  const { program_id } = shop.merchant
  for (let times = 0; times < 12; times += 1) {
    const checkout = await openedCheckout(services, shop)
    await goOn(checkout)
    await change(checkout)
  }
  const paid = await openedCheckout(services, shop)
  await goOn(paid)
  const { payment_uuid } = await paymentOf(database.db, paid.order_uuid)
  const amount_halalas = asHalalas(10_000)
  await database.db.transaction(async (tx) =>
    queueTask(tx, { program_id, order_uuid: paid.order_uuid, payment_uuid, kind: 'capture', amount_halalas }),
  )
  const told: string[] = []
  const query = provider.query.bind(provider)
  provider.query = (asked) => {
    told.push(asked.payment_uuid)
    return query(asked)
  }
  await performDue(database.db, providersOf({ sandbox: provider }), { at_ms: Date.now() + 60_000 })
  expect(told.indexOf(payment_uuid)).toBe(0)
  expect(told.length).toBeGreaterThan(12)
})

describe('the page', () => {
  it.each([
    ['en', 'so no other can begin here', 'Back to shop.example'],
    ['ar', 'فلا يمكن بدء محاولة أخرى هنا', 'shop.example'],
  ] as const)('says that no more payments begin, and leads back to the store: %s', async (locale, said, back) => {
    const { path } = await stage.open({ callback_url: 'https://shop.example/thanks' })
    const me = stage.shopper(locale)
    for (let turns = 0; turns < 10; turns += 1) {
      await me.submit(await me.open(path), 'continue')
      await me.submit(await me.open(path), 'change')
    }
    const refused = await me.submit(await me.open(path), 'continue')
    expect(refused.status).toBe(200)
    expect(wordsOf(refused)).toContain(said)
    expect(wordsOf(refused)).toContain(back)
  })

  it.each([
    ['en', 'There were too many payment attempts from your network. You can pay from'],
    ['ar', 'كثرت محاولات الدفع من شبكتك'],
  ] as const)('says when an address may go on: %s', async (locale, said) => {
    const { path } = await stage.open({ callback_url: 'https://shop.example/thanks' })
    const me = stage.shopper(locale)
    await usePayments(database.db, { ...stage.shop.merchant, client_address: '127.0.0.1' }, 0)
    const refused = await me.submit(await me.open(path), 'continue')
    expect(refused.status).toBe(200)
    expect(wordsOf(refused)).toContain(said)
    expect(wordsOf(refused)).toContain('shop.example')
    // Anybody can write such a link.
    for (const ms of [-1, 90_000_000])
      expect(wordsOf(await me.open(`${path}?note=too_many_payments&until=${Date.now() + ms}`))).not.toContain(said)
  })
})
