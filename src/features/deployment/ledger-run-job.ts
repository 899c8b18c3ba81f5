import { isDatabaseUnavailable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import { type Verified, verifyLedger } from '../../db/verify.ts'
import { messageOf } from '../../lib/errors.ts'
import type { JobRecord } from '../../lib/job-book.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import {
  cancelStatements,
  claimRun,
  endRun,
  giveBackRun,
  type LedgerRunEnd,
  type LedgerRunRow,
  runLeaseEnd,
  writeProgress,
} from './ledger-run-queries.ts'

const poll_ms = 2_000
const progress_ms = 1_000
/** How often a run is restarted after its worker has died. */
const most_attempts = 3
const most_shown = 100
const longest_error = 500

export interface LedgerRunParts {
  readonly db: Database
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly record?: JobRecord
  readonly poll_ms?: number
  /** What verifies; tests pass another. */
  readonly verify?: typeof verifyLedger
}

/**
 * Does the verifications that operators have asked for, as one of any number of workers: one at a time in the whole
 * deployment, on connections of its own. It leaves most of the processors to the service, as `--workers 1` does.
 * @returns a function that stops it; what it was doing waits for the next worker
 */
export function startLedgerRuns(parts: LedgerRunParts): () => Promise<void> {
  const stopping = new AbortController()
  const stop = startWorkerLoop({
    work: () => runOpen(parts, stopping.signal),
    pause_ms: parts.poll_ms ?? poll_ms,
    record: parts.record,
    onFailure: (error) => parts.log.warn({ err: error }, 'a verification of the ledger failed and is tried again'),
  })
  return async () => {
    stopping.abort(new Stopped())
    await stop()
  }
}

/** The process stops, and another one takes the run over. */
class Stopped extends Error {}
/** An operator has cancelled the run, or another worker has it. */
class Cancelled extends Error {}

async function runOpen(parts: LedgerRunParts, stopping: AbortSignal): Promise<void> {
  const { db, log } = parts
  const run = await db.one(claimRun(new Date()))
  if (run === undefined) return
  if (run.attempts > most_attempts) {
    await end(db, run, { state: 'failed', error: 'its workers ended before it did, three times' })
    return
  }
  const outcome = await attempt(parts, run, stopping)
  if (outcome === 'given back') return void (await db.run(giveBackRun(run)))
  await end(db, run, outcome)
  const { program_id } = run
  if (outcome.state === 'done' && outcome.differences > 0)
    log.warn({ program_id, differences: outcome.differences }, 'the ledger has differences: see nuqta ledger verify')
}

const end = (db: Database, run: LedgerRunRow, outcome: LedgerRunEnd) => db.run(endRun(run, outcome, new Date()))

async function attempt(
  { db, verify = verifyLedger }: LedgerRunParts,
  run: LedgerRunRow,
  stopping: AbortSignal,
): Promise<LedgerRunEnd | 'given back'> {
  // Those of this attempt: another worker may have the run by now.
  const sessions = `nuqta-verify-${run.run_uuid}-${run.attempts}`
  const reports = db.forReports(sessions)
  const cancelling = new AbortController()
  const signal = AbortSignal.any([stopping, cancelling.signal])
  const cancelNow = (): void => void db.run(cancelStatements(sessions)).catch(() => undefined)
  signal.addEventListener('abort', cancelNow)
  let at: { readonly step: string | null; readonly verified: Verified } = { step: null, verified: nothing }
  const stopBeats = startWorkerLoop({
    async work() {
      const [ours] = await db.run(writeProgress(run, at, runLeaseEnd(Date.now())))
      if (ours === undefined || ours.cancelled_by !== null) cancelling.abort(new Cancelled())
    },
    pause_ms: progress_ms,
    failure_pause_ms: progress_ms,
  })
  try {
    const programs = [run.program_id]
    const progress = (verified: Verified, step: string): void => {
      at = { step, verified: { ...verified } }
    }
    const { differences, ...verified } = await verify(reports, { programs, workers: 1, progress, signal })
    return { state: 'done', differences: differences.length, shown: differences.slice(0, most_shown), ...verified }
  } catch (error) {
    if (cancelling.signal.aborted) return { state: 'cancelled' }
    if (stopping.aborted) return 'given back'
    // When the lease is over, a worker begins it again.
    if (isDatabaseUnavailable(error)) throw error
    return { state: 'failed', error: messageOf(error).slice(0, longest_error) }
  } finally {
    signal.removeEventListener('abort', cancelNow)
    await stopBeats()
    await reports.close()
  }
}

const nothing: Verified = { transfers: 0, entries: 0, wallets: 0 }
