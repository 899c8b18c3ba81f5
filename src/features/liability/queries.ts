import { programsWith } from '../../db/programs.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Day, Month } from '../../domain/day.ts'
import { first_uuid, type Uuid } from '../../domain/ids.ts'
import { monthSums, type WalletSums } from '../../domain/liability.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'

export interface ReportKey {
  readonly program_id: number
  readonly day: Day
}

/** What the job reads first: the ledger by its transfers, then wallet by wallet. */
export type Step = 'ledger' | 'wallets'

/** A report as stored. Sums are texts, because they may exceed a bigint. */
export interface ReportRow extends ReportKey {
  readonly until: Date
  /** Null once it is complete. */
  readonly step: Step | null
  /** The last transfer or account that was read. */
  readonly after_id: Uuid | null
  /** Whether wallets and the other accounts of the ledger agree; null before. */
  readonly ties: boolean | null
  /** Entries of wallets that the first step found, and that the running step has read. */
  readonly wallet_entries: number
  readonly entries_read: number
  readonly wallets: number
  readonly wallets_below_zero: number
  readonly owed_points: string
  readonly receivable_points: string
  readonly held_points: string
  readonly micro_sar_per_point: MicroSarPerPoint
  readonly first_micro_sar_per_point: MicroSarPerPoint
  readonly created_at: Date
  readonly completed_at: Date | null
}

const columns = `r.program_id, r.day, r.until, r.step, r.after_id, r.ties, r.wallet_entries, r.entries_read, r.wallets,
  r.wallets_below_zero, r.owed_points, r.receivable_points, r.held_points, r.micro_sar_per_point, r.first_micro_sar_per_point,
  r.created_at, r.completed_at`

const keyOf = '(r.program_id, r.day)'

const findReportText = prepared<ReportRow>(
  'liability.report',
  `select ${columns} from liability_report r where r.program_id = $1 and r.day = $2::date and ${keyOf} >= ($1, $2::date) limit 1`,
)

/** One report. */
export function findReport({ program_id, day }: ReportKey): Statement<ReportRow> {
  return findReportText(program_id, day)
}

const lockReportText = prepared<ReportRow>(
  'liability.lock',
  `select ${columns} from liability_report r where r.program_id = $1 and r.day = $2::date and ${keyOf} >= ($1, $2::date)
   for no key update`,
)

/** One report, locked until the transaction ends. */
export function lockReport({ program_id, day }: ReportKey): Statement<ReportRow> {
  return lockReportText(program_id, day)
}

/** The `$3` reports of the days before `$2`, the last day first. */
export const findReports = prepared<ReportRow>(
  'liability.reports',
  `select ${columns} from liability_report r where r.program_id = $1 and r.day < $2::date
   order by r.program_id desc, r.day desc limit $3`,
)

/** A month of a report; sums are texts. */
export type MonthRow = Readonly<Record<(typeof monthSums)[number], string>> & { readonly month: Month }

const findMonthsText = prepared<MonthRow>(
  'liability.months',
  `select m.month, ${monthSums.map((name) => `m.${name}`).join(', ')}
   from liability_month m where m.program_id = $1 and m.day = $2::date and (m.program_id, m.day) >= ($1, $2::date)
   order by m.month`,
)

/** The months of a report, in order. */
export function findMonths({ program_id, day }: ReportKey): Statement<MonthRow> {
  return findMonthsText(program_id, day)
}

/** Programs with a report to make. */
export const findProgramsToReport = prepared<{ readonly program_id: number }>(
  'liability.programs',
  programsWith('select from liability_report r where r.program_id = p.program_id and r.step is not null'),
)

/** The report that a program has waited for longest, locked; nothing if another worker has it, so that there is one at a time. */
export const lockNextReport = prepared<ReportRow>(
  'liability.next',
  `select ${columns} from liability_report r where r.program_id = $1 and r.day = (
     select n.day from liability_report n where n.program_id = $1 and n.step is not null
     order by n.program_id, n.created_at, n.day limit 1
   ) and r.step is not null for no key update skip locked`,
)

/** How many reports a program has, and how many of them are not complete yet. */
export const countReports = prepared<{ readonly stored: number; readonly waiting: number }>(
  'liability.count',
  `select count(*) as stored, count(*) filter (where r.step is not null) as waiting from liability_report r
   where r.program_id = $1`,
)

const beginText = prepared<never>(
  'liability.begin',
  `insert into liability_report (program_id, day, until, step, after_id, ties, wallet_entries, entries_read, wallets,
     wallets_below_zero, owed_points, receivable_points, held_points, micro_sar_per_point, first_micro_sar_per_point,
     created_at, updated_at, completed_at)
   values ($1, $2::date, $3, 'ledger', $4, null, 0, 0, 0, 0, 0, 0, 0, $5, $6, $7, $7, null)
   on conflict (program_id, day) do update set until = excluded.until, step = excluded.step, after_id = excluded.after_id,
     ties = null, wallet_entries = 0, entries_read = 0, wallets = 0, wallets_below_zero = 0, owed_points = 0,
     receivable_points = 0, held_points = 0, micro_sar_per_point = excluded.micro_sar_per_point,
     first_micro_sar_per_point = excluded.first_micro_sar_per_point, created_at = excluded.created_at,
     updated_at = excluded.updated_at, completed_at = null`,
)

