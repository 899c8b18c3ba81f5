import { expect, it } from 'vitest'
import type { Queryable } from '../../src/db/pool.ts'
import { setForTables } from '../../src/db/session-settings.ts'
import { makeProgram } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

// A session's planner settings end at the coordinator of a cluster. Its workers planned the verification of a new program,
// before statistics, as nested loops over whole tables: ten minutes for 10,000 transfers.

const database = testDatabase()
const asked = { loops: 'off', memory: '64MB' }

/** The settings where the rows of a new program are. */
async function settingsFor(run: (text: string, program_id: number) => ReturnType<Queryable['one']>) {
  const { program_id } = await makeProgram(database.db)
  return run(
    `select current_setting('enable_nestloop') as loops, current_setting('work_mem') as memory
     from account where program_id = $1 limit 1`,
    program_id,
  )
}

it('a report is planned by its settings where its rows are', async () => {
  const reports = database.connect({ plans: 'whole_tables' })
  expect(await settingsFor((text, id) => reports.one({ text, values: [id] }))).toEqual(asked)
})

// Only the pools of reports told the workers. Of the rules after a file of tests, one took up to 14 s, and files failed at 15 s.
it('a transaction of any pool can ask for the same', async () => {
  const { owner } = database
  const found = await settingsFor((text, id) =>
    owner.transaction((tx) => tx.one({ text, values: [id] }), { settings: setForTables }),
  )
  expect(found).toEqual(asked)
})
