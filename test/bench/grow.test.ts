import { beforeAll, expect, it } from 'vitest'
import { makeDailyFigures } from '../../src/bench/daily-figures.ts'
import { chooseOrder, customersSql, type GrownOrder, type Growth, growSql } from '../../src/bench/grow.ts'
import { findReads } from '../../src/bench/reads.ts'
import type { MerchantKeys } from '../../src/bench/server.ts'
import { day_ms } from '../../src/domain/spans.ts'
import { Random } from '../../src/lib/random.ts'
import { daysFromEntries, daysOf } from '../support/activity.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'

const database = testDatabase()
let growth: Growth

/** All orders, as the database has them. */
const orders = () =>
  database.db.run<GrownOrder>({
    text: `select o.order_uuid, o.order_number, o.reference_number, o.merchant_id, o.customer_id, c.phone
      from orders o join customer c using (program_id, customer_id) where program_id = $1 order by o.order_uuid`,
    values: [growth.program_id],
  })

beforeAll(async () => {
  const merchants = await earningMerchants(database.db, 3)
  growth = {
    program_id: merchants[0]?.program_id ?? 0,
    first_merchant: Math.min(...merchants.map(({ merchant_id }) => merchant_id)),
    ...{ merchants: merchants.length, customers: 20, orders: 110 },
    ...{ from_ms: Date.now() - 3 * day_ms, every_ms: 1_800_000 },
  }
  await database.owner.script(customersSql(growth.program_id, growth.customers))
  for (const sql of growSql(growth)) await database.owner.script(sql)
})

it('grows a ledger that verifies', async () => {
  expect(await ledgerDifferences(database.db)).toEqual([])
})

it('makes the daily figures of all orders, and the customers of each merchant', async () => {
  await makeDailyFigures(database.url)
  const days = await daysOf(database.db, growth.program_id)
  expect(days).toEqual(await daysFromEntries(database.db, growth.program_id))
  expect(days.reduce((sum, day) => sum + Number(day['purchases']), 0)).toBe(growth.orders)
  const [customers] = await database.db.run({
    text: 'select sum(orders)::integer as orders from merchant_customer where program_id = $1',
    values: [growth.program_id],
  })
  expect(customers).toEqual({ orders: growth.orders })
})

it('chooses among all orders, and knows each without reading it', async () => {
  const choose = (seed: string, count: number) => {
    const random = new Random(seed)
    return Array.from({ length: count }, () => chooseOrder(growth, random))
  }
  const byId = new Map(choose('orders', 1_000).map((order) => [order.order_uuid, order]))
  expect([...byId.keys()].sort().map((id) => byId.get(id))).toEqual(await orders())
  expect(choose('orders', 20)).toEqual(choose('orders', 20))
  expect(choose('orders', 20)).not.toEqual(choose('others', 20))
})

it('reads old and new orders of each merchant, and never one of another', async () => {
  const made = await orders()
  const ids = [...new Set(made.map(({ merchant_id }) => merchant_id))].sort((a, b) => a - b)
  const keys = ids.map((merchant_id): MerchantKeys => {
    return { merchant_id, program_id: growth.program_id, public_key: '', private_key: `key of ${merchant_id}` }
  })
  const reads = await findReads(database.db, keys)
  expect(reads.slice(0, 4).map(({ private_key }) => private_key)).toEqual(
    [...ids, ids[0]].map((merchant_id) => `key of ${merchant_id}`),
  )
  const own = new Map(
    made.map(({ order_uuid, merchant_id }) => [`/api/v1/orders/${order_uuid}`, `key of ${merchant_id}`]),
  )
  expect(reads.filter(({ path, private_key }) => own.get(path) !== private_key)).toEqual([])
  // Of the 50 reads of a merchant, about one in four repeats another.
  for (const key of new Set(own.values())) {
    const paths = new Set(reads.filter(({ private_key }) => private_key === key).map(({ path }) => path))
    expect(paths.size).toBeGreaterThan(20)
  }
})
