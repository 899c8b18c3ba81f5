import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Uuid } from '../domain/ids.ts'
import { CommitUnknown, isAborted, isConnectionLost, isContention, isOfSession, wasNeverSent } from './failure.ts'
import { type Runnable, statementsOf, toDriver } from './statement.ts'

const max_attempts = 6
const first_pause_ms = 15
const max_retry_ms = 2_000

export interface TransactionOptions {
  /** The work recognises what an earlier attempt has written, so it may be retried when the commit is unknown. */
  readonly repeatable?: boolean
  /** Further errors after which the work is retried from its start. */
  readonly retryOn?: (error: unknown) => boolean
  /** Statements sent right after BEGIN. */
  readonly settings?: readonly string[]
}

/**
 * A function that a service calls at the end of its transaction with the result to be committed. It stores the response
 * to a request with an Idempotency-Key. If it throws, nothing is written. docs/spec/api.md#idempotency-key
 */
export type BeforeCommit<Result> = (tx: Transaction, result: Result) => Promise<void>

/** Webhooks with new deliveries, by program. */
export type Due = ReadonlyMap<number, ReadonlySet<Uuid>>

/** What transactions have committed, for metrics: points by kind of transfer, orders by kind. */
export interface Counted {
  readonly what: 'points' | 'orders'
  readonly kind: string
  readonly amount: number
}

/** How a pool takes part in its transactions. */
export interface PoolHooks {
  /** Called after the commit with the webhooks that have new deliveries, and with what was counted. */
  readonly committed: (of: Committed) => void
  /** True for a connection that is closed instead of going back to the pool. */
  readonly isStale: (client: pg.PoolClient) => boolean
  /** For COPY: statements wait for each other, and the work is not retried, because it consumes what it copies. */
  readonly copies: boolean
}

/** What a commit is followed by. */
export interface Committed {
  readonly due: Due
  readonly counted: readonly Counted[]
}

/** An open transaction. Statements run in the order of the calls, without waiting for each other. */
export class Transaction {
  readonly #client: pg.PoolClient
  readonly #sent: Promise<unknown>[] = []
  readonly #due = new Map<number, Set<Uuid>>()
  readonly #counted: Counted[] = []
  readonly #copies: boolean
  /** With COPY: the end of the last statement, and whether it is a COPY that is still running. */
  #last: Promise<unknown> = Promise.resolve()
  #copying = false
  #over = false
  /** True if the commit of an earlier attempt is unknown: its writes may exist now, or appear in a moment. */
  readonly may_be_committed: boolean

  constructor(client: pg.PoolClient, may_be_committed: boolean, copies: boolean) {
    this.#client = client
    this.may_be_committed = may_be_committed
    this.#copies = copies
  }

