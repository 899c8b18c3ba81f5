import { claimable, type Leased, leasedQueue, leasedRow } from '../../db/leased-queue.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import { type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import { day_ms, hour_ms } from '../../domain/spans.ts'

export const runKinds = ['preview', 'close'] as const
export type RunKind = (typeof runKinds)[number]

export interface RunRow {
  readonly program_id: number
  readonly run_uuid: Uuid
  readonly kind: RunKind
  /** One merchant; null for all. */
  readonly merchant_id: number | null
  readonly until_at: Date
  readonly asked_by: string
  readonly asked_uuid: Uuid | null
  readonly proposed_by: string | null
  readonly state: 'due' | 'done' | 'failed'
  readonly attempts: number
  readonly leased_until: Date | null
  readonly step: string | null
  readonly done: number
  readonly total: number
  /** JSON, as text: its sums may exceed 2^53. */
  readonly result: string | null
  readonly error: string | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

const columns = `program_id, run_uuid, kind, merchant_id, until_at, asked_by, asked_uuid, proposed_by, state, attempts, leased_until,
  step, done, total, result::text as result, error, created_at, ended_at`

export const runQueue = leasedQueue<'run_uuid', 'done' | 'failed'>({
  name: 'settlement_run',
  table: 'settlement_run',
  key: 'run_uuid',
  required: 'kind, until_at, asked_by',
  longest_ms: hour_ms,
})

export type NewRun = Pick<
  RunRow,
  'program_id' | 'run_uuid' | 'kind' | 'merchant_id' | 'until_at' | 'asked_by' | 'asked_uuid' | 'proposed_by'
>

/** Asks for a run. Gives nothing if one of its kind, which nobody has proposed, has not ended. */
export function insertRun(run: NewRun, now: Date): Statement<RunRow> {
  return {
    text: `insert into settlement_run (program_id, run_uuid, kind, merchant_id, until_at, asked_by, asked_uuid, proposed_by, due_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict do nothing returning ${columns}`,
    values: [
      ...[run.program_id, run.run_uuid, run.kind, run.merchant_id, run.until_at],
      ...[run.asked_by, run.asked_uuid, run.proposed_by, now],
    ],
  }
}

/** A program's runs, the newest first. */
export function findRuns(program_id: number, limit: number): Statement<RunRow> {
  return {
    text: `select ${columns} from settlement_run where program_id = $1 order by run_uuid desc limit $2`,
    values: [program_id, limit],
  }
}

/** Deletes a program's ended runs but the newest. */
export function deleteOldRuns(program_id: number, keep: number): Statement<never> {
  return {
    text: `delete from settlement_run where program_id = $1 and ended_at is not null and run_uuid < (
        select run_uuid from settlement_run where program_id = $1 order by run_uuid desc offset $2 - 1 limit 1)`,
    values: [program_id, keep],
  }
}

const claimText = prepared<RunRow>(
  'settlement_run.claim',
  `select ${columns} from settlement_run q where ${claimable} order by q.due_at limit 1 for update skip locked`,
)

/** Locks the run of a program that waits longest. */
export function lockDueRun(program_id: number, now: Date): Statement<RunRow> {
  return claimText(program_id, now)
}

/** How far a run is. */
export interface RunProgress {
  readonly step: string | null
  readonly done: number
  readonly of: number
}

/** Writes how far a run is, and lengthens its lease. Gives nothing if another worker has it by now. */
export function writeProgress(
  { program_id, run_uuid, leased_until }: Leased<RunRow>,
  { step, done, of }: RunProgress,
  until: Date,
): Statement<{ readonly leased_until: Date }> {
  return {
    text: `update settlement_run set step = $5, done = $6, total = $7, leased_until = $8
      where ${leasedRow('run_uuid')} returning leased_until`,
    values: [program_id, run_uuid, leased_until, 'due', step, done, of, until],
  }
}

/** Writes what a run came to. The row ends with `runQueue.write` in the same transaction. */
export function writeResult({ program_id, run_uuid, leased_until }: Leased<RunRow>, result: string): Statement<never> {
  return {
    text: `update settlement_run set result = $5 where ${leasedRow('run_uuid')}`,
    values: [program_id, run_uuid, leased_until, 'due', result],
  }
}

/** A settlement of a run. Sums are texts: they may exceed 2^53. */
export interface SettledRow {
  readonly settlement_id: Uuid
  readonly merchant_id: number
  readonly orders: number
  readonly net_points: string
  readonly fee_halalas: string | null
  readonly due_halalas: string | null
}

/** More than the clocks of two processes differ by. */
const clocks_differ_ms = day_ms

/** What a run has settled. It begins to look at the id that a settlement of the day before the run would have. */
export function findSettled({ program_id, run_uuid, created_at }: RunRow): Statement<SettledRow> {
  return {
    text: `select settlement_id, merchant_id, orders, net_points, fee_halalas, due_halalas from settlement
      where program_id = $1 and settlement_id >= $2 and run_uuid = $3 order by settlement_id`,
    values: [program_id, uuidV7Floor(created_at.getTime() - clocks_differ_ms), run_uuid],
  }
}
