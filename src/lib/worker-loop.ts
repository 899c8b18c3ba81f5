import { setTimeout as sleep } from 'node:timers/promises'
import type { JobRecord } from './job-book.ts'

export interface WorkerLoop {
  /** One round. It may end early once the loop is stopping. */
  readonly work: (stopping: AbortSignal) => Promise<unknown>
  /** Between the end of one round and the start of the next. */
  readonly pause_ms: number
  /** Before the first round; unless given, it begins at once, or after those of loops that were started just before. */
  readonly first_pause_ms?: number
  /** After a round that failed; 5 s unless given. */
  readonly failure_pause_ms?: number
  /** Called with the first error of a series of failed rounds. */
  readonly onFailure?: (error: unknown) => void
  /** Calls `onFailure` for every failed round. */
  readonly reports_every_failure?: boolean
  /** How long a stop waits for the round under way; 15 s unless given. */
  readonly stop_patience_ms?: number
  /** Where the rounds are written down, for operators. */
  readonly record?: JobRecord | undefined
}

/**
 * Runs `work` again and again, one round at a time, until it is stopped.
 * @returns a function that stops the loop and waits for the round under way
 */
export function startWorkerLoop(loop: WorkerLoop): () => Promise<void> {
  const stopping = new AbortController()
  const rounds = runRounds(loop, stopping.signal)
  return async () => {
    stopping.abort()
    await Promise.race([rounds, sleep(loop.stop_patience_ms ?? 15_000, undefined, { ref: false })])
  }
}

/** A process starts a dozen loops. Rounds at the same moment would need a connection each, then and ever after. */
const apart_ms = 40
let last_begin_ms = 0

/** How long the first round waits for its turn. */
function turn_ms(): number {
  const now_ms = performance.now()
  last_begin_ms = Math.max(now_ms, last_begin_ms + apart_ms)
  return last_begin_ms - now_ms
}

async function runRounds(loop: WorkerLoop, signal: AbortSignal): Promise<void> {
  const { work, pause_ms, first_pause_ms = turn_ms(), failure_pause_ms = 5_000, record } = loop
  const { onFailure, reports_every_failure } = loop
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  if (first_pause_ms > 0) await pause(first_pause_ms)
  let failing = false
  while (!signal.aborted) {
    record?.begins()
    try {
      await work(signal)
      failing = false
      record?.ends(pause_ms, undefined)
    } catch (error) {
      record?.ends(failure_pause_ms, error ?? 'unknown')
      if (!failing || reports_every_failure) onFailure?.(error)
      failing = true
    }
    await pause(failing ? failure_pause_ms : pause_ms)
  }
}
