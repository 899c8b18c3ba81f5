import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  type AttemptRow,
  correctFailed,
  type EndedRow,
  insertAttempts,
  logEnded,
  postpone,
  type RetryRow,
  unqueue,
} from './delivery-queries.ts'

/** How an attempt ended, and what follows from it. */
export interface Result {
  readonly program_id: number
  readonly attempt: AttemptRow
  readonly next: Next
}

export type Next =
  | ({ readonly kind: 'ended' } & EndedRow)
  | ({ readonly kind: 'retry' } & RetryRow)
  /** Another attempt begins in the same transaction. */
  | { readonly kind: 'none' }

/**
 * Sends what these results write into the caller's transaction, without waiting.
 * @returns the ended deliveries that were in the queue; to be awaited after the commit
 */
function writeResults(
  tx: Transaction,
  { program_id, results, now }: { program_id: number; results: readonly Result[]; now: Date },
): { readonly unqueued: Promise<readonly { readonly delivery_id: Uuid }[]> } {
  const attempts = results.map(({ attempt }) => attempt)
  const ended = endedOf(results).sort(byKey)
  const retries = results.flatMap(({ next }) => (next.kind === 'retry' ? [next] : [])).sort(byKey)
  if (attempts.length > 0) void tx.run(insertAttempts(program_id, attempts))
  if (retries.length > 0) void tx.run(postpone(program_id, retries))
  if (ended.length === 0) return { unqueued: Promise.resolve([]) }
  void tx.run(logEnded(program_id, ended, now))
  return { unqueued: tx.run(unqueue(program_id, ended)) }
}

function endedOf(results: readonly Result[]) {
  return results.flatMap(({ next }) => (next.kind === 'ended' ? [next] : []))
}

function byKey(a: { readonly delivery_id: string }, b: { readonly delivery_id: string }): number {
  return a.delivery_id < b.delivery_id ? -1 : 1
}

/** Writes one result; results that end while others are being written leave together. Resolves when it is committed. */
function createRecorder(db: Database): (result: Result) => Promise<void> {
  return coalesce(
    async (results: readonly Result[]) => {
      const program_id = results[0]?.program_id ?? 0
      const now = new Date()
      const { unqueued } = await db.transaction(async (tx) => writeResults(tx, { program_id, results, now }), {
        repeatable: true,
      })
      const found = new Set((await unqueued).map(({ delivery_id }) => delivery_id))
      const missed = endedOf(results).filter(
        ({ state, delivery_id }) => state === 'delivered' && !found.has(delivery_id),
      )
      // Another worker took the lease for over and gave the delivery up; but the receiver has it.
      if (missed.length > 0) await db.run(correctFailed(program_id, missed, now))
      return results.map(() => undefined)
    },
    {
      max_batch: 250,
      concurrency: 1,
      total_concurrency: 3,
      // Nobody waits for a result: fewer commits leave more of the database to those that somebody waits for.
      pause_ms: (size) => (size < busy_batch ? rest_ms : 0),
      partition: ({ program_id }) => program_id,
      isFatal: isDatabaseUnavailable,
    },
  )
}

const rest_ms = 25
/** A batch of this size says that more come than a rest would leave time to write. */
const busy_batch = 64
const first_pause_ms = 100
const longest_pause_ms = 1_000
/** Of a result that the database refuses though it is there: then its lease runs out, and it is sent again. */
const tries_at_most = 5

export interface ResultWriter {
  /** Writes a result, however long the database is away; gives up only on what it refuses. Never throws. */
  keep(result: Result): Promise<void>
  /** Results that could not be written yet: nothing more should be taken, its lease would run out unwritten. */
  readonly troubled: number
}

/** @param isOver from then on a database that is away is not waited for */
export function createResultWriter(
  db: Database,
  { warn, isOver }: { readonly warn: (error: unknown, text: string) => void; readonly isOver: () => boolean },
): ResultWriter {
  const record = createRecorder(db)
  let troubled = 0

  async function again(result: Result): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await sleep(Math.min(longest_pause_ms, first_pause_ms * 2 ** tries))
      try {
        return await record(result)
      } catch (error) {
        if (tries < tries_at_most || (isDatabaseUnavailable(error) && !isOver())) continue
        return warn(error, 'the result of a delivery was not written: it will be sent again')
      }
    }
  }

  return {
    keep: (result) =>
      record(result).catch((error: unknown) => {
        if (troubled === 0) warn(error, 'results of deliveries could not be written and are tried again')
        troubled += 1
        return again(result).finally(() => {
          troubled -= 1
        })
      }),
    get troubled() {
      return troubled
    },
  }
}
