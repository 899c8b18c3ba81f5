import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { findLedgerOf, findPage, type OrderFilter } from '../../src/features/orders/list-queries.ts'
import { testDatabase } from '../support/database.ts'
import { leaveUnobserved, makeLarge } from '../support/large.ts'
import { pagesOf, rowsRead, stepsOf } from '../support/reads.ts'

// With 5,000,000 orders `nuqta orders list` took minutes, and 21 s for one merchant: no index gave their order.

const database = testDatabase({
  leaves: ['ledger differences', 'open holds', 'due deliveries', 'due messages', 'due payment tasks'],
})

let db: Database

beforeAll(async () => {
  db = database.connect({ plans: 'by_order' })
  await leaveUnobserved(database.owner)
  await makeLarge(database.owner)
}, 300_000)

/** The indexes that read orders, the number of orders read, and the pages read in all. */
async function reading(
  filter: Omit<OrderFilter, 'program_id'>,
  before?: Uuid,
): Promise<{ by: string[]; rows: number; pages: number }> {
  const steps = await stepsOf(db, findPage({ program_id: 1, ...filter }, { before, size: 51 }))
  const found = steps.filter(
    (node) => node['Relation Name'] === 'orders' || node['Index Name']?.startsWith('orders_') === true,
  )
  return {
    by: [...new Set(found.map((node) => node['Index Name'] ?? 'the whole table'))].sort(),
    rows: Math.max(0, ...found.map(rowsRead)),
    pages: pagesOf(steps),
  }
}

describe.each(['never analysed', 'analysed'])('20,000 orders, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await database.owner.script('analyze')
  })

  test.each<[string, Omit<OrderFilter, 'program_id'>, string[]]>([
    ['all', {}, ['orders_pkey']],
    ['of a merchant', { merchant_id: 77 }, ['orders_merchant_idx']],
    ['of a phone', { phone: '510000077' }, ['orders_customer_idx']],
    ['in a state', { status: 'captured' }, ['orders_status_idx']],
    ['in a state that no order is in', { status: 'cancelled' }, ['orders_status_idx']],
    ['with a number', { order_number: 'grown-777' }, ['orders_earning_key', 'orders_number_idx', 'orders_pkey']],
  ])('%s', async (_, filter, by) => {
    const found = await reading(filter)
    expect(found.by).toEqual(by)
    expect(found.rows).toBeLessThanOrEqual(120)
    expect(found.pages).toBeLessThanOrEqual(10_000)
  })

  // With 5,000,000 orders it took 6 s: it read all transfers in the order of their references.
  test('the ledger of a page reads the transfers of its orders', async () => {
    const page = await db.run(findPage({ program_id: 1 }, { before: undefined, size: 50 }))
    const steps = await stepsOf(
      db,
      findLedgerOf(
        1,
        page.map(({ order_uuid }) => order_uuid),
      ),
    )
    const read = steps.filter(({ 'Relation Name': table }) => table === 'transfer' || table === 'entry').map(rowsRead)
    expect([page.length, read.length]).toEqual([50, 2])
    expect(Math.max(...read)).toBeLessThanOrEqual(250)
  })
})
