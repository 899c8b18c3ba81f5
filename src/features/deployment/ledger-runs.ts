import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { newUuid } from '../../lib/ids.ts'
import {
  askToCancel,
  deleteOldRuns,
  endRun,
  expectEntries,
  findOpenRun,
  findRuns,
  insertRun,
  isRunLeased,
  type LedgerRunRow,
  lockRun,
} from './ledger-run-queries.ts'
import { lockDeployment } from './queries.ts'

/** Runs that are kept of a program. */
const most_kept = 50

/** Operators ask for verifications of the ledger in the dashboard; a worker does them: `ledger-run-job.ts`. */
export interface LedgerRuns {
  /** A program's runs, the newest first. */
  list(program_id: number, size: number): Promise<readonly LedgerRunRow[]>
  /** The run that has not ended, of whatever program. */
  open(): Promise<LedgerRunRow | undefined>
  /** @throws DomainError `verification_running` while one has not ended, of whatever program */
  begin(program_id: number, by: Actor, keep?: BeforeCommit<LedgerRunRow>): Promise<LedgerRunRow>
  /**
   * Ends a run that no worker has; a worker that has it ends it within seconds.
   * @throws DomainError `not_found`
   */
  cancel(program_id: number, run_uuid: Uuid, by: Actor): Promise<LedgerRunRow>
}

export function createLedgerRuns(db: Database, now: () => Date = () => new Date()): LedgerRuns {
  return {
    list: (program_id, size) => db.run(findRuns(program_id, size)),
    open: () => db.one(findOpenRun()),
    begin: (program_id, by, keep) => begin(db, { program_id, by, keep }, now),
    cancel: (program_id, run_uuid, by) => cancel(db, { program_id, run_uuid }, by, now),
  }
}

interface Beginning {
  readonly program_id: number
  readonly by: Actor
  readonly keep: BeforeCommit<LedgerRunRow> | undefined
}

async function begin(db: Database, { program_id, by, keep }: Beginning, now: () => Date): Promise<LedgerRunRow> {
  const run_uuid = newUuid()
  return db.transaction(async (tx) => {
    // One run at a time, whoever asks in which process.
    await tx.one(lockDeployment())
    if ((await tx.one(findOpenRun())) !== undefined) throw new DomainError({ kind: 'verification_running' })
    const found = await tx.one(expectEntries(program_id))
    const believed = found !== undefined && found.programs === 1 && found.believed > 0 ? found.believed : null
    const expected_entries = found?.last ?? believed
    void tx.run(insertRun({ program_id, run_uuid, asked_by: by.name, expected_entries }, now()))
    void tx.run(deleteOldRuns(program_id, most_kept))
    audit(tx, by, [{ program_id, action: 'ledger.verify', object: `program:${program_id}`, before: null, after: null }])
    const run = requireRun(await tx.one(lockRun(program_id, run_uuid)))
    await keep?.(tx, run)
    return run
  })
}

async function cancel(
  db: Database,
  of: { readonly program_id: number; readonly run_uuid: Uuid },
  by: Actor,
  now: () => Date,
): Promise<LedgerRunRow> {
  const { program_id, run_uuid } = of
  return db.transaction(async (tx) => {
    const run = requireRun(await tx.one(lockRun(program_id, run_uuid)))
    if (run.ended_at !== null) return run
    void tx.run(askToCancel(of, by.name))
    if (!isRunLeased(run, now())) void tx.run(endRun(run, { state: 'cancelled' }, now()))
    audit(tx, by, [{ program_id, action: 'ledger.cancel', object: `program:${program_id}`, before: null, after: null }])
    return requireRun(await tx.one(lockRun(program_id, run_uuid)))
  })
}

function requireRun(run: LedgerRunRow | undefined): LedgerRunRow {
  if (run === undefined) throw new DomainError({ kind: 'not_found' })
  return run
}
