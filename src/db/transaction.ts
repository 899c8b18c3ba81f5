import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Uuid } from '../domain/ids.ts'
import { CommitUnknown, isAborted, isConnectionLost, isContention, isReadOnly, wasNeverSent } from './failure.ts'
import { statementsOf } from './script.ts'
import type { Runnable } from './statement.ts'
import { toDriver } from './statement.ts'

const tries = 6
const firstPause_ms = 15
const patience_ms = 2_000

export interface TransactionOptions {
  /** The work recognises what an earlier try of it has written, so a try whose commit is unknown may be repeated. */
  readonly repeatable?: boolean
  /** Further errors after which the work is tried again from its start. */
  readonly retryOn?: (error: unknown) => boolean
}

/**
 * What a story calls inside its transaction, at the end, with what it is about to commit: the answer of a request with an
 * Idempotency-Key is stored there (decisions §13). When it throws, nothing has been written.
 */
export type BeforeCommit<Result> = (tx: Transaction, result: Result) => Promise<void>

/** Webhooks that have something to receive, by program. */
export type Due = ReadonlyMap<number, ReadonlySet<Uuid>>

/** An open transaction: statements run in the order in which they are given, without waiting for each other. */
export class Transaction {
  readonly #client: pg.PoolClient
  readonly #sent: Promise<unknown>[] = []
  readonly #due = new Map<number, Set<Uuid>>()
  #over = false
  /** The commit of an earlier try is not known: what it wrote may be there, or be there in a moment. */
  readonly may_be_committed: boolean

  constructor(client: pg.PoolClient, may_be_committed: boolean) {
    this.#client = client
    this.may_be_committed = may_be_committed
  }

  /** Sends a statement and gives its rows. Statements sent without awaiting travel together. */
  run<Row>(statement: Runnable<Row>): Promise<Row[]> {
    return seenToAtTheEnd(this.#send(statement).then((result) => result.rows as Row[]))
  }

  /** Runs one statement that gives one row, or none. */
  one<Row>(statement: Runnable<Row>): Promise<Row | undefined> {
    return seenToAtTheEnd(this.run(statement).then(([row]) => row))
  }

  /** Several statements in one text, without values: migrations only. */
  script(text: string): Promise<void> {
    const sent = statementsOf(text).map((statement) => this.#send({ text: statement, values: [] }))
    return seenToAtTheEnd(Promise.all(sent).then(() => undefined))
  }

  /** Notes, once `rows` have come, for whom the commit makes deliveries due. */
  makesDue(program_id: number, rows: Promise<readonly { readonly webhook_uuid: Uuid }[]>): void {
    const noted = rows.then((found) => {
      if (found.length === 0) return
      const webhooks = this.#due.get(program_id) ?? new Set()
      this.#due.set(program_id, webhooks)
      for (const { webhook_uuid } of found) webhooks.add(webhook_uuid)
    })
    this.#sent.push(seenToAtTheEnd(noted))
  }

  /** What `makesDue` has noted; whole after the commit. */
  get due(): Due {
    return this.#due
  }

  /** Waits for all that was sent; throws the first error, which is the cause of those after it. */
  async settled(): Promise<void> {
    for (const sent of this.#sent) await sent
  }

  /** No statement more: it would run on its own, or in the transaction of whoever has the connection next. */
  end(): void {
    this.#over = true
  }

  #send(statement: Runnable<unknown>): Promise<pg.QueryResult> {
    if (this.#over) throw new Error('a statement was sent after the end of its transaction')
    const sent = seenToAtTheEnd(this.#client.query(toDriver(statement)))
    this.#sent.push(sent)
    return sent
  }
}

/** Whoever awaits it sees its error, and so does the end of the transaction; alone it ends no process. */
function seenToAtTheEnd<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/**
 * Runs `work` between BEGIN and COMMIT. Statements that `work` sends without awaiting leave together with the COMMIT.
 *
 * Serialization failures, deadlocks and connections that broke before the COMMIT was sent are tried again, a few times;
 * a connection that broke after that is `CommitUnknown`, or another try when the work is `repeatable`.
 * @param committed told, after the commit, for whom it has made deliveries due
 * @throws whatever `work` throws; then nothing has been written. `CommitUnknown` when it may have been.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  committed: (due: Due) => void = () => undefined,
): Promise<T> {
  const started_ms = performance.now()
  let unknown: CommitUnknown | undefined
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, work, committed, unknown !== undefined)
    } catch (error) {
      if (error instanceof CommitUnknown) unknown = error
      const again =
        isContention(error) ||
        options.retryOn?.(error) === true ||
        (error instanceof CommitUnknown ? options.repeatable === true : isConnectionLost(error))
      if (!again || attempt === tries || performance.now() - started_ms > patience_ms)
        throw isConnectionLost(error) ? (unknown ?? error) : error
      await sleep(firstPause_ms * 2 ** attempt * (0.5 + Math.random()))
    }
  }
}

async function once<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  committed: (due: Due) => void,
  may_be_committed: boolean,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const tx = new Transaction(client, may_be_committed)
    const result = await beginWorkCommit(client, tx, work)
    if (tx.due.size > 0) committed(tx.due)
    return result
  } catch (error) {
    // A session that may only read stays so, also when the database accepts writes again.
    if (error instanceof CommitUnknown || isConnectionLost(error) || isReadOnly(error)) broken = error as Error
    else await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.release(broken)
  }
}

async function beginWorkCommit<T>(
  client: pg.PoolClient,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // Not prepared: behind a pooler that would be forgotten, and what follows would be written without a transaction.
  void tx.run({ text: 'begin', values: [] })
  const result = await work(tx)
    .finally(() => tx.end())
    .catch(async (error) => {
      // The answer to every statement after the one that failed: that one is the cause.
      if (isAborted(error)) await tx.settled()
      throw error
    })
  const committing = seenToAtTheEnd(client.query('commit'))
  try {
    await tx.settled()
    const { command } = await committing
    // PostgreSQL answers the COMMIT of a failed transaction with a quiet ROLLBACK.
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
    return result
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    throw (await committing.catch(wasNeverSent)) === true ? error : new CommitUnknown(error)
  }
}
