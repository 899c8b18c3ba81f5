import { expect, it } from 'vitest'
import { readHealth } from '../../src/features/deployment/health.ts'
import { startHeartbeat } from '../../src/features/deployment/processes.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { JobBook } from '../../src/lib/job-book.ts'
import { testDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait.ts'

// The checks came before the report of each process. Where one failed, as by a statement that took too long, the process did
// not report at all: operators saw it as dead, and its jobs not at all.

const database = testDatabase()

it('a process whose checks fail still says that it runs, and does not repeat them at once', async () => {
  const about = { role: 'worker', version: '0.1.0', host: `host of ${newUuid()}`, pid: 9 } as const
  const jobs = new JobBook()
  jobs.of('expiry')
  let examined = 0
  const examine = async () => {
    examined += 1
    throw new Error('canceling statement due to statement timeout')
  }
  const { stop } = startHeartbeat({ db: database.db, about, jobs, examine, certificateEnd: () => null })
  const seen = async () => (await readHealth(database.db)).processes.find(({ host }) => host === about.host)
  await waitFor('the process to report', async () => examined === 1 && (await seen()) !== undefined)
  expect(await seen()).toMatchObject({ life: 'running', facts: { jobs: [{ name: 'expiry' }], checks: null } })
  await stop()
  expect(examined).toBe(1)
})
