import type { JobRecord } from '../../lib/job-book.ts'
import { startStepLoop } from '../../lib/step-loop.ts'
import type { Log } from '../../observability/log.ts'
import { createMake, type MakeParts } from './make.ts'

/** Short: somebody waits for the report. */
const pause_ms = 1_000

/**
 * Starts the background job that makes the reports of what programs owe their customers.
 * @returns a function that stops it
 */
export function startLiabilityJob({
  log,
  record,
  ...parts
}: MakeParts & { readonly log: Log; readonly record?: JobRecord }): () => Promise<void> {
  const onDifference = (of: object): void =>
    log.error(of, 'the points of a report do not tie to the ledger: run nuqta ledger verify --figures')
  return startStepLoop({
    ...createMake({ onDifference, ...parts }),
    first_pause_ms: pause_ms,
    pause_ms,
    record,
    onFailure: (error) => log.warn({ err: error }, 'a report of liability could not be made and is tried again'),
  })
}
