import type { AnsweredRequest } from '../../domain/answered.ts'
import { minute_ms } from '../../domain/spans.ts'

/** A row of the request log. `more` counts the requests like this one that have no row of their own. */
export interface LoggedRequest extends AnsweredRequest {
  readonly more: number
}

/** How much of a minute is kept, by each process. The rest is counted, so that no load fills the disk. */
export interface SampleBounds {
  /** The first requests of a kind that have rows of their own. */
  readonly rows_of_a_kind: number
  /** The rows of all kinds together. */
  readonly rows: number
  /** The kinds that have rows. Each may have one row more, which counts the rest. */
  readonly kinds: number
}

/** Requests that were refused or slow are kept apart, so that those which went well never crowd them out. */
export const bounds: Readonly<Record<'well' | 'badly', SampleBounds>> = {
  well: { rows_of_a_kind: 10, rows: 300, kinds: 1_000 },
  badly: { rows_of_a_kind: 20, rows: 300, kinds: 500 },
}

const slow_ms = 1_000

interface Kind {
  rows: number
  more: number
  /** The slowest of those without a row. */
  slowest: AnsweredRequest | undefined
}

interface Part {
  readonly bounds: SampleBounds
  readonly kinds: Map<string, Kind>
  rows: number
}

const partWith = (of: SampleBounds): Part => ({ bounds: of, kinds: new Map(), rows: 0 })

/** Chooses which requests of a minute have rows. Requests of one kind have merchant, route, status and failure in common. */
export class RequestSample {
  #minute = 0
  #well = partWith(bounds.well)
  #badly = partWith(bounds.badly)

  /** Whether the minute that the sample is of has ended. */
  isOver(now_ms: number): boolean {
    return Math.floor(now_ms / minute_ms) !== this.#minute
  }

  /** Begins the minute of an instant. Gives a row for each kind of the minute before that has more requests than rows. */
  begin(now_ms: number): LoggedRequest[] {
    const counted = [...this.#badly.kinds.values(), ...this.#well.kinds.values()].flatMap(({ slowest, more }) =>
      slowest === undefined ? [] : [{ ...slowest, more: more - 1 }],
    )
    this.#minute = Math.floor(now_ms / minute_ms)
    this.#well = partWith(bounds.well)
    this.#badly = partWith(bounds.badly)
    return counted
  }

  /** Takes a request of this minute. `row`: it has one of its own; `counted`: it will be in that of its kind. */
  add(request: AnsweredRequest): 'row' | 'counted' | 'lost' {
    const went = request.status < 400 && request.duration_ms < slow_ms
    const part = went ? this.#well : this.#badly
    const name = `${request.merchant_id} ${request.method} ${request.route} ${request.status} ${request.failure}`
    let kind = part.kinds.get(name)
    if (kind === undefined) {
      if (part.kinds.size >= part.bounds.kinds) return 'lost'
      kind = { rows: 0, more: 0, slowest: undefined }
      part.kinds.set(name, kind)
    }
    if (kind.rows < part.bounds.rows_of_a_kind && part.rows < part.bounds.rows) {
      kind.rows += 1
      part.rows += 1
      return 'row'
    }
    kind.more += 1
    if (kind.slowest === undefined || request.duration_ms > kind.slowest.duration_ms) kind.slowest = request
    return 'counted'
  }
}
