import type { Database } from '../../db/pool.ts'
import type { OffsetClock } from '../../lib/clock.ts'
import { findDeployment } from './queries.ts'

const poll_ms = 500

/**
 * Keeps a sandbox's clock where the database says (settings-and-commands, `clock`: every process follows within a
 * second). While the database is away the clock stays as it is.
 * @returns what ends it
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