  /** Runs one statement; gives its rows. Statements sent without awaiting share a round trip. */
  run<Row>(statement: Runnable<Row>): Promise<Row[]> {
    return markHandled(this.#send(statement).then((result) => result.rows as Row[]))
  }

  /** Runs one statement; gives its first row, or undefined. */
  one<Row>(statement: Runnable<Row>): Promise<Row | undefined> {
    return markHandled(this.run(statement).then(([row]) => row))
  }

  /** Runs several statements in one text, without values: for migrations only. */
  script(text: string): Promise<void> {
    const sent = statementsOf(text).map((statement) => this.#send({ text: statement, values: [] }))
    return markHandled(Promise.all(sent).then(() => undefined))
  }

  /** Begins a COPY; gives its stream. Await all statements before it, and `copied` after the end of the stream. */
  copy<Stream extends pg.Submittable>(stream: Stream): Stream {
    this.#refuseLate()
    this.#copying = true
    // The stream can end before the server has said how many rows there were.
    const idle = once(this.#client, 'drain').then(() => {
      this.#copying = false
    })
    this.#last = markHandled(idle)
    return this.#client.query(stream)
  }

  /** Waits until a COPY is over. */
  async copied(): Promise<void> {
    await this.#last
  }

  /** True while a COPY runs: the connection takes no other statement. */
  get is_copying(): boolean {
    return this.#copying
  }

  /** Records that the webhooks of `rows` have new deliveries after the commit. */
  makesDue(program_id: number, rows: Promise<readonly { readonly webhook_uuid: Uuid }[]>): void {
    const noted = rows.then((found) => {
      if (found.length === 0) return
      const webhooks = this.#due.get(program_id) ?? new Set()
      this.#due.set(program_id, webhooks)
      for (const { webhook_uuid } of found) webhooks.add(webhook_uuid)
    })
    this.#sent.push(markHandled(noted))
  }

  /** Counts points or orders for metrics, if the transaction commits. */
  counts(counted: Counted): void {
    this.#counted.push(counted)
  }

  /** What `counts` has recorded. */
  get counted(): readonly Counted[] {
    return this.#counted
  }

  /** The webhooks recorded by `makesDue`; complete after the commit. */
  get due(): Due {
    return this.#due
  }

  /** Waits for all statements. Throws the first error, which causes the later ones. */
  async settled(): Promise<void> {
    for (const sent of this.#sent) await sent
  }

  /** Refuses further statements: they would run outside the transaction, or in another one on the same connection. */
  end(): void {
    this.#over = true
  }

  #send(statement: Runnable<unknown>): Promise<pg.QueryResult> {
    this.#refuseLate()
    const ask = (): Promise<pg.QueryResult> => this.#client.query(toDriver(statement))
    const sent = markHandled(this.#copies ? this.#last.then(ask, ask) : ask())
    this.#last = sent
    this.#sent.push(sent)
    return sent
  }

  #refuseLate(): void {
    if (this.#over) throw new Error('a statement was sent after the end of its transaction')
  }
}

/** Marks a rejection as handled: callers may not await it, and the end of the transaction reports it. */
function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/**
 * Runs `work` between BEGIN and COMMIT. Statements that `work` sends without awaiting are sent together with the
 * COMMIT.
 *
 * Retries a few times after serialization failures, deadlocks, and connections that broke before the COMMIT was sent.
 * If the connection broke after that, throws `CommitUnknown`, or retries if the work is `repeatable`.
 * @throws the error of `work`, and nothing is written; or `CommitUnknown`, if something may be
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  hooks: PoolHooks,
): Promise<T> {
  let unknown: CommitUnknown | undefined
  const isRetryable = (error: unknown): boolean => {
    if (error instanceof CommitUnknown) unknown = error
    if (hooks.copies) return false
    if (isContention(error) || options.retryOn?.(error) === true) return true
    return error instanceof CommitUnknown ? options.repeatable === true : isConnectionLost(error)
  }
  try {
    return await retried(
      () => runOnce(pool, work, hooks, { ...options, may_be_committed: unknown !== undefined }),
      isRetryable,
    )
  } catch (error) {
    throw isConnectionLost(error) ? (unknown ?? error) : error
  }
}

/** Runs `work`, and again after a retryable error: a few times within two seconds. Throws the last error. */
export async function retried<T>(work: () => Promise<T>, isRetryable: (error: unknown) => boolean): Promise<T> {
  const started_ms = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt === max_attempts || performance.now() - started_ms > max_retry_ms) throw error
      await sleep(first_pause_ms * 2 ** attempt * (0.5 + Math.random()))
    }
  }
}

async function runOnce<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  { committed, isStale, copies }: PoolHooks,
  { may_be_committed, ...options }: TransactionOptions & { readonly may_be_committed: boolean },
): Promise<T> {
  const client = await pool.connect()
  const tx = new Transaction(client, may_be_committed, copies)
  let broken: Error | undefined
  try {
    const result = await beginWorkCommit(client, tx, work, { ...options, copies })
    if (tx.due.size > 0 || tx.counted.length > 0) committed(tx)
    return result
  } catch (error) {
    // A read-only session stays read-only, even when the database accepts writes again, and keeps a plan that no longer fits.
    if (tx.is_copying || error instanceof CommitUnknown || isConnectionLost(error) || isOfSession(error))
      broken = error as Error
    else await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.release(broken ?? isStale(client))
  }
}

async function beginWorkCommit<T>(
  client: pg.PoolClient,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
  { copies, settings = [] }: Pick<TransactionOptions, 'settings'> & { readonly copies: boolean },
): Promise<T> {
  // Not prepared: a pooler could lose it, and the statements that follow would run without a transaction.
  for (const text of ['begin', ...settings]) void tx.run({ text, values: [] })
  const result = await work(tx)
    .finally(() => tx.end())
    .catch(async (error) => {
      // Every statement after a failed one gets this error. Report the cause instead.
      if (isAborted(error)) await tx.settled()
      throw error
    })
  if (copies) await tx.settled()
  const committing = markHandled(client.query('commit'))
  try {
    await tx.settled()
    const { command } = await committing
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, and no error.
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
    return result
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    throw (await committing.catch(wasNeverSent)) === true ? error : new CommitUnknown(error)
  }
}
