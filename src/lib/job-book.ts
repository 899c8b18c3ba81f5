/** What a background job of this process does, by the machine's clock. */

import { after } from '../domain/spans.ts'

export interface JobState {
  readonly name: string
  /** Null before the first round. */
  readonly started_at: Date | null
  /** Null while the first round is under way. */
  readonly ended_at: Date | null
  readonly took_ms: number | null
  /** Null while a round is under way. */
  readonly next_at: Date | null
  /** Rounds that have failed since the last one that did not. */
  readonly failures: number
  readonly failed_at: Date | null
  /** The last failure, without rows of the database. */
  readonly error: string | null
}

/** Where a worker loop records its rounds. */
export interface JobRecord {
  begins(): void
  /** `error` is undefined for a round that succeeded. */
  ends(pause_ms: number, error: unknown): void
}

const longest_error = 200
/** Removed from errors: phone numbers, ids and amounts, which no reader of a failure needs. */
const long_digits = /\d{6,}/g

/** Keeps the last round of each background job of a process. */
export class JobBook {
  readonly #jobs = new Map<string, JobState>()
  readonly #now: () => Date

  constructor(now: () => Date = () => new Date()) {
    this.#now = now
  }

  /** Adds a job to the book and gives its record. */
  of(name: string): JobRecord {
    const nothing = { started_at: null, ended_at: null, took_ms: null, next_at: null, failed_at: null, error: null }
    this.#jobs.set(name, { name, ...nothing, failures: 0 })
    let began_ms = performance.now()
    return {
      begins: () => {
        began_ms = performance.now()
        this.#change(name, { started_at: this.#now(), next_at: null })
      },
      // The machine's clock may have been set meanwhile.
      ends: (pause_ms, error) => this.#end(name, Math.round(performance.now() - began_ms), { pause_ms, error }),
    }
  }

  /** The jobs in the order in which they were added. */
  get jobs(): readonly JobState[] {
    return [...this.#jobs.values()]
  }

  #end(
    name: string,
    took_ms: number,
    { pause_ms, error }: { readonly pause_ms: number; readonly error: unknown },
  ): void {
    const at = this.#now()
    const was = this.#jobs.get(name)
    const round = { ended_at: at, took_ms, next_at: after(at, pause_ms) }
    const failed = { failures: (was?.failures ?? 0) + 1, failed_at: at, error: textOf(error) }
    this.#change(name, { ...round, ...(error === undefined ? { failures: 0 } : failed) })
  }

  #change(name: string, change: Partial<JobState>): void {
    const was = this.#jobs.get(name)
    if (was !== undefined) this.#jobs.set(name, { ...was, ...change })
  }
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replaceAll(long_digits, '…').slice(0, longest_error)
}
