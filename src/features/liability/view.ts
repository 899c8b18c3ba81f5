import { addDays, type Day, startOfDay } from '../../domain/day.ts'
import { first_uuid, uuidV7Time } from '../../domain/ids.ts'
import {
  breakageOf,
  everyMonth,
  type MonthOfReport,
  monthSums,
  type ReportMonth,
  shareOf,
  sumMonths,
} from '../../domain/liability.ts'
import { halalasOfMicroSar, type MicroSarPerPoint, toSarPerPoint } from '../../domain/points.ts'
import { bigintsOf, type ExactNumber, exactNumber } from '../../lib/exact-number.ts'
import type { MonthRow, ReportRow } from './queries.ts'

/** The part of the work that is done with the ledger by its transfers. */
const ledger_share = 0.3

/** `differs`: wallets and the other accounts of the ledger do not agree, so the numbers are not to be trusted. */
export type ReportState = 'waiting' | 'making' | 'complete' | 'differs'

/** A report as the commands and the dashboard show it. Values are SAR. */
export interface ReportView {
  readonly program_id: number
  readonly day: Day
  /** What was posted to the ledger before it is counted. */
  readonly until: string
  /** Whether that is the end of the day, so that the numbers never change. */
  readonly is_final: boolean
  readonly state: ReportState
  /** From 0 to 1. */
  readonly progress: number
  readonly completed_at: string | null
  readonly sar_per_point: number
  readonly outstanding_points: ExactNumber
  readonly outstanding_value: ExactNumber
  readonly owed_points: ExactNumber
  readonly owed_value: ExactNumber
  readonly receivable_points: ExactNumber
  readonly receivable_value: ExactNumber
  readonly held_points: ExactNumber
  readonly wallets: number
  readonly wallets_below_zero: number
}

/** A month as shown; `month` is null for the sum of the earlier ones. */
export interface MonthView {
  readonly month: string | null
  readonly issued_points: ExactNumber
  readonly returned_points: ExactNumber
  readonly redeemed_points: ExactNumber
  readonly reversed_points: ExactNumber
  readonly adjusted_points: ExactNumber
  /** At the end of the month. */
  readonly outstanding_points: ExactNumber
  /** Issued in the month, less what was taken back of it since. */
  readonly kept_points: ExactNumber
  /** Of these, what is left in wallets at the end of the report's day. */
  readonly left_points: ExactNumber
  readonly left_share: number | null
  readonly left_value: ExactNumber
  /** At the rates that were recorded with the entries. */
  readonly left_value_recorded: ExactNumber
}

export interface WholeReportView extends ReportView {
  readonly owed_value_recorded: ExactNumber
  readonly breakage: {
    readonly age_months: number
    readonly until_month: string | null
    readonly kept_points: ExactNumber
    readonly left_points: ExactNumber
    readonly left_share: number | null
    readonly left_value: ExactNumber
  }
  /** The months before the others, in one; null if there are none. */
  readonly earlier: MonthView | null
  /** The last months, the first one first. */
  readonly months: readonly MonthView[]
}

/** Reads a stored month. */
export function readMonth({ month, ...sums }: MonthRow): ReportMonth {
  return { month, ...bigintsOf(sums, monthSums) }
}

/**
 * Shows a report.
 * @param since_ms the time of the program's first transfer, and `now_ms` that of the last one, which give the progress
 */
