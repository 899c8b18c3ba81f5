import { AsyncLocalStorage } from 'node:async_hooks'
import { userInfo } from 'node:os'
import pg from 'pg'
import { isReadOnly, isRefused } from './failure.ts'
import { writeProbe } from './readiness.ts'
import { type Runnable, toDriver } from './statement.ts'
import { type Counted, type Due, inTransaction, type Transaction, type TransactionOptions } from './transaction.ts'

/**
 * Statements by key have one plan for all values, so the first call of a connection makes it, instead of the sixth: a shop with few
 * requests rarely gets that far in the 60 s of a connection. On Citus the claim of deliveries fails with such a plan.
 */
const planOnce = `select set_config('plan_cache_mode', case when exists (select from pg_catalog.pg_extension where extname = 'citus')
  then 'auto' else 'force_generic_plan' end, false)`
/** Other plans are kept as PostgreSQL decides, whatever the default of its server. */
const planAsDecided = 'set plan_cache_mode = auto'

// Up to PostgreSQL 17 a plan that is off costs so much that JIT compiles it, for tens of milliseconds.
const planSettings = {
  by_key: `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off; ${planOnce}`,
  by_order: `set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set jit = off; ${planAsDecided}`,
  // JIT costs more than it saves on a part of a table. The entries of a wallet are on pages all over the table: read by the
  // index they cost three times as much as page by page, even in memory. A report says itself how many of its
  // statements run at a time: parallel workers of PostgreSQL would take the processors of the service.
  whole_tables: `set enable_nestloop = off; set work_mem = '64MB'; set jit = off; set enable_memoize = off;
    set random_page_cost = 4; set max_parallel_workers_per_gather = 0; set citus.propagate_set_commands = 'local'; ${planAsDecided}`,
} as const
/** A node of Citus, which makes the plan there, knows of the settings of a transaction only. */
const setForTables = ['set local enable_nestloop = off', `set local work_mem = '64MB'`, 'set local jit = off']
/**
 * While a table has up to 260 rows, and nothing is known of it, a plan may take the index that is one page lower than the right
 * one, and then read all rows of the program. So connections, which keep plans, are renewed after these numbers of orders.
 * docs/decisions/0024-plans-and-parts.md
 */
const renewals = { first: 512, last: 16_384 } as const
const query_timeout_ms = 15_000
const readiness_ms = 2_000
/** One rule over millions of entries takes long. */
const report_timeout_ms = 3_600_000
const int8 = 20
const date = 1082
const types = new pg.TypeOverrides()
types.setTypeParser(int8, exactNumber)
// A day has no time zone, and a Date would be midnight in that of the machine.
types.setTypeParser(date, (text) => text)

/** Parses a bigint. Throws a RangeError beyond 2^53, instead of giving an inexact number. */
function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint of the database is beyond 2^53')
  return value
}

