import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { AnsweredRequest, KeepRequest } from '../../domain/answered.ts'
import { uuidV7Floor } from '../../domain/ids.ts'
import { day_ms } from '../../domain/spans.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import { deleteRequests, insertRequests } from './queries.ts'
import { type LoggedRequest, RequestSample } from './sample.ts'

/** How many rows may wait to be written. */
const max_waiting = 5_000
const batch_rows = 1_000
const flush_ms = 1_000

export interface RequestLogParts {
  readonly db: Pick<Database, 'run'>
  /** Rows that were written, requests that are in a row of their kind, and requests of which nothing is left. */
  readonly count: (outcome: 'written' | 'counted' | 'lost', requests: number) => void
  readonly onFailure: (error: unknown) => void
  readonly now_ms?: () => number
}

/**
 * Collects answered requests in memory and writes them later, in batches, so that no request waits for its own row. A
 * process that is killed loses those of its last second, and what it counted in its last minute.
 */
export class RequestLog {
  readonly #parts: RequestLogParts
  readonly #now_ms: () => number
  readonly #sample = new RequestSample()
  #waiting: LoggedRequest[] = []
  /** Not reported yet: a request costs less without a look at the metrics. */
  readonly #outcomes = { counted: 0, lost: 0 }

  constructor(parts: RequestLogParts) {
    this.#parts = parts
    this.#now_ms = parts.now_ms ?? Date.now
  }

  /** Takes a request. It neither waits nor throws. */
  readonly keep: KeepRequest = (request: AnsweredRequest): void => {
    this.#turn()
    const outcome = this.#sample.add(request)
    if (outcome === 'row') this.#add({ ...request, more: 0 })
    else this.#outcomes[outcome] += 1
  }

  /** Writes what waits, program by program. What the database refuses is lost. */
  async flush(): Promise<void> {
    this.#turn()
    this.#report()
    const waiting = this.#waiting
    this.#waiting = []
    for (const [program_id, rows] of Map.groupBy(waiting, (row) => row.program_id)) {
      for (let from = 0; from < rows.length; from += batch_rows)
        await this.#write(program_id, rows.slice(from, from + batch_rows))
    }
  }

  /** Writes everything, also what is only counted yet. */
  async finish(): Promise<void> {
    for (const row of this.#sample.begin(this.#now_ms())) this.#add(row)
    await this.flush()
  }

  #turn(): void {
    const now_ms = this.#now_ms()
    if (this.#sample.isOver(now_ms)) for (const row of this.#sample.begin(now_ms)) this.#add(row)
  }

  #report(): void {
    for (const outcome of ['counted', 'lost'] as const) {
      if (this.#outcomes[outcome] > 0) this.#parts.count(outcome, this.#outcomes[outcome])
      this.#outcomes[outcome] = 0
    }
  }

  #add(row: LoggedRequest): void {
    if (this.#waiting.length < max_waiting) this.#waiting.push(row)
    else this.#outcomes.lost += 1
  }

  async #write(program_id: number, rows: readonly LoggedRequest[]): Promise<void> {
    try {
      await this.#parts.db.run(insertRequests(program_id, rows))
      this.#parts.count('written', rows.length)
    } catch (error) {
      this.#parts.count('lost', rows.length)
      this.#parts.onFailure(error)
    }
  }
}

/** Writes what waits every second; the function that it gives stops that and writes the rest. */
export function startRequestLog(log: RequestLog): () => Promise<void> {
  const stop = startWorkerLoop({ work: () => log.flush(), pause_ms: flush_ms })
  return async () => {
    await stop()
    await log.finish()
  }
}

/** Deletes requests that are older than `days`. docs/settings.md, `NUQTA_REQUEST_LOG_DAYS` */
export function purgeRequests(db: Database, now: Date, days: number): Promise<number> {
  const before = uuidV7Floor(now.getTime() - days * day_ms)
  return purgeEverywhere(db, (program_id, count) => deleteRequests(program_id, before, count))
}
