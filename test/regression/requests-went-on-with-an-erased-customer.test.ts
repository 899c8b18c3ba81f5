import { beforeEach, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints } from '../../src/domain/points.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { eraseCustomer, eraseNow, eraseRest } from '../../src/features/erasure/service.ts'
import { findProgramAccount } from '../../src/features/merchants/program-queries.ts'
import { adjustWallet } from '../../src/features/wallet/adjust.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { defaults } from '../support/api.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, openedCheckout, sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { providersOf } from '../support/payments.ts'
import { waitForLocks } from '../support/wait.ts'

// An erasure changed the customer and not the wallet. Whoever waited for the wallet read the wallet again and went on with
// the customer of before: an earning wrote its metadata to the erased customer, for good, and gave points that nobody could
// use, or failed with a 500.

const database = testDatabase({ leaves: ['due messages'] })
const clock = new TestClock(app_noon)
const by = { source: 'command', name: 'Sara' } as const
const parts = () => ({ owner: database.owner, secrets: createSecretBox(defaults.secret_key), by })
let services: Services
let shop: Shop

beforeEach(async () => {
  const payments = providersOf({ merchant: new BookedProvider() })
  services = servicesOn(database.connect({ size: 4 }), { clock, payments })
  shop = await oneShop(database.db)
})

async function customer(points: number) {
  const phone = await customerWith(database.db, shop.merchant, { points })
  const wallet = await walletOf(database.db, shop.merchant.program_id, phone)
  return { phone, customer_id: wallet?.customer_id as Uuid }
}

/** Sends a request while an erasure holds the wallet, and gives what became of it afterwards. */
async function waitsForErasure<T>(
  { phone, customer_id }: { readonly phone: Phone; readonly customer_id: Uuid },
  request: () => Promise<T>,
): Promise<T | Error> {
  const known = { program_id: shop.merchant.program_id, customer_id, phone }
  const sent: Promise<T | Error>[] = []
  await database.owner.transaction(async (tx) => {
    await eraseNow(tx, parts(), known)
    sent.push(request().catch((error: Error) => error))
    await waitForLocks(database.owner, 1)
  })
  await eraseRest(parts(), known)
  const [result] = await Promise.all(sent)
  if (result === undefined) throw new Error('nothing was sent')
  return result
}

const orderOf = (order_uuid: Uuid) =>
  database.owner.one<{ customer_id: Uuid; metadata: object | null }>({
    text: 'select customer_id, metadata from orders where program_id = $1 and order_uuid = $2',
    values: [shop.merchant.program_id, order_uuid],
  })

describe('a request that waits for an erasure', () => {
  it.each([
    ['without a name', null],
    ['with a name', 'Noura'],
  ])('earns for the new customer of the number, %s', async (_, name) => {
    const person = await customer(10)
    const metadata = JSON.stringify({ who: 'Noura' })
    const earning = earningOf(shop.merchant, { phone: person.phone, name, metadata })
    expect(await waitsForErasure(person, () => services.earn(earning))).toMatchObject({ kind: 'order' })
    const fresh = await walletOf(database.db, shop.merchant.program_id, person.phone)
    expect(fresh?.posted).toBe(1_000)
    expect(await orderOf(earning.order_uuid)).toMatchObject({ customer_id: fresh?.customer_id })
    expect(fresh?.customer_id).not.toBe(person.customer_id)
  })

  it('confirms no checkout: no points of the erased customer are used', async () => {
    await sellBy(database.owner, shop, 'merchant')
    // The store sent another number than the customer proves: the erasure finds the order only by its session.
    const [store, person] = [await customer(10), await customer(1_000)]
    const checkout = await openedCheckout(services, shop, { given: store.phone, phone: person.phone })
    expect(await services.proveSession(checkout.token, checkout.browser, person.phone)).toBe('proven')
    const outcome = await waitsForErasure(person, () => confirm(services, checkout, { points: 200 }))
    expect(outcome).toEqual({ kind: 'changed' })
    const wallet = { text: 'select posted, held from account where account_id = $1', values: [person.customer_id] }
    expect(await database.owner.one(wallet)).toEqual({ posted: 1_000, held: 0 })
  })

  it('does not adjust a wallet', async () => {
    const person = await customer(10)
    const { program_id } = shop.merchant
    const account = await database.db.one(findProgramAccount(program_id))
    if (account === undefined) throw new Error('a program without an account')
    const { phone } = person
    const asked = { phone, typed: phone, points: asPoints(5), reason: 'Sorry', by }
    const adjusting = { ...asked, program: { program_id, ...account } }
    const result = await waitsForErasure(person, () => adjustWallet(database.db, clock, adjusting))
    expect(result).toMatchObject({ message: expect.stringContaining('No customer') })
  })
})

it('an earning that waits for another wallet of its batch while the customer is erased leaves nothing of them', async () => {
  const [one, two] = await earningMerchants(database.db, 2)
  if (one === undefined || two === undefined) throw new Error('two merchants were made')
  const { program_id } = one
  // Made first, so its wallet is locked first.
  const other = await customerWith(database.db, one, { points: 10 })
  const phone = await customerWith(database.db, two, { points: 10 })
  const walletOfOther = await walletOf(database.db, program_id, other)
  const earn = createEarn({ db: database.db, clock, lock_window_s: 10 })
  const second = earningOf(two, { phone, metadata: JSON.stringify({ who: 'Noura' }) })
  const earned: Promise<unknown>[] = []
  await database.owner.transaction(async (tx) => {
    await tx.run({
      text: 'select from account where program_id = $1 and account_id = $2 for no key update',
      values: [program_id, walletOfOther?.customer_id],
    })
    earned.push(earn(earningOf(one, { phone: other })), earn(second))
    await waitForLocks(database.owner, 1)
    await eraseCustomer(parts(), { program_id, phone, typed: phone })
  })
  await Promise.all(earned)
  const fresh = await walletOf(database.db, program_id, phone)
  expect(fresh?.posted).toBe(1_000)
  const [order] = await database.owner.run<{ customer_id: Uuid }>({
    text: 'select customer_id from orders where program_id = $1 and order_uuid = $2',
    values: [program_id, second.order_uuid],
  })
  expect(order?.customer_id).toBe(fresh?.customer_id)
})
