import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lockDataDirectory } from '../../src/config/data-directory.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'

// What went wrong: a start waited by the machine's clock. When NTP set that after a boot, the start ended the PostgreSQL that it had
// just begun, and no longer waited for a database or for the process before it.

test('a clock that is set does not end the wait for the database', async () => {
  const root = await mkdtemp(join(tmpdir(), 'nuqta clock '))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
  const dir = await openWithCluster(join(root, 'data'))
  const before = await lockDataDirectory(dir)
  let now_ms = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (now_ms += 3_600_000))
  onTestFinished(() => void vi.restoreAllMocks())
  const told: string[] = []
  const progress = (text: string): void => {
    told.push(text)
    void before?.release()
  }
  const open = await openDatabase({ database_url: undefined, migration_url: undefined }, dir, {
    as: 'serve',
    progress,
    ...{ log: () => undefined, warn: () => undefined },
  })
  onTestFinished(() => open.close())
  expect(told).toEqual(['Waiting for another process that uses the data directory'])
  expect(await open.service.run({ text: 'select 1 as one', values: [] })).toEqual([{ one: 1 }])
})
