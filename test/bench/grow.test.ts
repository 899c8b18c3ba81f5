import { beforeAll, expect, it } from 'vitest'
import { makeDailyFigures } from '../../src/bench/daily-figures.ts'
import { customersSql, type Growth, growSql } from '../../src/bench/grow.ts'
import { daysFromEntries, daysOf } from '../support/activity.ts'
import { testDatabase } from '../support/database.ts'
import { makeMerchants } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'

const database = testDatabase()
let growth: Growth

beforeAll(async () => {
  const merchants = await makeMerchants(database.db, 3)
  growth = {
    program_id: merchants[0]?.program_id ?? 0,
    first_merchant: Math.min(...merchants.map(({ merchant_id }) => merchant_id)),
    ...{ merchants: merchants.length, customers: 20, orders: 110 },
    ...{ from_ms: Date.now() - 3 * 86_400_000, every_ms: 1_800_000 },
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
