import type { Database } from '../../db/pool.ts'
import { addFigures, type Figures, NO_FIGURES, sums } from '../../domain/activity.ts'
import { addDays, type Day, daysBetween, type Period } from '../../domain/day.ts'
import { uuidV7Floor, uuidV7Time } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { bigintsOf } from '../../lib/exact-number.ts'
import { grace_ms } from './count.ts'
import { type DayRow, type Freshness, findBalance, findDays, findFreshness } from './queries.ts'

export type DayOfOverview = Figures & { readonly day: Day }

/** Figures of a period by day, beside those of the period before. */
export interface PeriodFigures {
  readonly period: Period
  readonly before: Period
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

/** Gives a merchant's figures of a period, and their totals in the period of equal length before it. */
export async function readOverview(
  db: Database,
  merchant: MerchantKey,
  period: Period,
  machine_ms: number = Date.now(),
): Promise<Overview> {
  const before = periodBefore(period)
  const settled_ms = machine_ms - grace_ms
  const [rows, balance, freshness] = await Promise.all([
    db.run(findDays(merchant, { from: before.from, to: period.to })),
    db.one(findBalance(merchant)),
    db.one(findFreshness(merchant.program_id, uuidV7Floor(settled_ms))),
  ])
  return { ...figuresOf({ rows, freshness, period, settled_ms }), balance_points: balance?.points ?? '0' }
}

export function periodBefore({ from, to }: Period): Period {
  return { from: addDays(from, -daysBetween(from, to)), to: addDays(from, -1) }
}

/** Takes the days of both periods on which something happened; gives every day of the period, and the totals. */
export function figuresOf({
  rows: read,
  freshness,
  period,
  settled_ms,
}: {
  readonly rows: readonly DayRow[]
  readonly freshness: Freshness | undefined
  readonly period: Period
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
    ...{ period, before: periodBefore(period), as_of, days },
    building: freshness?.building ?? true,
    totals: addFigures(days.map(({ day: _day, ...figures }) => figures)),
    totals_before: addFigures(rows.filter(({ day }) => day < period.from).map(({ day: _day, ...figures }) => figures)),
  }
}
