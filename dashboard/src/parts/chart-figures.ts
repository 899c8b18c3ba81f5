import { dayOf } from '../../../src/domain/day.ts'
import type { Format } from '../texts/format.ts'

export interface Series<Name extends string = string> {
  readonly name: Name
  readonly label: string
  readonly money?: boolean
}

/** The figures of a day, or of the month that begins with it. */
export type Dated<Name extends string = string> = Readonly<Record<Name, number>> & { readonly day: string }
export type Unit = 'day' | 'month'

/** Midnight UTC of a day, which has no time zone. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** Whether the last day had not ended at the instant until which its figures are complete. */
export function isGoingOn(days: readonly Dated<never>[], as_of: string | null): boolean {
  return as_of !== null && days.at(-1)?.day === dayOf(new Date(as_of))
}

/** A day, or the month that begins with it. */
export function dayText(format: Format, unit: Unit, day: string): string {
  return unit === 'month' ? format.month(startOf(day)) : format.date(startOf(day))
}

/** A label for a canvas, which runs from left to right and would turn the words of Arabic around. */
export function inOrder(dir: 'ltr' | 'rtl', label: string): string {
  return dir === 'rtl' ? `\u2067${label}\u2069` : label
}

/**
 * Gives the starts of the days or months that have room for a label. Each has at most one label, however much room there is:
 * further labels would repeat it at hours that nobody counted.
 */
export function labelled(starts: readonly number[], width: number, label_width: number): number[] {
  const most = Math.max(1, Math.floor(width / label_width))
  const step = Math.ceil(starts.length / most)
  return starts.filter((_, index) => index % step === 0)
}
