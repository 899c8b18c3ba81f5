import type { JobRecord } from '../../lib/job-book.ts'
import { startStepLoop } from '../../lib/step-loop.ts'
import type { Log } from '../../observability/log.ts'
import { type CountParts, createCount } from './count.ts'

/** Later, because a start is busy enough. */
const first_pause_ms = 5_000
const pause_ms = 5_000

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
  return startStepLoop({
    ...createCount({ onRebuild, ...parts }),
    first_pause_ms,
    pause_ms,
    record,
    onFailure: (error) => log.warn({ err: error }, 'the daily figures could not be kept and are tried again'),
  })
}
