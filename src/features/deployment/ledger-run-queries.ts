import type { Statement } from '../../db/statement.ts'
import type { Difference, Verified } from '../../db/verify.ts'
import type { Uuid } from '../../domain/ids.ts'
import { minute_ms } from '../../domain/spans.ts'
import { latestEnd } from '../../lib/clock.ts'

export type LedgerRunState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

export interface LedgerRunRow extends Verified {
  readonly program_id: number
  readonly run_uuid: Uuid
  readonly state: LedgerRunState
  readonly asked_by: string
  readonly asked_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
  readonly leased_until: Date | null
  readonly attempts: number
  readonly cancelled_by: string | null
  /** What is being checked. */
  readonly step: string | null
  /** The estimated number of entries; null if unknown. */
  readonly expected_entries: number | null
  /** Null before the end. */
  readonly differences: number | null
  /** The first of them. */
  readonly shown: readonly Difference[] | null
  readonly error: string | null
}

const columns = `program_id, run_uuid, state, asked_by, asked_at, started_at, ended_at, leased_until, attempts, cancelled_by,
  step, transfers, entries, wallets, expected_entries, differences, shown, error`

/** The run that has not ended: the deployment has one at most. */
export function findOpenRun(): Statement<LedgerRunRow> {
  return { text: `select ${columns} from ledger_run where ended_at is null limit 1`, values: [] }
}

export interface NewLedgerRun {
  readonly program_id: number
  readonly run_uuid: Uuid
  readonly asked_by: string
  readonly expected_entries: number | null
}

export function insertRun(
  { program_id, run_uuid, asked_by, expected_entries }: NewLedgerRun,
  now: Date,
): Statement<never> {
  return {
    text: `insert into ledger_run (program_id, run_uuid, asked_by, asked_at, expected_entries) values ($1, $2, $3, $4, $5)`,
    values: [program_id, run_uuid, asked_by, now, expected_entries],
  }
}

/** A program's runs, the newest first. */
export function findRuns(program_id: number, size: number): Statement<LedgerRunRow> {
  return {
    text: `select ${columns} from ledger_run where program_id = $1 order by run_uuid desc limit $2`,
    values: [program_id, size],
  }
}

/** Locks a run until the transaction ends. */
export function lockRun(program_id: number, run_uuid: Uuid): Statement<LedgerRunRow> {
  return {
    text: `select ${columns} from ledger_run where program_id = $1 and run_uuid = $2 for update`,
    values: [program_id, run_uuid],
  }
}

/** Another worker restarts a run whose lease was not renewed for this long. */
const run_lease_ms = minute_ms

/** Gives when a lease that begins now ends. */
export function runLeaseEnd(now_ms: number): Date {
  return new Date(now_ms + run_lease_ms)
}

/**
 * Leases the open run, and counts the attempt; gives nothing if there is none, or another worker has it. A lease that ends
 * later than any lease can does not count.
 */
export function claimRun(now: Date): Statement<LedgerRunRow> {
  return {
    text: `update ledger_run r set state = 'running', started_at = coalesce(r.started_at, $1), leased_until = $2,
        attempts = r.attempts + 1, step = null, transfers = 0, entries = 0, wallets = 0
      from (
        select program_id, run_uuid from ledger_run
        where ended_at is null and (leased_until is null or leased_until <= $1 or leased_until > $3) limit 1 for update skip locked
      ) open
      where r.program_id = open.program_id and r.run_uuid = open.run_uuid
      returning ${columns.replaceAll(/\b(\w+)\b/g, 'r.$1')}`,
    values: [now, runLeaseEnd(now.getTime()), latestEnd(now.getTime(), run_lease_ms)],
  }
}

/** Whether a worker has a run. */
export function isRunLeased({ leased_until }: Pick<LedgerRunRow, 'leased_until'>, now: Date): boolean {
  return leased_until !== null && leased_until > now && leased_until <= latestEnd(now.getTime(), run_lease_ms)
}

