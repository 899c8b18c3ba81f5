import { dayOf, startOfDay } from '../../../src/domain/day.ts'
import type { Format } from '../texts/format.ts'
import type { Translate } from '../texts/translate.ts'

interface Words {
  readonly t: Translate
  readonly format: Format
}

/** Whether a day of Riyadh begins at an instant. */
export function beginsDay(at: string): boolean {
  const time = new Date(at)
  return startOfDay(dayOf(time)).getTime() === time.getTime()
}

/** Takes the end of a time, which is not part of it; gives the last moment that is. */
export function lastMomentBefore(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString()
}

/** A time from an instant, or from the beginning, to an end that is not part of it: 1 – 31 Oct 2026. */
export function periodText({ t, format }: Words, from: string | null, until: string): string {
  const endsDay = beginsDay(until)
  const end = endsDay ? format.date(lastMomentBefore(until)) : format.moment(until)
  if (from === null) return t('settlements.period_to', { end })
  if (!beginsDay(from)) return t('settlements.period_between', { from: format.moment(from), end })
  if (!endsDay) return t('settlements.period_between', { from: format.date(from), end })
  return format.days(from, lastMomentBefore(until))
}
