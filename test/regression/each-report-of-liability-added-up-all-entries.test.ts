import { expect, it } from 'vitest'
import { liabilityChecks } from '../../src/db/checks/liability.ts'
import { setForTables } from '../../src/db/session-settings.ts'
import { first_uuid } from '../../src/domain/ids.ts'
import { testDatabase } from '../support/database.ts'
import type { PlanNode } from '../support/plans.ts'

// Reports are compared with the entries by an inequality, so by a nested loop. It repeated the sum of all entries for each
// report, and the list of reports for each entry: with statistics of empty tables, 400 reports of 50,000 entries took more
// than 20 s.

const database = testDatabase()

/** Sums that a nested loop may repeat: those below it, without the parts of a query that are made once. */
function repeated(node: PlanNode, inLoop = false): string[] {
  const type = node['Node Type']
  const below = node['Parent Relationship'] === 'InitPlan' ? false : inLoop
  const own = below && /Agg/.test(type) ? [type] : []
  return [...own, ...(node.Plans ?? []).flatMap((part) => repeated(part, below || type === 'Nested Loop'))]
}

it.each(liabilityChecks)('$name adds up the entries once', async ({ sql }) => {
  const explain = {
    text: `explain (format json) select * from (${sql}) f where $2::uuid is not null`,
    values: [1, first_uuid],
  }
  const found = await database.owner.transaction((tx) => tx.one<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain), {
    settings: setForTables,
  })
  expect(found?.['QUERY PLAN'].flatMap(({ Plan }) => repeated(Plan))).toEqual([])
})
