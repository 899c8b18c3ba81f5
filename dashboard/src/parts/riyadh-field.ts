/** Riyadh is three hours ahead of UTC, all year. */
import { hour_ms } from '../../../src/domain/spans.ts'

const riyadh_ms = 3 * hour_ms

/** A moment as a field for a date and a time takes it, in Riyadh: `2026-11-25T14:05`. */
export function riyadhField(at: Date): string {
  return new Date(at.getTime() + riyadh_ms).toISOString().slice(0, 16)
}

/** The moment that such a field has; an invalid date while it is not filled in. */
export function readRiyadhField(text: string): Date {
  return new Date(`${text}+03:00`)
}
