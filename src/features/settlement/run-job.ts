import { isDatabaseUnavailable } from '../../db/failure.ts'
import { claimRows, type Leased, takeTurns } from '../../db/leased-queue.ts'
import type { Database } from '../../db/pool.ts'
import { after, minute_ms } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import { messageOf } from '../../lib/errors.ts'
import type { JobRecord } from '../../lib/job-book.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import { readProgram } from '../merchants/programs.ts'
import { settlingProgramOf } from './program.ts'
import {
  findSettled,
  lockDueRun,
  type RunProgress,
  type RunRow,
  runQueue,
  writeProgress,
  writeResult,
} from './run-queries.ts'
import { resultOf, viewSettled } from './run-view.ts'
import { type CloseRequest, closeSettlements, previewSettlements, type SettlementRequest } from './service.ts'

const poll_ms = 1_000
const progress_ms = 500
/** Longer than a worker may be without the database before another begins the run again. */
const lease_ms = minute_ms
/** When the worker of a run dies, the next one begins it again, but not for ever. */
const most_attempts = 3
const longest_error = 500

export interface RunParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/**
 * Does the previews and closes that operators asked for, as one of any number of workers, on connections of its own.
 * @returns a function that stops it; what it was doing waits for the next worker
 */
export function startSettlementRuns({
  record,
  ...parts
}: RunParts & { readonly record?: JobRecord }): () => Promise<void> {
  return startWorkerLoop({
    work: (stopping) => doSettlementRuns(parts, stopping),
    ...{ pause_ms: poll_ms, record },
    onFailure: (error) => parts.log.warn({ err: error }, 'a settlement could not be run and is tried again'),
  })
}

/** The process stops: another one goes on. */
class Stopped extends Error {}

/** Does what is due, program by program. */
export function doSettlementRuns(parts: RunParts, stopping?: AbortSignal): Promise<void> {
  return takeTurns(parts.db, runQueue, new Date(), (program_id) => doRunOf(parts, program_id, stopping), stopping)
}

/** Does the run of a program that waits longest; gives how many there were: one, or none. */
export async function doRunOf(
  parts: RunParts,
  program_id: number,
  stopping: AbortSignal = new AbortController().signal,
): Promise<number> {
  const now = new Date()
  const [run] = await claimRows(parts.db, runQueue, { program_id, now, lease_ms }, (tx) =>
    tx.run(lockDueRun(program_id, now)),
  )
  if (run === undefined) return 0
  await attempt(parts, run, stopping)
  return 1
}

async function attempt(parts: RunParts, run: Leased<RunRow>, stopping: AbortSignal): Promise<void> {
  const { db, log } = parts
  const held = { run, at: { step: null, done: 0, of: 0 } as RunProgress }
  const beats = { pause_ms: progress_ms, failure_pause_ms: progress_ms }
  const stopBeats = startWorkerLoop({ work: () => beat(db, held), ...beats })
  const progress = (at: RunProgress): void => {
    if (stopping.aborted) throw new Stopped()
    held.at = at
  }
  // Where the database is away, the lease ends, and a worker begins the run again.
  const ended = await settle(parts, run, progress).catch(failureOf).finally(stopBeats)
  await beat(db, held)
  if (ended instanceof Stopped) return void (await db.run(runQueue.postpone(held.run, new Date())))
  if ('error' in ended) log.warn({ program_id: run.program_id, reason: ended.error }, 'a settlement run has failed')
  await db.transaction(async (tx) => {
    if ('result' in ended) void tx.run(writeResult(held.run, ended.result))
    const error = 'error' in ended ? ended.error : null
    void tx.run(runQueue.write(held.run, { state: error === null ? 'done' : 'failed', error }, new Date()))
  })
}

/** Writes how far the run is, and keeps its lease. */
async function beat(db: Database, held: { run: Leased<RunRow>; readonly at: RunProgress }): Promise<void> {
  const [ours] = await db.run(writeProgress(held.run, held.at, after(new Date(), lease_ms)))
  if (ours !== undefined) held.run = { ...held.run, leased_until: ours.leased_until }
}

type Ended = { readonly result: string } | { readonly error: string } | Stopped

function failureOf(error: unknown): Ended {
  if (error instanceof Stopped) return error
  if (isDatabaseUnavailable(error)) throw error
  return { error: messageOf(error).slice(0, longest_error) }
}

async function settle({ db, clock }: RunParts, run: RunRow, progress: (at: RunProgress) => void): Promise<Ended> {
  if (run.attempts >= most_attempts) return { error: 'its workers ended before it did, three times' }
  const row = await readProgram(db, run.program_id)
  if (row === null) throw new Error('a program has disappeared')
  const request = {
    program: await settlingProgramOf(db, row),
    merchant_id: run.merchant_id ?? undefined,
    ...{ until: run.until_at, progress },
  }
  const sums = db.forReports('nuqta-settlement', 'by_key')
  try {
    if (run.kind === 'preview')
      return { result: await resultOf(db, run.program_id, await previewSettlements(sums, request)) }
    const { tie } = await closeSettlements(sums, closeOf(request, run, clock))
    // Also what workers before this one have settled.
    const settlements = (await sums.run(findSettled(run))).map(viewSettled)
    return { result: await resultOf(db, run.program_id, { settlements, tie }) }
  } finally {
    await sums.close()
  }
}

function closeOf(
  request: SettlementRequest,
  { run_uuid, asked_by, asked_uuid, proposed_by }: RunRow,
  clock: Clock,
): CloseRequest {
  const by = { source: 'dashboard', name: asked_by, staff_uuid: asked_uuid ?? undefined } as const
  return { ...request, now: clock.now(), run_uuid, by, ...(proposed_by === null ? {} : { proposed_by }) }
}
