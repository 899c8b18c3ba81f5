import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Day } from '../../domain/day.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import { uuidV7Time } from '../../domain/ids.ts'
import {
  boundaryOf,
  everyMonth,
  flows,
  type MonthOfReport,
  type ReportMonth,
  sumMonths,
} from '../../domain/liability.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Cell, csvFile } from '../../lib/csv.ts'
import {
  beginReport,
  countReports,
  deleteMonths,
  deleteReport,
  findFirstTransfer,
  findMonths,
  findOldestReport,
  findRates,
  findReport,
  findReports,
  lockReport,
  type ReportKey,
  type ReportRow,
} from './queries.ts'
import {
  type MonthView,
  type ReportView,
  readMonth,
  viewMonth,
  viewReport,
  viewWhole,
  type WholeReportView,
} from './view.ts'

export interface Liability {
  /** The reports of days before one, the last day first. */
  readonly list: (program_id: number, before: Day | null, limit: number) => Promise<readonly ReportView[]>
  /** A report with its months. @throws DomainError not_found if nobody has asked for it */
  readonly read: (key: ReportKey, age_months?: number) => Promise<WholeReportView>
  /**
   * Asks for a report, which a worker then makes. What is there is kept, unless its day was not over, its sums do not agree,
   * or it is asked for `again`. @throws DomainError validation for a day to come, or if too many reports wait
   */
  readonly ask: (key: ReportKey, again?: boolean) => Promise<ReportView>
  /** All months of a complete report as lines of CSV. @throws DomainError not_found */
  readonly lines: (key: ReportKey) => Promise<AsyncIterable<string>>
}

export interface LiabilityParts {
  readonly db: Database
  readonly clock: Clock
  /** The oldest reports beyond this are deleted: they can be made again. */
  readonly most_stored?: number
}

/** Reports of a program that may be incomplete at a time. */
const most_waiting = 24
/** More than a year of days. */
const default_stored = 400
const months_shown = 24
export const default_age_months = 12
export const max_age_months = 120

/** What a program owes its customers at the end of a day. docs/spec/liability.md */
export function createLiability({ db, clock, most_stored = default_stored }: LiabilityParts): Liability {
  const times = async (program_id: number): Promise<{ since_ms: number; now_ms: number }> => {
    const first = await db.one(findFirstTransfer(program_id))
    return { since_ms: first === undefined ? 0 : uuidV7Time(first.transfer_id), now_ms: Date.now() }
  }
  return {
    async list(program_id, before, limit) {
      const [rows, at] = [await db.run(findReports(program_id, before ?? last_day, limit)), await times(program_id)]
      return rows.map((row) => viewReport(row, at))
    },
    async read(key, age_months = default_age_months) {
      const row = found(await db.one(findReport(key)))
      const months = row.step === null ? await db.run(findMonths(key)) : []
      const report = viewReport(row, await times(key.program_id))
      return viewWhole(report, row, months.map(readMonth), { age_months, shown: months_shown })
    },
    async ask(key, again = false) {
      const row = await db.transaction((tx) => askFor(tx, { key, now: clock.now(), again, most_stored }))
      return viewReport(row, await times(key.program_id))
    },
    async lines(key) {
      const row = found(await db.one(findReport(key)))
      if (row.step !== null) throw new DomainError({ kind: 'not_found' })
      const months = (await db.run(findMonths(key))).map(readMonth)
      return csvFile(['day', 'month', ...columns], [recordsOf(row, months)])
    },
  }
}

const last_day = '9999-12-31' as Day

function found(row: ReportRow | undefined): ReportRow {
  if (row === undefined) throw new DomainError({ kind: 'not_found' })
  return row
}

interface Asked {
  readonly key: ReportKey
  readonly now: Date
  readonly again: boolean
  readonly most_stored: number
}

async function askFor(tx: Transaction, { key, now, again, most_stored }: Asked): Promise<ReportRow> {
  const boundary = boundaryOf(key.day, now)
  if (boundary === null) return refuseFields({ field: 'day', rule: 'past_day' })
  const { until } = boundary
  const row = await tx.one(lockReport(key))
  if (row !== undefined && isKept(row, until, again)) return row
  const { stored, waiting } = (await tx.one(countReports(key.program_id))) ?? { stored: 0, waiting: 0 }
  if (waiting >= most_waiting) refuseFields({ field: 'day', rule: 'most_waiting', limit: most_waiting })
  if (row === undefined && stored >= most_stored) await makeRoom(tx, key.program_id)
  // The first statement locks the report, so that no worker adds to the months between the two.
  void tx.run(beginReport({ ...key, until, ...(await ratesOf(tx, key)) }, new Date()))
  void tx.run(deleteMonths(key))
  return found(await tx.one(findReport(key)))
}

async function ratesOf(
  tx: Transaction,
  key: ReportKey,
): Promise<Pick<ReportRow, 'micro_sar_per_point' | 'first_micro_sar_per_point'>> {
  const { micro_sar_per_point, first_micro_sar_per_point: first } = (await tx.one(findRates(key))) ?? none
  if (first === null) throw new Error('a program without a rate')
  return { micro_sar_per_point: micro_sar_per_point ?? first, first_micro_sar_per_point: first }
}

const none = { micro_sar_per_point: null, first_micro_sar_per_point: null }

/** A report is kept while it is made, and when it counts up to the end of its day and its sums agree. */
function isKept({ step, ties, until }: ReportRow, end: Date, again: boolean): boolean {
  if (step !== null) return true
  return !again && ties === true && until.getTime() === end.getTime()
}

async function makeRoom(tx: Transaction, program_id: number): Promise<void> {
  const oldest = await tx.one(findOldestReport(program_id))
  if (oldest === undefined) return
  void tx.run(deleteMonths({ program_id, ...oldest }))
  void tx.run(deleteReport({ program_id, ...oldest }))
}

const columns = [
  ...flows,
  'outstanding_points',
  'kept_points',
  'left_points',
  'left_value',
  'left_value_recorded',
] as const satisfies readonly (keyof MonthView)[]

/** Every month, then their sum: its outstanding points are those of the report. */
function recordsOf(row: ReportRow, stored: readonly ReportMonth[]): readonly (readonly Cell[])[] {
  const record = (name: string, month: MonthOfReport): readonly Cell[] => {
    const view = viewMonth(month, row.micro_sar_per_point)
    return [row.day, name, ...columns.map((column) => view[column])]
  }
  const months = everyMonth(stored, row.day)
  const records = months.map((month) => record(month.month.slice(0, 7), month))
  const last = months.at(-1)
  return last === undefined ? records : [...records, record('total', { ...last, ...sumMonths(stored) })]
}