type Key = Pick<LedgerRunRow, 'program_id' | 'run_uuid' | 'attempts'>

/** Writes the progress of an attempt and renews its lease; gives nothing if another worker has the run, or it has ended. */
export function writeProgress(
  { program_id, run_uuid, attempts }: Key,
  { step, verified }: { readonly step: string | null; readonly verified: Verified },
  until: Date,
): Statement<{ cancelled_by: string | null }> {
  return {
    text: `update ledger_run set step = $4, transfers = $5, entries = $6, wallets = $7, leased_until = $8
      where program_id = $1 and run_uuid = $2 and attempts = $3 and ended_at is null returning cancelled_by`,
    values: [
      ...[program_id, run_uuid, attempts, step],
      ...[verified.transfers, verified.entries, verified.wallets, until],
    ],
  }
}

/** Puts a run back for the next worker, without counting the attempt. */
export function giveBackRun({ program_id, run_uuid, attempts }: Key): Statement<never> {
  return {
    text: `update ledger_run set state = 'waiting', leased_until = null, attempts = attempts - 1, step = null
      where program_id = $1 and run_uuid = $2 and attempts = $3 and ended_at is null`,
    values: [program_id, run_uuid, attempts],
  }
}

export type LedgerRunEnd =
  | ({ readonly state: 'done'; readonly differences: number; readonly shown: readonly Difference[] } & Verified)
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'cancelled' }

/** Ends a run. */
export function endRun({ program_id, run_uuid, attempts }: Key, end: LedgerRunEnd, now: Date): Statement<never> {
  const done = end.state === 'done' ? end : undefined
  return {
    text: `update ledger_run set state = $4, ended_at = $5, leased_until = null, step = null, error = $6, differences = $7,
        shown = $8, transfers = coalesce($9, transfers), entries = coalesce($10, entries), wallets = coalesce($11, wallets)
      where program_id = $1 and run_uuid = $2 and attempts = $3 and ended_at is null`,
    values: [
      ...[program_id, run_uuid, attempts, end.state, now, end.state === 'failed' ? end.error : null],
      ...[done?.differences ?? null, done === undefined ? null : JSON.stringify(done.shown)],
      ...[done?.transfers ?? null, done?.entries ?? null, done?.wallets ?? null],
    ],
  }
}

/** Asks the worker of a locked run to end it. */
export function askToCancel({ program_id, run_uuid }: Omit<Key, 'attempts'>, by: string): Statement<never> {
  return {
    text: 'update ledger_run set cancelled_by = $3 where program_id = $1 and run_uuid = $2',
    values: [program_id, run_uuid, by],
  }
}

/** Deletes a program's ended runs but the newest. */
export function deleteOldRuns(program_id: number, keep: number): Statement<never> {
  return {
    text: `delete from ledger_run where program_id = $1 and ended_at is not null and run_uuid in (
        select run_uuid from ledger_run where program_id = $1 order by run_uuid desc offset $2)`,
    values: [program_id, keep],
  }
}

/** How many entries the last whole run has checked, and how many the catalogue believes there are in all programs. */
export function expectEntries(
  program_id: number,
): Statement<{ last: number | null; believed: number; programs: number }> {
  return {
    text: `select (select entries from ledger_run where program_id = $1 and state = 'done' order by run_uuid desc limit 1) as last,
        (select reltuples::bigint from pg_catalog.pg_class where oid = to_regclass('entry')) as believed,
        (select count(*) from program) as programs`,
    values: [program_id],
  }
}

/** Ends the statements of a run that is over, by the name of their sessions. */
export function cancelStatements(application_name: string): Statement<unknown> {
  return {
    text: `select pg_cancel_backend(pid) from pg_catalog.pg_stat_activity
      where datname = current_database() and application_name = $1 and state = 'active'`,
    values: [application_name],
  }
}
