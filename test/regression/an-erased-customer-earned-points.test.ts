import { beforeEach, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { defaults } from '../support/api.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, formOf, openedCheckout, paymentOf, provenCheckout, sellBy, settle } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, TestClock, walletOf } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { customerWith, rowOf } from '../support/orders.ts'
import { providersOf } from '../support/payments.ts'

// An erasure waits for no order that was continued without points, and for none that was authorised without any. Paid
// afterwards, such an order gave points to the closed wallet: the merchant paid for points that nobody could ever use.

const database = testDatabase({ leaves: ['due payment tasks', 'due messages'] })
const clock = new TestClock(app_noon)
const provider = new BookedProvider()
let services: Services
let shop: Shop

beforeEach(async () => {
  services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider, merchant: provider }) })
  shop = await oneShop(database.db)
})

async function customer() {
  const phone = await customerWith(database.db, shop.merchant, { points: 700 })
  const customer_id = (await walletOf(database.db, shop.merchant.program_id, phone))?.customer_id as Uuid
  return { phone, customer_id }
}

/** A checkout of 100 SAR that was continued without points, for the number of a customer. */
async function continued({ phone }: { readonly phone: Phone }) {
  const checkout = await openedCheckout(services, shop, { given: phone })
  await services.continueWithoutPoints(await formOf(services, checkout), null)
  return checkout
}

const erase = ({ phone }: { readonly phone: Phone }) =>
  eraseCustomer(
    {
      owner: database.owner,
      secrets: createSecretBox(defaults.secret_key),
      by: { source: 'command', name: 'Sara' } as const,
    },
    { program_id: shop.merchant.program_id, phone, typed: phone },
  )

const postedOf = async (customer_id: Uuid) => {
  const wallet = { text: 'select posted from account where account_id = $1', values: [customer_id] }
  return (await database.owner.one<{ posted: number }>(wallet))?.posted
}

/** The points that a merchant has issued and not got back. */
const issuedBy = async ({ merchant }: Shop) => {
  const sum = {
    text: 'select -sum(amount)::bigint as points from entry where program_id = $1 and account_id = $2',
    values: [merchant.program_id, merchant.account_id],
  }
  return (await database.owner.one<{ points: number }>(sum))?.points
}

async function earnedNothing(order_uuid: Uuid, customer_id: Uuid, order_status: string): Promise<void> {
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status, earned_points: 0, customer_id })
  expect(await postedOf(customer_id)).toBe(700)
  expect(await issuedBy(shop)).toBe(700)
  expect(await ledgerDifferences(database.owner)).toEqual([])
}

it('an order that is completed after its customer was erased earns for nobody', async () => {
  await sellBy(database.owner, shop, 'merchant')
  const person = await customer()
  const { order_uuid } = await continued(person)
  await erase(person)
  await services.moveOrder(shop.merchant, order_uuid, { action: 'complete' })
  await earnedNothing(order_uuid, person.customer_id, 'approved')
  // Nothing was earned, so a refund takes nothing back.
  await services.refundOrder(shop.merchant, order_uuid, { amount_halalas: null, reason: null })
  expect(await postedOf(person.customer_id)).toBe(700)
})

it('an order that is captured afterwards earns for nobody', async () => {
  await sellBy(database.owner, shop, 'merchant')
  const checkout = await provenCheckout(database.db, services, shop, { points: 700 })
  await confirm(services, checkout, { points: 0 })
  await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'authorize' })
  const customer_id = (await walletOf(database.db, shop.merchant.program_id, checkout.phone))?.customer_id as Uuid
  await erase(checkout)
  await services.moveOrder(shop.merchant, checkout.order_uuid, { action: 'capture' })
  await earnedNothing(checkout.order_uuid, customer_id, 'captured')
})

it('an order that is paid at the provider afterwards earns for nobody', async () => {
  const person = await customer()
  const { order_uuid } = await continued(person)
  await erase(person)
  const { payment_uuid } = await paymentOf(database.db, order_uuid)
  provider.arrive(payment_uuid)
  expect(await settle(services, shop, payment_uuid)).toBe('paid')
  await earnedNothing(order_uuid, person.customer_id, 'approved')
})

it('an order of a number merged into the erased customer’s earns for nobody', async () => {
  await sellBy(database.owner, shop, 'merchant')
  const { program_id } = shop.merchant
  const [given_up, stays] = [await customer(), await customer()]
  const { order_uuid } = await continued(given_up)
  const by = { source: 'command', name: 'Sara' } as const
  await mergeCustomers(
    { db: database.db, clock },
    { program_id, from: given_up.customer_id, into_phone: stays.phone, locale: 'en', by },
  )
  await erase(stays)
  await services.moveOrder(shop.merchant, order_uuid, { action: 'complete' })
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'approved', earned_points: 0 })
  expect(await postedOf(stays.customer_id)).toBe(1_400)
})

it('refunds of orders from before still move points in the closed wallet, so that the merchant’s account is exact', async () => {
  await sellBy(database.owner, shop, 'merchant')
  const checkout = await provenCheckout(database.db, services, shop, { points: 700 })
  const { phone, order_uuid } = checkout
  const customer_id = (await walletOf(database.db, shop.merchant.program_id, phone))?.customer_id as Uuid
  await confirm(services, checkout, { points: 400 })
  await services.moveOrder(shop.merchant, order_uuid, { action: 'complete' })
  const earning = earningOf(shop.merchant, { phone, total: 1_000 })
  await services.earn(earning)
  await erase(checkout)
  const points = 700 - 400 + 980 + 100
  expect(await postedOf(customer_id)).toBe(points)
  const half = { amount_halalas: asHalalas(5_000), reason: null }
  await services.refundOrder(shop.merchant, order_uuid, half)
  expect(await postedOf(customer_id)).toBe(points + 200 - 490)
  await services.refundOrder(shop.merchant, earning.order_uuid, { amount_halalas: null, reason: null })
  expect(await postedOf(customer_id)).toBe(points + 200 - 490 - 100)
  expect(await issuedBy(shop)).toBe(points + 200 - 490 - 100)
  expect(await ledgerDifferences(database.owner)).toEqual([])
})
