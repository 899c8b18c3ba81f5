import { AsyncLocalStorage } from 'node:async_hooks'
import { userInfo } from 'node:os'
import pg from 'pg'
import { hour_ms } from '../domain/spans.ts'
import { settled } from '../lib/within.ts'
import { EndingClient, socketOf } from './client.ts'
import { isContention, isReadOnly, isRefused, isStalePlan } from './failure.ts'
import { readiness_ms, writeProbe } from './readiness.ts'
import { query_timeout_ms, type SessionOptions, sessionSettings, setForTables } from './session-settings.ts'
import { type Runnable, toDriver } from './statement.ts'
import {
  type Counted,
  type Due,
  inTransaction,
  retried,
  type Transaction,
  type TransactionOptions,
} from './transaction.ts'

/**
 * While a table has up to 260 rows, and nothing is known of it, a plan may take the index that is one page lower than the right
 * one, and then read all rows of the program. So connections, which keep plans, are renewed after these numbers of orders.
 * docs/decisions/0024-plans-and-parts.md
 */
const renewals = { first: 512, last: 16_384 } as const
/** One rule over millions of entries takes long. */
const report_timeout_ms = hour_ms
const int8 = 20
const date = 1082
const types = new pg.TypeOverrides()
types.setTypeParser(int8, parseBigint)
// A day has no time zone, and a Date would be midnight in that of the machine.
types.setTypeParser(date, (text) => text)

/** Parses a bigint. Throws a RangeError beyond 2^53, instead of giving an inexact number. */
function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint of the database is beyond 2^53')
  return value
}

export interface PoolOptions extends SessionOptions {
  /** The most connections. */
  readonly size?: number
  readonly connect_timeout_ms?: number
  readonly application_name?: string
  /** For COPY: each statement waits for the answer to the one before it, and may take any time. */
  readonly copies?: boolean
  readonly onError?: (error: Error) => void
}

/** A connection string, or its parts. */
export type Connection = string | { host: string; port: number; user: string; database: string; password?: string }

/** libpq's default user; undefined for a uid without a passwd entry. */
const osUser = ((): string | undefined => {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
})()

/** A database, or a transaction that has to see its own changes. */
export type Queryable = Pick<Database, 'run' | 'one'>

/** A pool of connections to one PostgreSQL: statements, transactions and the write probe. */
export class Database {
  readonly #pool: pg.Pool
  readonly #connection: Connection
  readonly #listeners = new Set<(due: Due) => void>()
  /** Work that a commit wakes belongs to no request. */
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #setAgain: readonly string[]
  readonly #copies: boolean
  #trace: (() => (failed: boolean) => void) | undefined
  readonly #counters = new Set<(counted: readonly Counted[]) => void>()
  /** Orders that this pool has committed, and the number of them at which connections are renewed next. */
  #orders = 0
  #renew_at: number
  #generation = 0
  readonly #generations = new WeakMap<pg.PoolClient, number>()
  readonly #clients = new Set<pg.PoolClient>()

