/** What a program takes of the value of points, in hundredths of a percent ("basis points"). docs/spec/terms.md#fees */
import { parseSetting } from './money.ts'

/** Takes a percentage, 0 to 100 with at most two decimals; gives it in hundredths of a percent. Null for anything else. */
export function parsePercent(percent: string | number): number | null {
  return parseSetting(percent, 2, 0, 10_000)
}

/** Takes hundredths of a percent; gives the percentage. */
export function toPercent(bp: number): number {
  return bp / 100
}
