import { beforeAll, expect, it } from 'vitest'
import { type Verification, verifyLedger } from '../../src/db/verify.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import { before, hour_ms } from '../../src/domain/spans.ts'
import { findCustomer } from '../../src/features/customers/queries.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { oneShop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { formOf, paymentOf, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { customerWith, earningOrder } from '../support/orders.ts'
import { providersOf } from '../support/payments.ts'
import { settleMerchant } from '../support/settlement.ts'

// The verification compared balances, and believed dates, values, settlements and provider money: whoever altered them so
// that they agreed with each other was not found.

const database = testDatabase({ leaves: ['due payment tasks'] })

/**
 * In a closed period an order without points; in another a redemption, paid for by a provider, and a purchase that was
 * refunded in part; in the open one both again, refunded in part.
 */
beforeAll(async () => {
  const { db } = database
  const clock = new TestClock(before(new Date(), hour_ms))
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
    return checkout.order_uuid
  }
  const buyAndReturnHalf = async () => {
    const { order_uuid } = await earningOrder(db, shop.merchant, { total: 20_000, clock })
    await services.refundOrder(shop.merchant, order_uuid, { amount_halalas: asHalalas(10_000), reason: null })
  }
  // Worth no point, and settled alone.
  await earningOrder(db, shop.merchant, { total: 5, clock })
  clock.advance(1)
  await settleMerchant(db, clock, shop.merchant)
  clock.advance(60)
  await redeem()
  await buyAndReturnHalf()
  clock.advance(1)
  await settleMerchant(db, clock, shop.merchant)
  clock.advance(60)
  const last = await redeem()
  await services.refundOrder(shop.merchant, last, { amount_halalas: asHalalas(1_000), reason: null })
  await buyAndReturnHalf()
  const [into_phone, given_up] = [
    await customerWith(db, shop.merchant, { points: 5 }),
    await customerWith(db, shop.merchant, { points: 7 }),
  ]
  const customer = await db.one(findCustomer(program_id, given_up))
  if (customer === undefined) throw new Error('no customer')
  const merging = {
    program_id,
    from: customer.customer_id,
    into_phone,
    locale: 'en',
    by: { source: 'command', name: 'Sara' },
  } as const
  await mergeCustomers({ db, clock }, merging)
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
    'a merge into the wallet of somebody else',
    [
      `update account set merged_into = (
         select account_id from account o where o.kind = 'customer' and o.merged_into is null and o.account_id <> account.merged_into limit 1
       ) where merged_into is not null`,
    ],
    ['wallet_merged'],
  ],
  [
    'the value of the points that were chosen for an order',
    ['update orders set micro_sar_per_point = micro_sar_per_point * 2 where type = 2'],
    ['order_value'],
  ],
  [
    'the value of the points that a refund took back, in both accounts',
    [
      `update entry set micro_sar_per_point = micro_sar_per_point * 2 where kind = 'reverse' and created_at > ${closed}`,
    ],
    ['order_value'],
  ],
  [
    'the value of the points that a refund returned, in both accounts',
    [`update entry set micro_sar_per_point = micro_sar_per_point * 2 where kind = 'return'`],
    ['order_value'],
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
  [
    'a closed settlement that was deleted',
    ['delete from settlement_line', 'delete from settlement_notice', 'delete from settlement'],
    ['settled_entries'],
  ],
  [
    'a closed settlement with more points than its entries, lines included',
    [
      'update settlement set net_points = net_points + 1000, net_halalas = net_halalas + 500, due_halalas = due_halalas + 500',
      `update settlement_line set points = points + 1000, micro_sar = micro_sar + 5000000 where kind = 'earn'`,
    ],
    ['settled_entries'],
  ],
  [
    'a closed settlement that calls an earning a return, lines included',
    [`update settlement_line set kind = 'return' where kind = 'earn'`],
    ['settled_entries'],
  ],
  [
    'a closed settlement with more money than the provider collected, lines included',
    [
      'update settlement set money_halalas = money_halalas - 500, due_halalas = due_halalas - 500',
      `update settlement_line set micro_sar = micro_sar - 5000000 where kind = 'collected'`,
    ],
    ['settled_entries'],
  ],
  [
    'a closed settlement with more net value and fewer fees',
    ['update settlement set net_halalas = net_halalas + 500, fee_halalas = fee_halalas - 500'],
    ['settlement_lines'],
  ],
  [
    'a closed settlement with more fees than its lines have, and less VAT',
    ['update settlement set fee_halalas = fee_halalas + 500, vat_halalas = vat_halalas - 500'],
    ['settlement_lines'],
  ],
  [
    'a closed settlement with another number of orders',
    ['update settlement set orders = orders + 7'],
    ['settled_entries'],
  ],
  [
    'the value of a point in both entries of settled earnings',
    [`update entry set micro_sar_per_point = micro_sar_per_point * 2 where kind = 'earn' and created_at < ${closed}`],
    ['settled_entries'],
  ],
  [
    'both entries, the transfer and the payment of an order, into a closed period',
    [
      earlier('orders', 'paid_at', `paid_at > ${closed}`),
      earlier('transfer', 'created_at', `created_at > ${closed}`),
      earlier('entry', 'created_at', `created_at > ${closed}`),
    ],
    ['settled_entries'],
  ],
  [
    'deleted money of a provider',
    [`delete from provider_money where kind = 'collected' and created_at > ${closed}`],
    ['provider_money'],
  ],
  [
    'raised money of a provider',
    [`update provider_money set amount_halalas = amount_halalas + 100000 where kind = 'collected'`],
    ['provider_money', 'settled_entries'],
  ],
  ['deleted money that went back', [`delete from provider_money where kind = 'paid_back'`], ['provider_money']],
  [
    'raised money that went back',
    [`update provider_money set amount_halalas = amount_halalas + 1 where kind = 'paid_back'`],
    ['provider_money'],
  ],
  ['a deleted payment whose money is recorded', [`delete from order_payment where state = 'paid'`], ['provider_money']],
  [
    'a payment that is said to have failed, whose money is recorded',
    [`update order_payment set state = 'failed' where state = 'paid'`],
    ['provider_money'],
  ],
  [
    'money of a provider for an order that no provider was paid for',
    [
      `insert into provider_money (program_id, money_uuid, merchant_id, order_uuid, kind, amount_halalas, booked_at, created_at)
       select program_id, gen_random_uuid(), merchant_id, order_uuid, 'collected', 5000, ${closed}, paid_at from orders
       where type = 1 and paid_at > ${closed} limit 1`,
    ],
    ['provider_money'],
  ],
  [
    'money of a provider that counts for another merchant',
    [`update provider_money set merchant_id = merchant_id + 1 where kind = 'paid_back'`],
    ['provider_money'],
  ],
  [
    'a closed settlement without an amount that is due',
    ['update settlement set due_halalas = null, money_halalas = null'],
    ['settlement_lines'],
  ],
  [
    'a deleted settlement of nothing but an order without points',
    [
      'delete from settlement s where not exists (select from settlement_line l where l.settlement_id = s.settlement_id)',
    ],
    ['settled_entries'],
  ],
  [
    'missing money of an order that was not reversed',
    [`update provider_money set kind = 'missing' where kind = 'paid_back'`],
    ['provider_money'],
  ],
]

it('finds nothing where nothing was altered', async () => {
  expect((await afterAltering([])).differences).toEqual([])
})

it.each(altered)('finds %s', async (_, statements, found) => {
  const names = (await afterAltering(statements)).differences.map(({ check }) => check)
  for (const name of found) expect(names).toContain(name)
})
