import { errorCode } from '../lib/errors.ts'
import type { Log } from './log.ts'

const every_ms = 1_000

/**
 * Gives a function that logs what keeps the database from answering. During an outage every request fails, each with the same
 * stack: an entry for each reason a second is enough, because the line of a request says that it failed so. `left_out` is how
 * many failures had no entry since the one before.
 */
export function outageLog(
  log: Log,
  now_ms: () => number = () => performance.now(),
): (entry: { readonly err: unknown }) => void {
  const told = new Set<string>()
  let [began_ms, left_out] = [Number.NEGATIVE_INFINITY, 0]
  return (entry) => {
    if (now_ms() - began_ms >= every_ms) {
      told.clear()
      began_ms = now_ms()
    }
    const reason = errorCode(entry.err) ?? String(entry.err)
    if (told.has(reason)) left_out += 1
    else {
      told.add(reason)
      log.warn(left_out === 0 ? entry : { ...entry, left_out }, 'database unavailable')
      left_out = 0
    }
  }
}
