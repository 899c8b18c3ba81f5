import { setTimeout as sleep } from 'node:timers/promises'
import type { JobRecord } from '../../lib/job-book.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import { type CountParts, createCount } from './count.ts'

/** Later, because a start is busy enough. */
const first_pause_ms = 5_000
const pause_ms = 5_000
/** The pause after a step, as a part of the time that it took: earnings have the rest of the database. */
const rest_share = 1
/** Steps in one program before the next has its turn. */
const most_steps = 50

/**
 * Starts the background job that keeps the daily figures of merchants.
 * @returns a function that stops it
 */
export function startActivityJob({
  log,
  record,
  ...parts
}: CountParts & { readonly log: Log; readonly record?: JobRecord }): () => Promise<void> {
  const onRebuild = (of: object): void => log.info(of, 'the daily figures of a program are made again')
  const count = createCount({ onRebuild, ...parts })
  let stopping = false
  const inTurn = async (program_id: number): Promise<boolean> => {
    for (let steps = 0; steps < most_steps; steps += 1) {
      const started_ms = performance.now()
      if (stopping || !(await count.step(program_id))) return false
      await sleep((performance.now() - started_ms) * rest_share)
    }
    return true
  }
  const stop = startWorkerLoop({
    async work() {
      for (let left = await count.programs(); left.length > 0 && !stopping; ) {
        const next: number[] = []
        for (const program_id of left) if (await inTurn(program_id)) next.push(program_id)
        left = next
      }
    },
    ...{ first_pause_ms, pause_ms, record },
    onFailure: (error) => log.warn({ err: error }, 'the daily figures could not be kept and are tried again'),
  })
  return async () => {
    stopping = true
    await stop()
  }
}