export function viewReport(
  row: ReportRow,
  { since_ms, now_ms }: { readonly since_ms: number; readonly now_ms: number },
): ReportView {
  const { program_id, day, until, micro_sar_per_point, wallets, wallets_below_zero } = row
  const owed = BigInt(row.owed_points)
  const receivable = BigInt(row.receivable_points)
  const value = valueAt(micro_sar_per_point)
  return {
    ...{
      program_id,
      day,
      until: until.toISOString(),
      is_final: until.getTime() === startOfDay(addDays(day, 1)).getTime(),
    },
    ...{ state: stateOf(row), progress: progressOf(row, since_ms, now_ms) },
    completed_at: row.completed_at?.toISOString() ?? null,
    sar_per_point: toSarPerPoint(micro_sar_per_point),
    ...{ outstanding_points: exactNumber(owed - receivable, 0), outstanding_value: value(owed - receivable) },
    ...{ owed_points: exactNumber(owed, 0), owed_value: value(owed) },
    ...{ receivable_points: exactNumber(receivable, 0), receivable_value: value(receivable) },
    held_points: exactNumber(BigInt(row.held_points), 0),
    ...{ wallets, wallets_below_zero },
  }
}

function stateOf({ step, after_id, ties }: ReportRow): ReportState {
  if (step === null) return ties === true ? 'complete' : 'differs'
  return step === 'ledger' && after_id === first_uuid ? 'waiting' : 'making'
}

function progressOf(
  { step, after_id, wallet_entries, entries_read }: ReportRow,
  since_ms: number,
  now_ms: number,
): number {
  if (step === null) return 1
  if (after_id === null || (step === 'ledger' && after_id === first_uuid)) return 0
  const before = step === 'ledger' ? 0 : ledger_share
  const own = step === 'ledger' ? ledger_share : 1 - ledger_share
  const done =
    step === 'ledger' ? (uuidV7Time(after_id) - since_ms) / (now_ms - since_ms) : entries_read / wallet_entries
  const known = Number.isFinite(done) ? Math.min(Math.max(done, 0), 1) : 0
  return Math.floor((before + own * known) * 100) / 100
}

/** Adds the months to a complete report: the last `shown`, and one sum of those before. */
export function viewWhole(
  report: ReportView,
  row: ReportRow,
  stored: readonly ReportMonth[],
  { age_months, shown }: { readonly age_months: number; readonly shown: number },
): WholeReportView {
  const all = everyMonth(stored, row.day)
  const value = valueAt(row.micro_sar_per_point)
  const before = all.slice(0, -shown)
  const last = before.at(-1)
  const { until_month, kept_points, left_points } = breakageOf(stored, row.day, age_months)
  return {
    ...report,
    owed_value_recorded: exactNumber(halalasOfMicroSar(sumMonths(stored).left_micro_sar), 2),
    breakage: {
      ...{ age_months, until_month: until_month?.slice(0, 7) ?? null },
      ...{ kept_points: exactNumber(kept_points, 0), left_points: exactNumber(left_points, 0) },
      ...{ left_share: shareOf(left_points, kept_points), left_value: value(left_points) },
    },
    earlier:
      last === undefined
        ? null
        : { ...viewMonth({ ...last, ...sumMonths(before) }, row.micro_sar_per_point), month: null },
    months: all.slice(-shown).map((month) => viewMonth(month, row.micro_sar_per_point)),
  }
}

/** Shows a month, its points valued at the rate of the report. */
export function viewMonth(month: MonthOfReport, rate: MicroSarPerPoint): MonthView {
  const points = (name: keyof Omit<MonthOfReport, 'month'>): ExactNumber => exactNumber(month[name], 0)
  return {
    month: month.month.slice(0, 7),
    issued_points: points('issued_points'),
    returned_points: points('returned_points'),
    redeemed_points: points('redeemed_points'),
    reversed_points: points('reversed_points'),
    adjusted_points: points('adjusted_points'),
    outstanding_points: points('outstanding_points'),
    kept_points: points('kept_points'),
    left_points: points('left_points'),
    left_share: shareOf(month.left_points, month.kept_points),
    left_value: valueAt(rate)(month.left_points),
    left_value_recorded: exactNumber(halalasOfMicroSar(month.left_micro_sar), 2),
  }
}

function valueAt(rate: MicroSarPerPoint): (points: bigint) => ExactNumber {
  return (points) => exactNumber(halalasOfMicroSar(points * BigInt(rate)), 2)
}
