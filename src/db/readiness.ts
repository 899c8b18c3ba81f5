import type { Database } from './pool.ts'

/** How long an answer is good for, so that any number of probes cost one write a second. */
const fresh_ms = 1_000

/**
 * Tells whether the service can serve: the database is within reach and takes writes.
 * @param now milliseconds that only grow
 * @returns what is asked as often as one likes; at most one probe is under way
 */
export function createReadiness(
  db: Pick<Database, 'isWritable'>,
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  let answered_ms: number | undefined
  return () => {
    const isOld = answered_ms !== undefined && now() - answered_ms >= fresh_ms
    if (asked !== undefined && !isOld) return asked
    answered_ms = undefined
    asked = db.isWritable().finally(() => {
      answered_ms = now()
    })
    return asked
  }
}
