import { userInfo } from 'node:os'
import pg from 'pg'
import { isReadOnly } from './failure.ts'
import type { Runnable } from './statement.ts'
import { toDriver } from './statement.ts'
import type { Due, Transaction, TransactionOptions } from './transaction.ts'
import { inTransaction } from './transaction.ts'
import { writeProbe } from './write-probe.ts'

const planSettings = {
  by_key: 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off',
  by_order: 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off',
  // Compiling a statement costs more than it saves in one that looks at a part; and what is read is mostly in memory.
  whole_tables:
    "set enable_nestloop = off; set work_mem = '64MB'; set jit = off; set enable_memoize = off; set random_page_cost = 1.1",
} as const
const query_timeout_ms = 15_000
const readiness_ms = 2_000
const int8 = 20
const types = new pg.TypeOverrides()
types.setTypeParser(int8, exactNumber)

/** Money and points are bounded by the domain; a sum that passes 2^53 fails, and is never a number that is almost right. */
function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint of the database is beyond 2^53')
  return value
}

export interface PoolOptions {
  /** Connections at most. */
  readonly size?: number
  /** A statement that takes longer ends its connection (milliseconds). */
  readonly query_timeout_ms?: number
  readonly connect_timeout_ms?: number
  readonly application_name?: string
  /**
   * How this pool's statements find rows. `by_key`: requests; a plan made while a table was empty must not be a scan of
   * it for as long as the connection lives. `whole_tables`: reports; a join of whole tables must not become a loop over
   * them because nothing was known of their sizes. `by_order`: pages of lists; an index that has their order is not passed
   * over for reading all and sorting it.
   */
  readonly plans?: keyof typeof planSettings
  readonly onError?: (error: Error) => void
}

/** Where a database is: a connection string, or the parts of one. */
export type Connection = string | { host: string; port: number; user: string; database: string; password?: string }

/** The name that libpq would take; a uid without a passwd entry has none. */
const osUser = ((): string | undefined => {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
})()

/**
 * How sessions find rows and, for those of requests, how long the server keeps what we gave up or left behind: the locks
 * of a process that froze, or lost its network, would otherwise outlive it by hours (decisions §5, "dies with its holder").
 */
function sessionSettings({ plans, query_timeout_ms: limit_ms = query_timeout_ms }: PoolOptions): string | undefined {
  if (plans !== 'by_key') return plans === undefined ? undefined : planSettings[plans]
  const limits = `set statement_timeout = ${limit_ms}; set idle_in_transaction_session_timeout = ${limit_ms}`
  return `${planSettings.by_key}; ${limits}`
}

/** One PostgreSQL, as the features see it: statements, transactions, and whether it is well. */
export class Database {
  readonly #pool: pg.Pool
  readonly #listeners = new Set<(due: Due) => void>()

  constructor(connection: Connection, options: PoolOptions = {}) {
    const parts = typeof connection === 'string' ? { connectionString: connection } : connection
    this.#pool = new pg.Pool({
      ...(osUser === undefined ? {} : { user: osUser }),
      ...parts,
      types,
      pipeline: true,
      max: options.size ?? 10,
      query_timeout: options.query_timeout_ms ?? query_timeout_ms,
      connectionTimeoutMillis: options.connect_timeout_ms ?? 3_000,
      idleTimeoutMillis: 60_000,
      // Plans are cached for the life of a connection: none may outlive what they were made for by long.
      maxLifetimeSeconds: options.plans === 'by_key' ? 60 : 0,
      application_name: options.application_name ?? 'nuqta',
    } as pg.PoolConfig)
    // A connection that breaks while in use says so by an event besides failing its statements; nobody else listens.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    const settings = sessionSettings(options)
    if (settings !== undefined) {
      // Sent ahead of the connection's first statement. No answer depends on it, only how soon there is one.
      this.#pool.on('connect', (client) => void client.query(settings).catch(() => undefined))
    }
    // An idle connection that breaks is no failure of a request: the next one makes another.
    this.#pool.on('error', (error) => options.onError?.(error))
  }

  /** Runs one statement on any connection and gives its rows. */
  async run<Row>(statement: Runnable<Row>): Promise<Row[]> {
    const result = await this.#pool.query(toDriver(statement))
    return result.rows as Row[]
  }

  /** Runs one statement that gives one row, or none. */
  async one<Row>(statement: Runnable<Row>): Promise<Row | undefined> {
    const [row] = await this.run(statement)
    return row
  }

  /** Runs `work` in one transaction; see `inTransaction` for what is retried and what is reported. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    try {
      return await inTransaction(this.#pool, work, options, (due) => {
        for (const listener of this.#listeners) listener(due)
      })
    } catch (error) {
      if (isReadOnly(error)) this.#discardIdle()
      throw error
    }
  }

  /** Tells `listener`, after each commit of this pool, for whom it has made deliveries due. Gives what ends that. */
  onDue(listener: (due: Due) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Several statements in one text, outside of any transaction of ours: migrations and maintenance only. */
  async script(text: string): Promise<void> {
    await this.#pool.query(text)
  }

  /** True when a connection can be had and the database has taken a write; false when it has not within 2 s. */
  isWritable(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), readiness_ms)
    return Promise.race([this.#saysWritable(), late.promise]).finally(() => clearTimeout(timer))
  }

  async #saysWritable(): Promise<boolean> {
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
   * Closes the connections that nobody uses. Where one may only read, so may its neighbours, and they stay so when the
   * database accepts writes again: new ones are asked what they may.
   */
  #discardIdle(): void {
    for (let left = this.#pool.idleCount; left > 0; left -= 1) {
      this.#pool.connect().then(
        (client) => client.release(true),
        () => undefined,
      )
    }
  }

  /** Waits for connections in use, then closes all. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
