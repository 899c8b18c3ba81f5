import { expect, test } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import { startHeartbeat } from '../../src/features/deployment/processes.ts'
import { JobBook } from '../../src/lib/job-book.ts'

// What went wrong: a stop began by writing that the process ends. While the database hung, that took all the time that requests
// have to finish: the drain began fifteen seconds late, and the rest was cut off.

test('a stop does not wait for a database that hangs', async () => {
  let asked = 0
  const hanging = new Promise<never>(() => undefined)
  const run = (): Promise<never> => {
    asked += 1
    return hanging
  }
  const { stop } = startHeartbeat({
    db: { run } as unknown as Database,
    about: { role: 'api', version: '0', host: 'here', pid: 1 },
    jobs: new JobBook(),
    examine: async () => [],
    certificateEnd: () => null,
  })
  await stop()
  expect(asked).toBeGreaterThan(0)
})