  constructor(connection: Connection, options: PoolOptions = {}) {
    this.#connection = connection
    this.#copies = options.copies === true
    const parts = typeof connection === 'string' ? { connectionString: connection } : connection
    this.#pool = new pg.Pool({
      ...(osUser === undefined ? {} : { user: osUser }),
      ...parts,
      types,
      pipeline: !this.#copies,
      max: options.size ?? 10,
      query_timeout: this.#copies ? 0 : (options.query_timeout_ms ?? query_timeout_ms),
      connectionTimeoutMillis: options.connect_timeout_ms ?? 3_000,
      idleTimeoutMillis: 60_000,
      // Plans are cached per connection. Replan soon after the tables have changed.
      maxLifetimeSeconds: options.plans === 'by_key' ? 60 : 0,
      application_name: options.application_name ?? 'nuqta',
      Client: EndingClient,
    } as pg.PoolConfig)
    // A connection that breaks in use also emits an error event, which would end the process without a listener.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    this.#pool.on('connect', (client) => void this.#clients.add(client))
    this.#pool.on('remove', (client) => void this.#clients.delete(client))
    this.#setAgain = options.plans === 'whole_tables' ? setForTables : []
    this.#renew_at = options.plans === 'by_key' ? renewals.first : Number.POSITIVE_INFINITY
    this.#pool.on('connect', (client) => void this.#generations.set(client, this.#generation))
    const settings = sessionSettings(options)
    if (settings !== undefined) {
      // Sent before the first statement. Ignore a failure: the settings affect speed only.
      this.#pool.on('connect', (client) => void client.query(settings).catch(() => undefined))
    }
    // An idle connection that breaks fails no request: the next request opens another one.
    this.#pool.on('error', (error) => options.onError?.(error))
  }

  /** Runs one statement on any connection; gives its rows. Like a transaction, it is retried after a deadlock: it did nothing. */
  async run<Row>(statement: Runnable<Row>): Promise<Row[]> {
    if (this.#setAgain.length > 0) return this.transaction((tx) => tx.run(statement))
    return retried(() => this.#runPlanned(statement), isContention)
  }

  /** Runs one statement, once more where a plan of the session no longer fits. */
  async #runPlanned<Row>(statement: Runnable<Row>): Promise<Row[]> {
    try {
      return await this.#runOnce(statement)
    } catch (error) {
      if (!this.#renewsFor(error)) throw error
      return this.#runOnce(statement)
    }
  }

  async #runOnce<Row>(statement: Runnable<Row>): Promise<Row[]> {
    const client = await this.#pool.connect()
    let broken: unknown
    try {
      const result = await client.query(toDriver(statement))
      return result.rows as Row[]
    } catch (error) {
      // A new connection makes all its plans again.
      if (!isRefused(error)) broken = error
      throw error
    } finally {
      client.release(broken !== undefined || this.#isStale(client))
    }
  }

  /** Runs one statement; gives its first row, or undefined. */
  async one<Row>(statement: Runnable<Row>): Promise<Row | undefined> {
    const [row] = await this.run(statement)
    return row
  }

  /** Runs `work` in one transaction. `inTransaction` describes retries and errors. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const traced = this.#trace?.()
    try {
      const result = await inTransaction(
        this.#pool,
        work,
        {
          ...options,
          settings: [...this.#setAgain, ...(options.settings ?? [])],
          retryOn: (error) => this.#renewsFor(error) || options.retryOn?.(error) === true,
        },
        {
          committed: ({ due, counted }) => {
            if (due.size > 0) for (const listener of this.#listeners) this.#outside(listener, due)
            if (counted.length > 0) for (const counter of this.#counters) counter(counted)
            this.#renewAfter(counted)
          },
          isStale: (client) => this.#isStale(client),
          copies: this.#copies,
        },
      )
      traced?.(false)
      return result
    } catch (error) {
      traced?.(true)
      if (isReadOnly(error)) this.#discardIdle()
      throw error
    }
  }

  /**
   * Calls `listener` after each commit of this pool with the webhooks that have new deliveries. Gives the unsubscribe
   * function.
   */
  onDue(listener: (due: Due) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls `counter` after each commit of this pool that counted points or orders. */
  onCounted(counter: (counted: readonly Counted[]) => void): void {
    this.#counters.add(counter)
  }

  /** Calls `trace` at the beginning of each transaction, and what it gives at the end. */
  traceTransactions(trace: () => (failed: boolean) => void): void {
    this.#trace = trace
  }

  /** The connections of the pool, and the callers that wait for one. */
  get connections(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { total, idle, waiting }
  }

  /** Gives a pool of one connection to the same place that can COPY. The caller closes it. */
  forCopies(): Database {
    return new Database(this.#connection, { size: 1, copies: true, application_name: 'nuqta-copy' })
  }

  /** Gives a small pool to the same place for work that takes long, with plans for whole tables. The caller closes it. */
  forReports(application_name: string, plans: SessionOptions['plans'] = 'whole_tables'): Database {
    return new Database(this.#connection, { size: 2, plans, query_timeout_ms: report_timeout_ms, application_name })
  }

  /** Runs several statements in one text, outside a transaction: for migrations and maintenance only. */
  async script(text: string): Promise<void> {
    await this.#pool.query(text)
  }

  /** True if the database accepts a connection and a write in time. */
  isWritable(): Promise<boolean> {
    return settled(readiness_ms, this.tryWrite())
  }

  /** Makes the write that shows whether the database can serve. Throws what keeps it from that. */
  async tryWrite(): Promise<void> {
    const client = await this.#pool.connect()
    let done = false
    try {
      const answers: unknown = await client.query(writeProbe(new Date()))
      done = Array.isArray(answers) && answers.at(-1)?.command === 'COMMIT'
      if (!done) throw new Error('the write was not committed')
    } catch (error) {
      if (isReadOnly(error)) this.#discardIdle()
      throw error
    } finally {
      client.release(!done)
    }
  }

  /**
   * Closes the idle connections. If one session is read-only, the others probably are, and stay so even when the
   * database accepts writes again.
   */
  #discardIdle(): void {
    for (let left = this.#pool.idleCount; left > 0; left -= 1) {
      this.#pool.connect().then(
        (client) => client.release(true),
        () => undefined,
      )
    }
  }

  /** Renews the connections if these orders make the next number of orders complete. */
  #renewAfter(counted: readonly Counted[]): void {
    for (const { what, amount } of counted) if (what === 'orders') this.#orders += amount
    if (this.#orders < this.#renew_at) return
    while (this.#renew_at <= this.#orders)
      this.#renew_at = this.#renew_at < renewals.last ? 2 * this.#renew_at : Number.POSITIVE_INFINITY
    this.#renewAll()
  }

  /** Renews the connections after a plan that no longer fits: a migration has changed a table, so all have such plans. */
  #renewsFor(error: unknown): boolean {
    const stale = isStalePlan(error)
    if (stale) this.#renewAll()
    return stale
  }

  #renewAll(): void {
    this.#generation += 1
    this.#discardIdle()
  }

  #isStale(client: pg.PoolClient): boolean {
    return (this.#generations.get(client) ?? 0) < this.#generation
  }

  /** Waits for connections in use, then closes all connections. `at_once` breaks those in use. */
  async close({ at_once = false } = {}): Promise<void> {
    // The pool forgets its connections before they have ended, so nobody misses those that a stopping server breaks.
    this.#pool.removeAllListeners('error').on('error', () => undefined)
    const ended = this.#pool.end()
    if (at_once) for (const client of this.#clients) socketOf(client)?.destroy()
    await ended
  }
}
