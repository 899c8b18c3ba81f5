import { beforeEach, expect, test } from 'vitest'
import type { Services } from '../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, paymentOf, provenCheckout, resume, viewOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { elapsedTime } from '../support/elapsed.ts'
import { providersOf } from '../support/payments.ts'

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const elapsed = elapsedTime()
let provider: BookedProvider
let services: Services
let shop: Shop

beforeEach(async () => {
  provider = new BookedProvider()
  const payments = providersOf({ sandbox: provider })
  services = servicesOn(database.db, { clock: new TestClock(app_noon), payments })
  shop = await oneShop(database.db)
})

// What went wrong: the return address of a payment page needs no cookie, and each request there queried the provider. Anybody
// with a link could make the service call its provider without limit, until the provider refused everybody.
test('any number of concurrent returns make one query to the provider, and all see its answer', async () => {
  const checkout = await provenCheckout(database.db, services, shop)
  await confirm(services, checkout)
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const asked = new Promise<void>((resolve) => {
    provider.meanwhile = (operation) => {
      if (operation === 'query') resolve()
      return answered
    }
  })
  const first = services.settleCheckout(checkout.token)
  await asked
  const others = Array.from({ length: 20 }, () => services.settleCheckout(checkout.token))
  provider.arrive(payment_uuid)
  // Once as many later reads have returned, all of them have read the link from the database.
  await Promise.all(others.map(() => viewOf(services, checkout)))
  answer()
  await Promise.all([first, ...others])
  expect(provider.calls.filter((call) => call === 'query')).toHaveLength(1)
  expect(await viewOf(services, checkout)).toMatchObject({ step: 'finished', payment: { state: 'paid' } })
})

test('a later return makes its own query', async () => {
  const checkout = await provenCheckout(database.db, services, shop)
  await confirm(services, checkout)
  const { payment_uuid } = await paymentOf(database.db, checkout.order_uuid)
  await services.settleCheckout(checkout.token)
  expect(await viewOf(services, checkout)).toMatchObject({ step: 'pay' })
  provider.arrive(payment_uuid)
  elapsed.pass()
  await services.settleCheckout(checkout.token)
  expect(await viewOf(services, checkout)).toMatchObject({ step: 'finished' })
})

// One client that comes back, waits for the answer and comes back again was not stopped by that.
test('a customer who returns in a loop makes one query in a few seconds', async () => {
  const checkout = await provenCheckout(database.db, services, shop)
  await confirm(services, checkout)
  const questions = () => provider.calls.filter((call) => call === 'query').length
  elapsed.pass()
  for (let times = 0; times < 20; times += 1) await services.settleCheckout(checkout.token)
  expect(questions()).toBe(1)
  elapsed.pass()
  await services.settleCheckout(checkout.token)
  expect(questions()).toBe(2)
})

test('the form that continues the payment queries no more often', async () => {
  const checkout = await provenCheckout(database.db, services, shop)
  await confirm(services, checkout)
  const outcomes = new Set<string>()
  for (let times = 0; times < 20; times += 1) outcomes.add((await resume(services, checkout)).kind)
  expect([...outcomes]).toEqual(['payment'])
  expect(provider.calls).toEqual(['create', 'query'])
})
