import { beforeAll, expect, it } from 'vitest'
import { type Verification, verifyLedger } from '../../src/db/verify.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import { oneShop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { formOf, paymentOf, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { customerWith, earningOrder } from '../support/orders.ts'
import { providersOf } from '../support/payments.ts'
import { settleMerchant } from '../support/settlement.ts'

// The verification compared balances, and believed dates, values, settlements and provider money: whoever altered them so that they
// agreed with each other was not found.

const database = testDatabase()

/** In a closed period a redemption, paid for by a provider, and a purchase that was refunded in part; in the open one both again. */
beforeAll(async () => {
  const { db } = database
  const clock = new TestClock(new Date(Date.now() - 3_600_000).toISOString())
  const provider = new BookedProvider()
  const services = servicesOn(db, { clock, payments: providersOf({ sandbox: provider }) })
  const shop = await oneShop(db)
  const { program_id } = shop.merchant
  const redeem = async () => {
    const phone = await customerWith(db, shop.merchant, { points: 1_001 })
    const checkout = await provenCheckout(db, services, shop, { phone, total: 5_000 })
    const choice = { points: asPoints(400), due_halalas: asHalalas(4_800) }
    await services.confirmCheckout(await formOf(services, checkout), choice)
    const { payment_uuid } = await paymentOf(db, checkout.order_uuid)
    provider.arrive(payment_uuid, 'paid')
    await services.settlePayment(program_id, payment_uuid)
  }
  const buyAndReturnHalf = async () => {
    const { order_uuid } = await earningOrder(db, shop.merchant, { total: 20_000, clock })
    await services.refundOrder(shop.merchant, order_uuid, { amount_halalas: asHalalas(10_000), reason: null })
  }
  await redeem()
  await buyAndReturnHalf()
  clock.advance(1)
  await settleMerchant(db, clock, shop.merchant)
  clock.advance(60)
  await redeem()
  await buyAndReturnHalf()
})

class Undo extends Error {}

/** Verifies with rows altered, and rolls back. */
async function afterAltering(statements: readonly string[]): Promise<Verification> {
  let said: Verification | undefined
  const altering = database.owner.transaction(async (tx) => {
    await tx.script('set local session_replication_role = replica')
    for (const statement of statements) await tx.script(statement)
    said = await verifyLedger(tx)
    throw new Undo()
  })
  await expect(altering).rejects.toBeInstanceOf(Undo)
  if (said === undefined) throw new Error('nothing was verified')
  return said
}

const closed = '(select max(settled_to) from earning_lock)'
const earlier = (table: string, column: string, where: string) =>
  `update ${table} set ${column} = ${column} - interval '1 year' where ${where}`
const doubled = (where: string) =>
  `update entry set micro_sar_per_point = micro_sar_per_point * 2 where kind = 'earn' and ${where}`

const altered: readonly (readonly [what: string, statements: readonly string[], found: readonly string[]])[] = [
  ['the value of a point in the accounts of merchants', [doubled('account_version is null')], ['entry_value']],
  ['the value of a point in wallets', [doubled('account_version is not null')], ['entry_value']],
  ['the time of entries of wallets', [earlier('entry', 'created_at', `account_version is not null`)], ['entry_time']],
  [
    'the time of an entry of a merchant, into a closed period',
    [earlier('entry', 'created_at', `kind = 'earn' and account_version is null and created_at > ${closed}`)],
    ['entry_time'],
  ],
  ['the time of transfers', [earlier('transfer', 'created_at', `kind = 'earn'`)], ['entry_time', 'order_paid_at']],
  [
    'a wallet with points that is said to have been merged',
    [
      `update account set merged_at = now(), merged_into = (select min(account_id::text)::uuid from account where kind = 'customer')
       where account_id = (select max(account_id::text)::uuid from account where kind = 'customer' and posted > 0)`,
    ],
    ['wallet_merged'],
  ],
  [
    'a wallet that an erasure did not close',
    [`update customer set erased_at = now(), phone = null, name = null`],
    ['wallet_erased'],
  ],
  ['a wallet that an erasure closed alone', ['update account set erased_at = now()'], ['wallet_erased']],
  [
    'the payment of orders, into a closed period',
    [earlier('orders', 'paid_at', `paid_at > ${closed}`)],
    ['order_paid_at'],
  ],
]

it('finds nothing where nothing was altered', async () => {
  expect((await afterAltering([])).differences).toEqual([])
})

it.each(altered)('finds %s', async (_, statements, found) => {
  const names = (await afterAltering(statements)).differences.map(({ check }) => check)
  for (const name of found) expect(names).toContain(name)
})
