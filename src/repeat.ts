import { setTimeout as sleep } from 'node:timers/promises'

export interface Repeated {
  readonly every_ms: number
  /** Runs to its end before it is run again. */
  readonly work: () => Promise<unknown>
  /** Told once for each time that trouble begins. */
  readonly warn: (error: unknown) => void
}

/** What runs is given this long to end; what does not is found by the next process. */
const stop_patience_ms = 15_000

/**
 * Runs `work` at once, and again a while after each run has ended, whether it went well or not.
 * @returns what ends it, and waits a while for the run under way
 */
export function repeat({ every_ms, work, warn }: Repeated): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    let well = true
    while (!signal.aborted) {
      try {
        await work()
        well = true
      } catch (error) {
        if (well) warn(error)
        well = false
      }
      await sleep(every_ms, undefined, { signal }).catch(() => undefined)
    }
  }

  const running = run()
  return async () => {
    stopping.abort()
    await Promise.race([running, sleep(stop_patience_ms, undefined, { ref: false })])
  }
}