export interface PoolOptions {
  /** The most connections. */
  readonly size?: number
  /** A statement that takes longer ends its connection. */
  readonly query_timeout_ms?: number
  readonly connect_timeout_ms?: number
  readonly application_name?: string
  /**
   * Planner settings. `by_key`, for requests: no sequential scans, even in plans made while a table was empty.
   * `whole_tables`, for reports: no nested loops over whole tables without statistics. `by_order`, for lists: use the
   * index that has the order, instead of sorting all rows.
   */
  readonly plans?: keyof typeof planSettings
  /** For COPY: each statement waits for the answer to the one before it, and may take any time. */
  readonly copies?: boolean
  /** A commit does not wait for the disk: a crash may lose the last ones. For work that goes on where it was interrupted. */
  readonly commits_early?: boolean
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

/**
 * Gives the settings of new sessions: planner settings, and server time-outs for requests. Without them, the locks of a
 * process that froze or lost its network would outlive it by hours. docs/spec/earning.md#lock
 */
function sessionSettings(options: PoolOptions): string | undefined {
  const { plans, query_timeout_ms: limit_ms = query_timeout_ms } = options
  const limits = `set statement_timeout = ${limit_ms}; set idle_in_transaction_session_timeout = ${limit_ms}`
  const settings = [
    ...(plans === undefined ? [] : [planSettings[plans]]),
    ...(plans === 'by_key' ? [limits] : []),
    ...(options.commits_early === true ? ['set synchronous_commit = off'] : []),
  ]
  return settings.length === 0 ? undefined : settings.join('; ')
}

/** A pool of connections to one PostgreSQL: statements, transactions and the write probe. */
export class Database {
  readonly #pool: pg.Pool
  readonly #connection: Connection
  readonly #listeners = new Set<(due: Due) => void>()
  /** Work that a commit wakes belongs to no request. */
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #setAgain: readonly string[]
  #trace: (() => (failed: boolean) => void) | undefined
  readonly #counters = new Set<(counted: readonly Counted[]) => void>()
  /** Orders that this pool has committed, and the number of them at which connections are renewed next. */
  #orders = 0
  #renew_at: number
  #generation = 0
  readonly #generations = new WeakMap<pg.PoolClient, number>()

  constructor(connection: Connection, options: PoolOptions = {}) {
    this.#connection = connection
    const parts = typeof connection === 'string' ? { connectionString: connection } : connection
    this.#pool = new pg.Pool({
      ...(osUser === undefined ? {} : { user: osUser }),
      ...parts,
      types,
      pipeline: options.copies !== true,
      max: options.size ?? 10,
      query_timeout: options.copies === true ? 0 : (options.query_timeout_ms ?? query_timeout_ms),
      connectionTimeoutMillis: options.connect_timeout_ms ?? 3_000,
      idleTimeoutMillis: 60_000,
      // Plans are cached per connection. Replan soon after the tables have changed.
      maxLifetimeSeconds: options.plans === 'by_key' ? 60 : 0,
      application_name: options.application_name ?? 'nuqta',
    } as pg.PoolConfig)
    // A connection that breaks in use also emits an error event, which would end the process without a listener.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
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

  /** Runs one statement on any connection; gives its rows. */
  async run<Row>(statement: Runnable<Row>): Promise<Row[]> {
    if (this.#setAgain.length > 0) return this.transaction((tx) => tx.run(statement))
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
        { ...options, settings: [...this.#setAgain, ...(options.settings ?? [])] },
        {
          committed: ({ due, counted }) => {
            if (due.size > 0) for (const listener of this.#listeners) this.#outside(listener, due)
            if (counted.length > 0) for (const counter of this.#counters) counter(counted)
            this.#renewAfter(counted)
          },
          isStale: (client) => this.#isStale(client),
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
  forReports(application_name: string, plans: keyof typeof planSettings = 'whole_tables'): Database {
    return new Database(this.#connection, { size: 2, plans, query_timeout_ms: report_timeout_ms, application_name })
  }

  /** Runs several statements in one text, outside a transaction: for migrations and maintenance only. */
  async script(text: string): Promise<void> {
    await this.#pool.query(text)
  }

  /** True if the database accepts a connection and a write within 2 s. */
  isWritable(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), readiness_ms)
    return Promise.race([this.#probeWrite(), late.promise]).finally(() => clearTimeout(timer))
  }

  async #probeWrite(): Promise<boolean> {
    let writable = false
    try {
      const client = await this.#pool.connect()
      try {
        const answers: unknown = await client.query(writeProbe(new Date()))
        writable = Array.isArray(answers) && answers.at(-1)?.command === 'COMMIT'
      } finally {
        client.release(!writable)
      }
    } catch (error) {
      if (isReadOnly(error)) this.#discardIdle()
    }
    return writable
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
    this.#generation += 1
    this.#discardIdle()
  }

  #isStale(client: pg.PoolClient): boolean {
    return (this.#generations.get(client) ?? 0) < this.#generation
  }

  /** Waits for connections in use, then closes all connections. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
