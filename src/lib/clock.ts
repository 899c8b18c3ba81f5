/**
 * Time as business sees it: dates, windows and expiries (decisions §14). Leases, time-outs and identifiers use the
 * machine's clock instead.
 */
export interface Clock {
  now(): Date
}

/** The machine's clock, moved by an offset that a sandbox may set. */
export class OffsetClock implements Clock {
  #offset_ms = 0

  now(): Date {
    return new Date(Date.now() + this.#offset_ms)
  }

  /** Moves the clock to `offset_s` seconds from the machine's. */
  setOffset(offset_s: number): void {
    this.#offset_ms = offset_s * 1000
  }
}
