import type { Database } from '../../db/pool.ts'
import type { OffsetClock } from '../../lib/clock.ts'
import { findDeployment } from './queries.ts'

const poll_ms = 500

/**
 * Sets a sandbox's clock to the offset in the database, twice a second. Without the database the clock keeps its
 * offset. docs/spec/operation.md#clock
 * @returns a function that stops it
 */
export function followClock(db: Database, clock: OffsetClock): () => void {
  let asking = false
  const timer = setInterval(() => {
    if (asking) return
    asking = true
    db.one(findDeployment())
      .then((deployment) => clock.setOffset(deployment?.clock_offset_s ?? 0))
      .catch(() => undefined)
      .finally(() => {
        asking = false
      })
  }, poll_ms)
  timer.unref()
  return () => clearInterval(timer)
}
