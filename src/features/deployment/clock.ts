import type { Database } from '../../db/pool.ts'
import type { OffsetClock } from '../../lib/clock.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import { findDeployment } from './queries.ts'

const poll_ms = 500

/**
 * Keeps a sandbox's clock where the database says: every process follows `nuqta clock` within a second. While the
 * database is away the clock stays as it is.
 * @returns a function that stops it
 */
export function followClock(db: Database, clock: OffsetClock): () => Promise<void> {
  return startWorkerLoop({
    work: async () => clock.setOffset((await db.one(findDeployment()))?.clock_offset_s ?? 0),
    ...{ pause_ms: poll_ms, first_pause_ms: poll_ms, failure_pause_ms: poll_ms, stop_patience_ms: 0 },
  })
}
