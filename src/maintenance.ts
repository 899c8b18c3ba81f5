import type { OpenDatabase } from './db/pools.ts'
import { makePartitions } from './db/prepare.ts'
import type { Log } from './log.ts'

const day_ms = 86_400_000
const retry_ms = 600_000

/**
 * Makes the partitions of the months ahead once a day; the start has just made today's.
 * @returns what ends it
 */
export function startMaintenance(open: OpenDatabase, log: Log): () => void {
  let timer = setTimeout(run, day_ms)
  let stopped = false

  function run(): void {
    makePartitions(open, (line) => log.warn(line)).then(
      () => again(day_ms),
      (error: unknown) => {
        log.warn({ err: error }, 'the daily maintenance failed and is tried again in ten minutes')
        again(retry_ms)
      },
    )
  }

  function again(pause_ms: number): void {
    if (!stopped) timer = setTimeout(run, pause_ms)
  }

  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