export interface NewReport extends ReportKey {
  readonly until: Date
  readonly micro_sar_per_point: MicroSarPerPoint
  readonly first_micro_sar_per_point: MicroSarPerPoint
}

/** Begins a report, or begins it again. The caller deletes its months. */
export function beginReport({ program_id, day, until, ...rates }: NewReport, now: Date): Statement<never> {
  const { micro_sar_per_point, first_micro_sar_per_point } = rates
  return beginText(program_id, day, until, first_uuid, micro_sar_per_point, first_micro_sar_per_point, now)
}

const deleteMonthsText = prepared<never>(
  'liability.delete_months',
  'delete from liability_month m where m.program_id = $1 and m.day = $2::date',
)

/** Deletes the months of a report. */
export function deleteMonths({ program_id, day }: ReportKey): Statement<never> {
  return deleteMonthsText(program_id, day)
}

/** The complete report that was made first. */
export const findOldestReport = prepared<{ readonly day: Day }>(
  'liability.oldest',
  `select r.day from liability_report r where r.program_id = $1 and r.step is null
   order by r.program_id, r.completed_at, r.day limit 1`,
)

const deleteReportText = prepared<never>(
  'liability.delete',
  'delete from liability_report r where r.program_id = $1 and r.day = $2::date and r.step is null',
)

/** Deletes a complete report. */
export function deleteReport({ program_id, day }: ReportKey): Statement<never> {
  return deleteReportText(program_id, day)
}

/** How far a report has come. */
export interface Progress {
  readonly step: Step
  readonly after_id: Uuid
  readonly wallet_entries: number
  readonly entries_read: number
}

const updateProgressText = prepared<never>(
  'liability.progress',
  `update liability_report set step = $3, after_id = $4, wallet_entries = $5, entries_read = $6, updated_at = $7
   where program_id = $1 and day = $2::date`,
)

export function updateProgress({ program_id, day }: ReportKey, progress: Progress, now: Date): Statement<never> {
  const { step, after_id, wallet_entries, entries_read } = progress
  return updateProgressText(program_id, day, step, after_id, wallet_entries, entries_read, now)
}

const addWalletsText = prepared<never>(
  'liability.add_wallets',
  `update liability_report set wallets = wallets + $3, wallets_below_zero = wallets_below_zero + $4,
     owed_points = owed_points + $5::numeric, receivable_points = receivable_points + $6::numeric,
     held_points = held_points + $7::numeric where program_id = $1 and day = $2::date`,
)

/** Adds wallets to the sums of a report. */
export function addWallets({ program_id, day }: ReportKey, sums: WalletSums): Statement<never> {
  const points = [sums.owed_points, sums.receivable_points, sums.held_points].map(String)
  return addWalletsText(program_id, day, sums.wallets, sums.wallets_below_zero, ...points)
}

const completeText = prepared<never>(
  'liability.complete',
  `update liability_report set step = null, after_id = null, ties = $3, updated_at = $4, completed_at = $4
   where program_id = $1 and day = $2::date`,
)

/** Ends a report. */
export function completeReport({ program_id, day }: ReportKey, ties: boolean, now: Date): Statement<never> {
  return completeText(program_id, day, ties, now)
}

const findFirstTransferText = prepared<{ readonly transfer_id: Uuid }>(
  'liability.first_transfer',
  `select t.transfer_id from transfer t where t.program_id = $1 and t.transfer_id > $2
     and (t.program_id, t.transfer_id) > ($1, $2) order by t.transfer_id limit 1`,
)

/** The first transfer of a program. */
export function findFirstTransfer(program_id: number): Statement<{ readonly transfer_id: Uuid }> {
  return findFirstTransferText(program_id, first_uuid)
}

const findRatesText = prepared<MicroSarPerPointRow>(
  'liability.rates',
  `select (select r.micro_sar_per_point from program_rate r where r.program_id = $1 and r.begins_on <= $2::date
     order by r.program_id desc, r.begins_on desc limit 1) as micro_sar_per_point,
   (select r.micro_sar_per_point from program_rate r where r.program_id = $1
     order by r.program_id, r.begins_on limit 1) as first_micro_sar_per_point`,
)

interface MicroSarPerPointRow {
  /** Null before the first rate has begun. */
  readonly micro_sar_per_point: MicroSarPerPoint | null
  /** Null if the program has none. */
  readonly first_micro_sar_per_point: MicroSarPerPoint | null
}

/** What a point of a program was worth on a day, and its first value. A loaded program has only its latest rates. */
export function findRates({ program_id, day }: ReportKey): Statement<MicroSarPerPointRow> {
  return findRatesText(program_id, day)
}
