import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Database } from '../../src/db/pool.ts'

/** Polls until the condition is true. The limit only ends a test that would hang. */
export async function waitFor(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { limit_ms = 180_000 } = {},
): Promise<void> {
  const deadline_ms = Date.now() + limit_ms
  while (!(await isSo())) {
    if (Date.now() > deadline_ms) throw new Error(`waited in vain for ${what}`)
    await sleep(20)
  }
}

/** Waits until this many statements on the test's database wait for a lock. On a cluster they wait on any of its nodes. */
export function waitForLocks(owner: Database, count = 1): Promise<void> {
  const activity = inject('server').of_workers.length > 0 ? 'citus_stat_activity' : 'pg_stat_activity'
  const text = `select from ${activity} where datname = current_database() and wait_event_type = 'Lock'`
  return waitFor(`${count} to wait for a lock`, async () => (await owner.run({ text, values: [] })).length >= count)
}

/** The pause of a client between two requests. Nothing may depend on how long it is. */
export function restOfClient(rest_ms = 20): Promise<void> {
  return sleep(rest_ms)
}
