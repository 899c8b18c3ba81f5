import { setTimeout as sleep } from 'node:timers/promises'

const pause_in_trouble_ms = 5_000
const stop_patience_ms = 15_000

export interface WorkerLoop {
  readonly work: () => Promise<unknown>
  /** Between the end of one round and the next. */
  readonly pause_ms: number
  /** Told once for each time that trouble begins. */
  readonly onTrouble: (error: unknown) => void
}

/**
 * Does something again and again, one round at a time, more slowly while it fails.
 * @returns what ends it, and waits a while for the round that is under way
 */
export function startWorkerLoop(loop: WorkerLoop): () => Promise<void> {
  const stopping = new AbortController()
  const rounds = repeat(loop, stopping.signal)
  return async () => {
    stopping.abort()
    await Promise.race([rounds, sleep(stop_patience_ms, undefined, { ref: false })])
  }
}

async function repeat({ work, pause_ms, onTrouble }: WorkerLoop, signal: AbortSignal): Promise<void> {
  let well = true
  while (!signal.aborted) {
    try {
      await work()
      well = true
    } catch (error) {
      if (well) onTrouble(error)
      well = false
    }
    await sleep(well ? pause_ms : pause_in_trouble_ms, undefined, { signal }).catch(() => undefined)
  }
}
