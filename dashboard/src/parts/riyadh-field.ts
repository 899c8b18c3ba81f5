import { riyadh_ms } from '../../../src/domain/day.ts'
import { after } from '../../../src/domain/spans.ts'

/** A moment as a field for a date and a time takes it, in Riyadh: `2026-11-25T14:05`. */
export function riyadhField(at: Date): string {
  return after(at, riyadh_ms).toISOString().slice(0, 16)
}

/** The moment that such a field has; an invalid date while it is not filled in. */
export function readRiyadhField(text: string): Date {
  return new Date(`${text}+03:00`)
}
