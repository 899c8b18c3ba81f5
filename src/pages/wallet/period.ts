import { foldDigits } from '../../domain/digits.ts'
import { riyadhDate } from '../../features/orders/view.ts'

/** Days in Riyadh, `YYYY-MM-DD`, both of them in it. */
export interface Period {
  readonly from: string
  readonly to: string
}

const day_ms = 86_400_000

/** The month of `now` until today. */
export function thisMonth(now: Date): Period {
  const to = riyadhDate(now)
  return { from: `${to.slice(0, 7)}-01`, to }
}

/** The whole month before that of `now`. */
export function lastMonth(now: Date): Period {
  const { from } = thisMonth(now)
  const to = riyadhDate(new Date(startOf(from).getTime() - day_ms))
  return { from: `${to.slice(0, 7)}-01`, to }
}

/** The year of `now` until today. */
export function thisYear(now: Date): Period {
  const to = riyadhDate(now)
  return { from: `${to.slice(0, 4)}-01-01`, to }
}

/**
 * The period of a query, this month where it names none, and no later than today: what comes is not known. Null where its
 * days are none, or in the wrong order.
 */
export function readPeriod(query: Readonly<Record<string, string>>, now: Date): Period | null {
  const month = thisMonth(now)
  const from = readDay(query['from'], month.from)
  const asked = readDay(query['to'], month.to)
  if (from === null || asked === null) return null
  const to = asked > month.to ? month.to : asked
  return from > to ? null : { from, to }
}

/** The instants of a period: from the first one, up to the second and without it. */
export function instantsOf({ from, to }: Period): { readonly from: Date; readonly to: Date } {
  return { from: startOf(from), to: new Date(startOf(to).getTime() + day_ms) }
}

/** When a day begins in Riyadh, which is three hours ahead of UTC at all times. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00+03:00`)
}

function readDay(text: string | undefined, otherwise: string): string | null {
  const day = foldDigits(text ?? '').trim()
  if (day === '') return otherwise
  if (!/^(?:19|20)\d\d-\d\d-\d\d$/.test(day)) return null
  const start = startOf(day)
  // Some days are in no month: the 30th of February would be read as the 1st or 2nd of March.
  return Number.isNaN(start.getTime()) || riyadhDate(start) !== day ? null : day
}
