import { expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'

// Requests plan without sequential scans. Up to PostgreSQL 17 a table of a few rows that has to be scanned then cost 10^10,
// so JIT compiled the statement each time: 28 ms to list three programs, on every page of the wallet.

const database = testDatabase()

it.each(['by_key', 'by_order', 'whole_tables'] as const)('no statement is compiled with plans %s', async (plans) => {
  const pool = database.connect({ plans })
  expect(await pool.one({ text: 'show jit', values: [] })).toEqual({ jit: 'off' })
  const text = 'explain (analyze, verbose) select * from program order by created_at, program_id'
  const lines = await pool.run<{ 'QUERY PLAN': string }>({ text, values: [] })
  expect(lines.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('JIT')
})

// A node of a cluster compiles by its own setting: a verification of some orders took 10 s there.
it('no statement of a report is compiled on the node that has the rows', async () => {
  const pool = database.connect({ plans: 'whole_tables' })
  const text = `explain (analyze, verbose) select from transfer a join transfer b on a.transfer_id < b.transfer_id
    where a.program_id = 1 and b.program_id = 1`
  const lines = (await pool.run<{ 'QUERY PLAN': string }>({ text, values: [] })).map((line) => line['QUERY PLAN'])
  expect(lines.join('\n')).toContain('Nested Loop')
  expect(lines.join('\n')).not.toContain('JIT')
})
