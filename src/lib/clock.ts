/**
 * The time of business rules: dates, windows and expiries (docs/spec/operation.md#clock). Leases, time-outs and
 * identifiers use the machine's clock instead.
 */

import { after, minute_ms } from '../domain/spans.ts'

export interface Clock {
  now(): Date
}

/** What some work needs, with the clock that may be left out of it. */
export type Timed<Parts extends { readonly now?: unknown }> = Parts & Required<Pick<Parts, 'now'>>

/** The machine's clock plus an offset, which a sandbox may set. */
export class OffsetClock implements Clock {
  #offset_ms = 0

  now(): Date {
    return after(new Date(), this.#offset_ms)
  }

  /** How many seconds it is ahead of the machine's time. */
  get offset_s(): number {
    return this.#offset_ms / 1000
  }

  /** Sets the clock to the machine's time plus `offset_s` seconds. */
  setOffset(offset_s: number): void {
    this.#offset_ms = offset_s * 1000
  }
}

/** How far the clocks of two servers may differ. */
const clocks_differ_ms = minute_ms

/**
 * Gives the latest time at which a lease or a wait of at most `longest_ms` can end. A later end comes from a clock that was
 * set back since, and holds nobody up.
 */
export function latestEnd(now_ms: number, longest_ms: number): Date {
  return new Date(now_ms + longest_ms + clocks_differ_ms)
}

const repair_every_ms = minute_ms

/**
 * Whether to repair times that a clock left far ahead when it was set back: a minute after the last repair, and once the
 * clock has gone back by a minute.
 */
export function isRepairDue(repaired_ms: number, now_ms: number): boolean {
  return Math.abs(now_ms - repaired_ms) >= repair_every_ms
}
