/** What a program's point is worth, by the day on which a value begins. docs/spec/points-and-money.md#rate-days */
import { addDays, type Day, dayOf } from './day.ts'
import type { MicroSarPerPoint } from './points.ts'

/** The value of a point from the beginning of a day in Riyadh, until the next rate begins. */
export interface Rate {
  readonly begins_on: Day
  readonly micro_sar_per_point: MicroSarPerPoint
}

/** The rates of a program, the latest first. A program has at least one. */
export type Rates = readonly Rate[]

/** The most rates of a program that wait for their day. Requests load more than this, so at least one of them has begun. */
export const max_waiting_rates = 12

/** The rates that requests load, the latest ones. */
export const loaded_rates = 32

/** Gives the rate in force on a day: the latest that has begun, or the first one before any has. */
export function rateOn(rates: Rates, day: Day): Rate {
  const rate = rates.find(({ begins_on }) => begins_on <= day) ?? rates.at(-1)
  if (rate === undefined) throw new RangeError('a program without a rate')
  return rate
}

/** Gives what a point is worth at an instant. */
export function rateAt(rates: Rates, at: Date): MicroSarPerPoint {
  return rateOn(rates, dayOf(at)).micro_sar_per_point
}

/** Why a rate cannot begin on a day: the day is over or too far away, or too many rates wait already. */
export type RateRefused = 'past' | 'far' | 'many'

/** How many days ahead a rate can begin. */
export const max_rate_days_ahead = 400

/** Decides whether a rate may begin on a day. Null if it may. It replaces the rate of the same day. */
export function refuseRate(rates: Rates, begins_on: Day, now: Date): RateRefused | null {
  const today = dayOf(now)
  if (begins_on < today) return 'past'
  if (begins_on > addDays(today, max_rate_days_ahead)) return 'far'
  const waiting = rates.filter((rate) => rate.begins_on > today && rate.begins_on !== begins_on)
  return begins_on > today && waiting.length >= max_waiting_rates ? 'many' : null
}
