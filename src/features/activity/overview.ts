import type { Database } from '../../db/pool.ts'
import { addFigures, type Figures, NO_FIGURES, sums } from '../../domain/activity.ts'
import { addDays, type Day, daysBetween, type Period } from '../../domain/day.ts'
import { uuidV7Floor, uuidV7Time } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { bigintsOf } from '../../lib/exact-number.ts'
import { grace_ms } from './count.ts'
import { type DayRow, type Freshness, findBalance, findDays, findFreshness } from './queries.ts'

export type DayOfOverview = Figures & { readonly day: Day }

/** A period, and an earlier one with which it is compared. */
export interface ComparedPeriod {
  readonly period: Period
  readonly before: Period
}

/** Figures of a period by day, beside those of an earlier one. */
export interface PeriodFigures extends ComparedPeriod {
  /** The figures contain everything until then; null before the first figures are complete. */
  readonly as_of: Date | null
  /** True while the figures are made for the first time, or again. */
  readonly building: boolean
  readonly totals: Figures
  readonly totals_before: Figures
  readonly days: readonly DayOfOverview[]
}

/** The figures of one merchant. */
export interface Overview extends PeriodFigures {
  /** Ever issued less ever redeemed at this merchant; below 0 where more is redeemed than issued. */
  readonly balance_points: string
}

/** Gives a merchant's figures of a period, and their totals in the earlier one. */
export async function readOverview(
  db: Database,
  merchant: MerchantKey,
  { period, before }: ComparedPeriod,
  machine_ms: number = Date.now(),
): Promise<Overview> {
  const settled_ms = machine_ms - grace_ms
  const [rows, balance, freshness] = await Promise.all([
    db.run(findDays(merchant, { from: before.from, to: period.to })),
    db.one(findBalance(merchant)),
    db.one(findFreshness(merchant.program_id, uuidV7Floor(settled_ms))),
  ])
  return { ...figuresOf({ rows, freshness, period, before, settled_ms }), balance_points: balance?.points ?? '0' }
}

/** Takes the days of both periods on which something happened; gives every day of the period, and the totals. */
export function figuresOf({
  rows: read,
  freshness,
  period,
  before,
  settled_ms,
}: ComparedPeriod & {
  readonly rows: readonly DayRow[]
  readonly freshness: Freshness | undefined
  readonly settled_ms: number
}): PeriodFigures {
  const length = daysBetween(period.from, period.to)
  const rows = read.map((row) => ({ ...row, ...bigintsOf(row, sums) }))
  const found = new Map(rows.map((row) => [row.day, row]))
  const days = Array.from({ length }, (_, n) => {
    const day = addDays(period.from, n)
    return found.get(day) ?? { ...NO_FIGURES, day }
  })
  const known = freshness !== undefined && freshness.generation > 0
  const as_of = known ? new Date(freshness.is_behind ? uuidV7Time(freshness.counted_to) : settled_ms) : null
  return {
    ...{ period, before, as_of, days },
    building: freshness?.building ?? true,
    totals: addFigures(days.map(({ day: _day, ...figures }) => figures)),
    totals_before: addFigures(rows.filter(({ day }) => day <= before.to).map(({ day: _day, ...figures }) => figures)),
  }
}
