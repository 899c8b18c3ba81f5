import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  type AttemptRow,
  correctFailed,
  dequeue,
  type EndedRow,
  insertAttempts,
  logEnded,
  postpone,
  type RetryRow,
} from './delivery-queries.ts'

/** The result of an attempt, and what happens to its delivery next. */
export interface Result {
  readonly program_id: number
  readonly attempt: AttemptRow
  readonly next: Next
}

export type Next =
  | ({ readonly kind: 'ended' } & EndedRow)
  | ({ readonly kind: 'retry' } & RetryRow)
  /** The same transaction begins another attempt. */
  | { readonly kind: 'none' }

/**
 * Sends the writes of results in the caller's transaction, without waiting.
 * @returns the ended deliveries that were in the queue; await them after the commit
 */
function writeResults(
  tx: Transaction,
  { program_id, results, now }: { program_id: number; results: readonly Result[]; now: Date },
): { readonly dequeued: Promise<readonly { readonly delivery_id: Uuid }[]> } {
  const attempts = results.map(({ attempt }) => attempt)
  const ended = endedOf(results).sort(byKey)
  const retries = results.flatMap(({ next }) => (next.kind === 'retry' ? [next] : [])).sort(byKey)
  if (attempts.length > 0) void tx.run(insertAttempts(program_id, attempts))
  if (retries.length > 0) void tx.run(postpone(program_id, retries))
  if (ended.length === 0) return { dequeued: Promise.resolve([]) }
  void tx.run(logEnded(program_id, ended, now))
  return { dequeued: tx.run(dequeue(program_id, ended)) }
}

function endedOf(results: readonly Result[]) {
  return results.flatMap(({ next }) => (next.kind === 'ended' ? [next] : []))
}

function byKey(a: { readonly delivery_id: string }, b: { readonly delivery_id: string }): number {
  return a.delivery_id < b.delivery_id ? -1 : 1
}

/** Writes results in batches; resolves when a result is committed. */
function createBatchWriter(db: Database): (result: Result) => Promise<void> {
  return coalesce(
    async (results: readonly Result[]) => {
      const program_id = results[0]?.program_id ?? 0
      const now = new Date()
      const { dequeued } = await db.transaction(async (tx) => writeResults(tx, { program_id, results, now }), {
        repeatable: true,
      })
      const found = new Set((await dequeued).map(({ delivery_id }) => delivery_id))
      const missed = endedOf(results).filter(
        ({ state, delivery_id }) => state === 'delivered' && !found.has(delivery_id),
      )
      // Another worker saw the lease expire and gave the delivery up, but the receiver has it.
      if (missed.length > 0) await db.run(correctFailed(program_id, missed, now))
      return results.map(() => undefined)
    },
    {
      max_batch: 500,
      concurrency: 1,
      total_concurrency: 3,
      // Nobody waits for a result, so larger batches leave more of the database to requests.
      pause_ms: (size) => (size < busy_batch ? rest_ms : 0),
      partition: ({ program_id }) => program_id,
      isFatal: isDatabaseUnavailable,
    },
  )
}

const rest_ms = 25
/** After a batch of this size there is no pause: results arrive too fast. */
const busy_batch = 64
const first_pause_ms = 100
const longest_pause_ms = 1_000
/** Tries of a result that the database refuses. After them the lease expires, and the delivery is sent again. */
const max_tries = 5

export interface ResultWriter {
  /**
   * Writes a result. Waits as long as the database is away, and gives up only if it refuses the result. Never throws.
   */
  write(result: Result): Promise<void>
  /** The number of results that are not written yet. */
  readonly waiting: number
  /** The number of results that are being retried. Claim nothing while there are any: leases would expire. */
  readonly retrying: number
}

/** @param isStopping while true, a result is not retried for a database that is away */
export function createResultWriter(
  db: Database,
  { warn, isStopping }: { readonly warn: (error: unknown, text: string) => void; readonly isStopping: () => boolean },
): ResultWriter {
  const writeInBatch = createBatchWriter(db)
  let retrying = 0
  let waiting = 0

  async function retry(result: Result): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await sleep(Math.min(longest_pause_ms, first_pause_ms * 2 ** tries))
      try {
        return await writeInBatch(result)
      } catch (error) {
        if (tries < max_tries || (isDatabaseUnavailable(error) && !isStopping())) continue
        return warn(error, 'the result of a delivery was not written: it will be sent again')
      }
    }
  }

  async function writeOrRetry(result: Result): Promise<void> {
    try {
      await writeInBatch(result)
    } catch (error) {
      if (retrying === 0) warn(error, 'results of deliveries could not be written and are tried again')
      retrying += 1
      await retry(result).finally(() => {
        retrying -= 1
      })
    }
  }

  return {
    write(result) {
      waiting += 1
      return writeOrRetry(result).finally(() => {
        waiting -= 1
      })
    },
    get waiting() {
      return waiting
    },
    get retrying() {
      return retrying
    },
  }
}
