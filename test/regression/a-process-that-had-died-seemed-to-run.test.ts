import { expect, it } from 'vitest'
import { readHealth } from '../../src/features/deployment/health.ts'
import { writeProcess } from '../../src/features/deployment/process-queries.ts'
import { findRunning } from '../../src/features/deployment/processes.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { testDatabase } from '../support/database.ts'

// A process that died while the clock of its machine was a day ahead was said to run, and to do its jobs, until that day was over.

const database = testDatabase()

it.each([
  ['a day ahead, when its clock has been set back', 86_400_000, 'silent'],
  ['now', 0, 'running'],
  ['by a clock that is a little ahead', 20_000, 'running'],
])('a process that was last seen %s', async (_, ahead_ms, life) => {
  const host = `host of ${newUuid()}`
  const name = {
    process_uuid: newUuid(),
    role: 'worker',
    version: '0.1.0',
    host,
    pid: 11,
    started_at: new Date(),
  } as const
  const facts = { node: '26', jobs: [], checks: null, certificate_ends_on: null }
  await database.db.run(writeProcess(name, facts, new Date(Date.now() + ahead_ms)))
  expect((await readHealth(database.db)).processes.find((one) => one.host === host)).toMatchObject({ life })
  expect((await findRunning(database.db)).some((one) => one.host === host)).toBe(life === 'running')
})
