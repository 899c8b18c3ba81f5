import { randomBytes } from 'node:crypto'
import { Database, type PoolOptions } from '../../src/db/pool.ts'

/** Pools of tests wait longer for a connection than the service: a busy machine must not look like a lost database. */
export const patience = { connect_timeout_ms: 60_000 } as const

/** The PostgreSQL of a test run, as `global-setup.ts` hands it to the test files. */
export interface TestServer {
  /** Connects as the owner of everything, to a database that is not a test's. */
  readonly admin_url: string
  /** The folder of a stopped embedded PostgreSQL, to copy. */
  readonly cluster: string
  /** The migrated database that each test file clones; on a cluster there is none. */
  readonly template: string
  /** On a cluster: the migrated databases of the run's workers, one each. */
  readonly of_workers: readonly string[]
  /** The role that the service runs as in production, which cannot alter the ledger. */
  readonly service: { readonly user: string; readonly password: string }
}

declare module 'vitest' {
  export interface ProvidedContext {
    server: TestServer
  }
}

/** A database name that no other run on the same PostgreSQL uses. The prefix tells that it is a test's. */
export function freshName(): string {
  return `nuqta_test_${randomBytes(6).toString('hex')}`
}

/** The same server, another database or another role. */
export function at(url: string, place: { database: string; user?: string; password?: string }): string {
  const { database, ...parameters } = place
  const changed = new URL(url)
  changed.pathname = `/${database}`
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
  return changed.href
}

/** Statements that fill tables, copy a database or look for leftovers: 15 s were too short on a busy machine. */
const patient_ms = 180_000

/** Connects as the owner of a database, or of all: the check for leftovers does not count these connections. */
export function connectOwner(url: string, options: PoolOptions): Database {
  return new Database(url, {
    ...patience,
    query_timeout_ms: patient_ms,
    application_name: 'nuqta-test-owner',
    ...options,
  })
}

/** Runs `work` on a connection of its own. */
export async function connected<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = connectOwner(url, { size: 2 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
