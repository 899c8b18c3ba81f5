import type { Database } from '../../db/pool.ts'
import type { OffsetClock } from '../../lib/clock.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import { findDeployment } from './queries.ts'

const poll_ms = 500

/**
 * Sets a sandbox's clock to the offset in the database, twice a second, and calls `followed` after each change. Without the
 * database the clock keeps its offset. docs/spec/operation.md#clock
 * @returns a function that stops it
 */
export function followClock(db: Database, clock: OffsetClock, followed: () => Promise<void>): () => Promise<void> {
  return startWorkerLoop({
    async work() {
      const offset_s = (await db.one(findDeployment()))?.clock_offset_s ?? 0
      if (offset_s === clock.offset_s) return
      clock.setOffset(offset_s)
      await followed()
    },
    ...{ pause_ms: poll_ms, first_pause_ms: poll_ms, failure_pause_ms: poll_ms, stop_patience_ms: 0 },
  })
}
