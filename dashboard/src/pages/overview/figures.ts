import type { DataOf } from '../../api/client.ts'

export type Overview = DataOf<'/merchants/{merchantId}/overview', 'get'>
export type DayOfOverview = Overview['days'][number]
export type FigureName = keyof Overview['totals']

/** How much more than before, as a share of 1; null where there was nothing before. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / before
}

/** A share of 1; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** Midnight UTC of a day, which has no time zone. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}
