import { dayOf, riyadh_ms, startOfDay } from '../../../domain/day.ts'
import { day_ms, hour_ms } from '../../../domain/spans.ts'

/** When people in Saudi Arabia buy: the hours, the week and the seasons of a year. */

export type Season =
  | 'ramadan'
  | 'eid'
  | 'national_day'
  | 'founding_day'
  | 'white_friday'
  | 'back_to_school'
  | 'salary'
  | 'morning'

/** From Sunday. Thursday evening begins the weekend. */
const weekdays = [0.85, 0.85, 0.9, 1, 1.45, 1.3, 1.1]

/** What a season adds to a day of every shop. */
const seasonWeights: Readonly<Partial<Record<Season, number>>> = {
  ramadan: 1.15,
  eid: 1.5,
  national_day: 1.5,
  founding_day: 1.25,
  white_friday: 1.7,
  salary: 1.2,
}

// biome-ignore format: one hour a number, from midnight
const hours = {
  usual:   [2, 1, 0, 0, 0, 0, 1, 3, 5, 6, 6, 6, 6, 6, 5, 6, 8, 10, 12, 13, 14, 13, 9, 5],
  friday:  [3, 2, 0, 0, 0, 0, 0, 1, 2, 3, 3, 1, 2, 4, 5, 7, 10, 13, 15, 16, 16, 15, 12, 7],
  ramadan: [12, 9, 5, 2, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 8, 7, 2, 3, 8, 13, 16, 16, 15],
}

const islamic = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  ...{ timeZone: 'UTC', month: 'numeric', day: 'numeric' },
})

/** The seasons of an instant. */
export function seasonsAt(at_ms: number): readonly Season[] {
  const local = new Date(at_ms + riyadh_ms)
  const [month, day] = [local.getUTCMonth() + 1, local.getUTCDate()]
  const found: readonly (readonly [Season, boolean])[] = [
    ...islamicSeasons(local),
    ['national_day', month === 9 && day >= 19 && day <= 25],
    ['founding_day', month === 2 && day >= 20 && day <= 23],
    ['white_friday', month === 11 && day >= 22 && day <= 29],
    ['back_to_school', (month === 8 && day >= 12) || (month === 9 && day <= 5)],
    ['salary', day >= 27 && day <= 29],
    ['morning', local.getUTCHours() >= 6 && local.getUTCHours() < 12],
  ]
  return found.flatMap(([season, is_on]) => (is_on ? [season] : []))
}

/** Ramadan, and the days before both feasts, when people buy presents. */
function islamicSeasons(local: Date): readonly (readonly [Season, boolean])[] {
  const parts = new Map(islamic.formatToParts(local).map(({ type, value }) => [type, Number(value)]))
  const [month = 0, day = 0] = [parts.get('month'), parts.get('day')]
  const presents = (month === 9 && day >= 21) || (month === 10 && day <= 3) || (month === 12 && day <= 12)
  return [
    ['ramadan', month === 9],
    ['eid', presents],
  ]
}

/** A day of the year, how busy it is, and its hours. */
export interface BusyDay {
  readonly from_ms: number
  readonly weight: number
  readonly hours: readonly number[]
}

/** The days up to `until_ms`. The year grows: its last day is twice as busy as its first. */
export function busyDays(from_ms: number, until_ms: number): readonly BusyDay[] {
  const first_ms = startOfDay(dayOf(new Date(from_ms))).getTime()
  const count = Math.max(1, Math.ceil((until_ms - first_ms) / day_ms))
  return Array.from({ length: count }, (_, place) => busyDay(first_ms + place * day_ms, place / count))
}

function busyDay(from_ms: number, grown: number): BusyDay {
  // By noon, so that the seasons of the day's hours do not count.
  const seasons = seasonsAt(from_ms + 12 * hour_ms)
  const weekday = new Date(from_ms + riyadh_ms).getUTCDay()
  const season = seasons.reduce((product, one) => product * (seasonWeights[one] ?? 1), 1)
  const usual = weekday === 5 ? hours.friday : hours.usual
  return {
    from_ms,
    weight: (0.7 + 0.7 * grown) * (weekdays[weekday] ?? 1) * season,
    hours: seasons.includes('ramadan') ? hours.ramadan : usual,
  }
}
