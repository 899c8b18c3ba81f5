import { dayOf } from '../../domain/day.ts'
import { day_ms } from '../../domain/spans.ts'
import { foldDigits } from '../../domain/text.ts'

/** Two days in Riyadh, `YYYY-MM-DD`, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** From the first of this month to today. */
export function thisMonth(now: Date): Period {
  const to = dayOf(now)
  return { from: `${to.slice(0, 7)}-01`, to }
}

/** The whole previous month. */
export function lastMonth(now: Date): Period {
  const { from } = thisMonth(now)
  const to = dayOf(new Date(startOf(from).getTime() - day_ms))
  return { from: `${to.slice(0, 7)}-01`, to }
}

/** From the first of January to today. */
export function thisYear(now: Date): Period {
  const to = dayOf(now)
  return { from: `${to.slice(0, 4)}-01-01`, to }
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
  return { from: startOf(from), to: new Date(startOf(to).getTime() + day_ms) }
}

/** The start of a day in Riyadh, which is always three hours ahead of UTC. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00+03:00`)
}

function readDay(text: string | undefined, fallback: string): string | null {
  const day = foldDigits(text ?? '').trim()
  if (day === '') return fallback
  if (!/^(?:19|20)\d\d-\d\d-\d\d$/.test(day)) return null
  const start = startOf(day)
  // Date would read 30 February as 1 or 2 March.
  return Number.isNaN(start.getTime()) || dayOf(start) !== day ? null : day
}
