import { setTimeout as sleep } from 'node:timers/promises'
import type { RunDueTasks } from './tasks.ts'

const standard_poll_ms = 1_000
const stop_patience_ms = 15_000
const pause_in_trouble_ms = 5_000

export interface PaymentWorkerParts {
  readonly runDueTasks: RunDueTasks
  /** Told once for each time that trouble begins. */
  readonly warn: (error: unknown, text: string) => void
  readonly poll_ms?: number
}

/**
 * Looks for what providers are to be told, again and again.
 * @returns what ends it, and waits a while for what is under way
 */
export function startPaymentWorker(parts: PaymentWorkerParts): () => Promise<void> {
  const stopping = new AbortController()
  const working = work(parts, stopping.signal)
  return async () => {
    stopping.abort()
    // What takes longer is found by the next worker, once its lease has run out.
    await Promise.race([working, sleep(stop_patience_ms, undefined, { ref: false })])
  }
}

async function work(
  { runDueTasks, warn, poll_ms = standard_poll_ms }: PaymentWorkerParts,
  signal: AbortSignal,
): Promise<void> {
  let well = true
  while (!signal.aborted) {
    try {
      await runDueTasks()
      well = true
    } catch (error) {
      if (well) warn(error, 'what payment providers are to be told could not be read and is tried again')
      well = false
    }
    await sleep(well ? poll_ms : pause_in_trouble_ms, undefined, { signal }).catch(() => undefined)
  }
}
