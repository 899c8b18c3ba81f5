import { beforeAll, expect, it } from 'vitest'
import type { QuickCheck } from '../../src/db/checks/quick.ts'
import { transferCheck, walletCheck } from '../../src/db/checks/quick-ledger.ts'
import { orderCheck, refundCheck } from '../../src/db/checks/quick-orders.ts'
import { uuidV7Floor } from '../../src/domain/ids.ts'
import { testDatabase } from '../support/database.ts'
import { makeLarge } from '../support/large.ts'
import type { PlanNode } from '../support/plans.ts'

// The transfers of an order that is paid some time after it was opened are looked up. Each look-up read the whole table:
// 1,000 such orders took 19 s among 100,000 transfers.

const database = testDatabase({
  leaves: ['ledger differences', 'open holds', 'due deliveries', 'due messages', 'due payment tasks'],
})

beforeAll(async () => {
  await makeLarge(database.owner)
  await database.owner.script('vacuum analyze')
})

/** The tables that the subqueries of a plan read as a whole. A lateral one is part of a join, below its limit. */
const readWhole = (node: PlanNode, inSubquery = false): string[] => {
  const inside = inSubquery || node['Parent Relationship'] === 'SubPlan' || node['Node Type'] === 'Limit'
  const own = inside && node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap((part) => readWhole(part, inside))]
}

async function planOf({ sql, settings = [] }: QuickCheck): Promise<PlanNode> {
  const reports = database.connect({ plans: 'whole_tables', size: 1 })
  const [from, to] = [uuidV7Floor(Date.now() - 86_400_000), uuidV7Floor(Date.now())]
  const values = [1, from, to, uuidV7Floor(0), from, to]
  const explain = { text: `explain (format json) ${sql}`, values }
  const found = await reports.transaction((tx) => tx.one<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain), { settings })
  const [plan] = found?.['QUERY PLAN'] ?? []
  if (plan === undefined) throw new Error('there is no plan')
  return plan.Plan
}

it.each([transferCheck, orderCheck, refundCheck])('$name are looked up by their keys', async (check) => {
  const large = ['transfer', 'entry', 'orders', 'account', 'hold', 'order_refund']
  expect(readWhole(await planOf(check)).filter((table) => large.includes(table))).toEqual([])
})

/** The steps of a plan, the root first. */
const stepsOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(stepsOf)]

// By the index they cost four times as much, and a look-up for each wallet far more.
it('wallets are compared with their entries, which are read once, page by page', async () => {
  const steps = stepsOf(await planOf(walletCheck))
  expect(steps.filter((step) => /^(Nested Loop|Index|Memoize)/.test(step['Node Type']))).toEqual([])
  const entries = steps.filter((step) => step['Relation Name'] === 'entry').map((step) => step['Node Type'])
  expect(entries).toEqual([expect.stringMatching(/^(Seq|Bitmap Heap) Scan$/)])
})
