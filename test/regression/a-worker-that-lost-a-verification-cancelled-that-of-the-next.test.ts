import { expect, it } from 'vitest'
import { verifyLedger } from '../../src/db/verify.ts'
import { startLedgerRuns } from '../../src/features/deployment/ledger-run-job.ts'
import { createLedgerRuns } from '../../src/features/deployment/ledger-runs.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait.ts'

// A worker that was frozen for longer than its lease ended its statements when it went on. They were found by the name of
// the run, so those of the worker that had the run by then ended too, and a third one had to begin again.

const database = testDatabase()
const sleeping = (what: string) => ({
  text: `select ${what} from pg_stat_activity where datname = current_database() and state = 'active'
    and query = 'select pg_sleep(600)'`,
  values: [],
})
const log = { info: () => undefined, warn: () => undefined }

it('a worker that has lost its verification leaves that of the next worker alone', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  const runs = createLedgerRuns(database.db)
  await runs.begin(program_id, { source: 'dashboard', name: 'operator@nuqta.example' })
  const first: typeof verifyLedger = async (_, { signal } = {}) => {
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    throw signal?.reason
  }
  const stopFirst = startLedgerRuns({ db: database.db, log, poll_ms: 20, verify: first })
  const last = async () => (await runs.list(program_id, 1))[0]
  await waitFor('the first worker to begin', async () => (await last())?.attempts === 1)
  const second: typeof verifyLedger = async (reports, options) => {
    const long = reports.run({ text: 'select pg_sleep(600)', values: [] }).catch(() => undefined)
    await waitFor('the long statement', async () => (await database.db.run(sleeping('pid'))).length === 1)
    await stopFirst()
    await waitFor('its last statement', () => database.db.connections.total === database.db.connections.idle)
    if ((await database.db.run(sleeping('pid'))).length === 0) throw new Error('the long statement was ended')
    await database.db.run(sleeping('pg_cancel_backend(pid)'))
    await long
    return verifyLedger(reports, options)
  }
  const stopSecond = startLedgerRuns({ db: database.db, log, poll_ms: 20, verify: second })
  // As if the first worker had been frozen: it hears within a second that it has lost the run.
  await waitFor('the second worker to begin', async () => {
    await database.owner.script(`update ledger_run set leased_until = now() - interval '1 s' where attempts = 1`)
    return (await last())?.attempts === 2
  })
  await waitFor('the run to end', async () => (await last())?.ended_at !== null)
  expect(await last()).toMatchObject({ state: 'done', attempts: 2, differences: 0 })
  await stopSecond()
})
