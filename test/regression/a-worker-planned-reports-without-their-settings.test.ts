import { expect, it } from 'vitest'
import { makeProgram } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

// A session's planner settings end at the coordinator of a cluster. Its workers planned the verification of a new program,
// before statistics, as nested loops over whole tables: ten minutes for 10,000 transfers.

const database = testDatabase()

it('a report is planned by its settings where its rows are', async () => {
  const { program_id } = await makeProgram(database.db)
  const reports = database.connect({ plans: 'whole_tables' })
  const text = `select current_setting('enable_nestloop') as loops, current_setting('work_mem') as memory
    from account where program_id = $1 limit 1`
  expect(await reports.one({ text, values: [program_id] })).toEqual({ loops: 'off', memory: '64MB' })
})
