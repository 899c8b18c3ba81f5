import { beforeEach, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer, OrderUnderWay } from '../../src/features/erasure/service.ts'
import { blockCustomer } from '../../src/features/people/block.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { defaults } from '../support/api.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, formOf, openedCheckout, provenCheckout, sellBy, viewOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, pointsOf, rowOf } from '../support/orders.ts'
import { providersOf, releaseExpired } from '../support/payments.ts'

// A checkout whose merchant collects stays open when its hold has expired, so that `complete` can hold the points again. An
// erasure took it for one that still waits: its customer could never be erased, nor could anybody whose number a stranger
// had entered in a shop. And `complete` held points again that their owner could not use by then.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks', 'due messages'] })
const by = { source: 'command', name: 'Sara' } as const
const week_s = 7 * 86_400
let clock: TestClock
let services: Services
let shop: Shop

beforeEach(async () => {
  clock = new TestClock(app_noon)
  services = servicesOn(database.db, { clock, payments: providersOf({ merchant: new BookedProvider() }) })
  shop = await oneShop(database.db)
  await sellBy(database.owner, shop, 'merchant')
})

async function expire(): Promise<void> {
  clock.advance(week_s)
  await releaseExpired({ db: database.db, clock, payments: providersOf({}) })
}

const erase = (phone: Phone) =>
  eraseCustomer(
    { owner: database.owner, secrets: createSecretBox(defaults.secret_key), by },
    { program_id: shop.merchant.program_id, phone, typed: phone },
  )

const complete = (order_uuid: Uuid) => services.moveOrder(shop.merchant, order_uuid, { action: 'complete' })

async function confirmed(points: number) {
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  expect((await confirm(services, checkout, { points })).kind).toBe('reserved')
  const customer_id = (await walletOf(database.db, shop.merchant.program_id, checkout.phone))?.customer_id as Uuid
  return { ...checkout, customer_id }
}

const accountOf = (customer_id: Uuid) =>
  database.owner.one({ text: 'select posted, held from account where account_id = $1', values: [customer_id] })

describe('a customer whose merchant collects', () => {
  it('is erased once the hold has expired, and the order then uses no points of theirs', async () => {
    const { order_uuid, phone, customer_id } = await confirmed(500)
    await expect(erase(phone)).rejects.toThrow(OrderUnderWay)
    await expire()
    await erase(phone)
    await expect(complete(order_uuid)).rejects.toMatchObject({ failure: { kind: 'insufficient_points' } })
    expect(await accountOf(customer_id)).toEqual({ posted: 1_000, held: 0 })
    await services.moveOrder(shop.merchant, order_uuid, { action: 'cancel' })
    expect((await rowOf(database.db, order_uuid))['order_status']).toBe('cancelled')
  })

  it('waits with the erasure while a choice of no points is confirmed with a code', async () => {
    const { phone, order_uuid } = await confirmed(0)
    await expect(erase(phone)).rejects.toThrow(OrderUnderWay)
    await expire()
    await erase(phone)
    await complete(order_uuid)
    expect((await rowOf(database.db, order_uuid))['order_status']).toBe('approved')
  })

  it('uses no points by an expired hold while blocked', async () => {
    const { order_uuid, phone, customer_id } = await confirmed(500)
    await expire()
    await blockCustomer(
      database.db,
      { program_id: shop.merchant.program_id, customer_id },
      { reason: 'Stolen phone', by },
    )
    await expect(complete(order_uuid)).rejects.toMatchObject({ failure: { kind: 'insufficient_points' } })
    expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([1_000, 0])
  })

  it('has points that were held before a block taken by their order', async () => {
    const { order_uuid, customer_id } = await confirmed(500)
    await blockCustomer(
      database.db,
      { program_id: shop.merchant.program_id, customer_id },
      { reason: 'Stolen phone', by },
    )
    await complete(order_uuid)
    expect((await rowOf(database.db, order_uuid))['order_status']).toBe('approved')
  })
})

it('a stranger who enters a number in a shop keeps nobody from being erased, neither before nor after the week', async () => {
  const begin = async (phone: Phone) => {
    const checkout = await openedCheckout(services, shop, { given: phone })
    expect((await services.continueWithoutPoints(await formOf(services, checkout), null)).kind).toBe('reserved')
    return checkout
  }
  const [first, second] = [
    await customerWith(database.db, shop.merchant, { points: 100 }),
    await customerWith(database.db, shop.merchant, { points: 100 }),
  ]
  const { order_uuid } = await begin(first)
  await erase(first)
  await complete(order_uuid)
  expect((await rowOf(database.db, order_uuid))['order_status']).toBe('approved')
  const later = await begin(second)
  await expire()
  expect((await viewOf(services, later)).step).toBe('expired')
  await erase(second)
})
