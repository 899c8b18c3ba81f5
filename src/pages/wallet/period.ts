import { addDays, type Day, dayOf, monthBefore, monthOf, type Period, parseDay, startOfDay } from '../../domain/day.ts'
import { foldDigits } from '../../domain/text.ts'

/** From the first of this month to today. */
export function thisMonth(now: Date): Period {
  const to = dayOf(now)
  return { from: monthOf(to), to }
}

/** The whole previous month. */
export function lastMonth(now: Date): Period {
  return monthBefore(dayOf(now))
}

/** From the first of January to today. */
export function thisYear(now: Date): Period {
  const to = dayOf(now)
  return { from: `${to.slice(0, 4)}-01-01` as Day, to }
}

/**
 * The period that a query names: this month by default, and never beyond today. Null when a day is not a date or the days
 * are in the wrong order.
 */
export function readPeriod(query: Readonly<Record<string, string>>, now: Date): Period | null {
  const month = thisMonth(now)
  const from = readDay(query['from'], month.from)
  const requested = readDay(query['to'], month.to)
  if (from === null || requested === null) return null
  const to = requested > month.to ? month.to : requested
  return from > to ? null : { from, to }
}

/** The instants of a period: `from` included, `to` excluded. */
export function instantsOf({ from, to }: Period): { readonly from: Date; readonly to: Date } {
  return { from: startOfDay(from), to: startOfDay(addDays(to, 1)) }
}

function readDay(text: string | undefined, fallback: Day): Day | null {
  const day = foldDigits(text ?? '').trim()
  return day === '' ? fallback : parseDay(day)
}
