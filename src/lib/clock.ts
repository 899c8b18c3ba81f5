/**
 * The time of business rules: dates, windows and expiries (docs/spec/operation.md#clock). Leases, time-outs and
 * identifiers use the machine's clock instead.
 */
export interface Clock {
  now(): Date
}

/** The machine's clock plus an offset, which a sandbox may set. */
export class OffsetClock implements Clock {
  #offset_ms = 0

  now(): Date {
    return new Date(Date.now() + this.#offset_ms)
  }

  /** Sets the clock to the machine's time plus `offset_s` seconds. */
  setOffset(offset_s: number): void {
    this.#offset_ms = offset_s * 1000
  }
}
