import { setTimeout as sleep } from 'node:timers/promises'
import type { JobRecord } from '../../lib/job-book.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import { createMake, type MakeParts } from './make.ts'

/** Short: somebody waits for the report. */
const pause_ms = 1_000
/** The pause after a step, as a share of the step's time, so that earnings get the rest of the database. */
const rest_share = 1
/** Steps in one program before the next has its turn. */
const most_steps = 50

/**
 * Starts the background job that makes the reports of what programs owe their customers.
 * @returns a function that stops it
 */
export function startLiabilityJob({
  log,
  record,
  ...parts
}: MakeParts & { readonly log: Log; readonly record?: JobRecord | undefined }): () => Promise<void> {
  const onDifference = (of: object): void =>
    log.error(of, 'the points of a report do not tie to the ledger: run nuqta ledger verify --figures')
  const make = createMake({ onDifference, ...parts })
  let stopping = false
  const inTurn = async (program_id: number): Promise<boolean> => {
    for (let steps = 0; steps < most_steps; steps += 1) {
      const started_ms = performance.now()
      if (stopping || !(await make.step(program_id))) return false
      await sleep((performance.now() - started_ms) * rest_share)
    }
    return true
  }
  const stop = startWorkerLoop({
    async work() {
      for (let left = await make.programs(); left.length > 0 && !stopping; ) {
        const next: number[] = []
        for (const program_id of left) if (await inTurn(program_id)) next.push(program_id)
        left = next
      }
    },
    ...{ first_pause_ms: pause_ms, pause_ms, record },
    onFailure: (error) => log.warn({ err: error }, 'a report of liability could not be made and is tried again'),
  })
  return async () => {
    stopping = true
    await stop()
  }
}
