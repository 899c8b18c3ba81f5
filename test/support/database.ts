import { afterAll, beforeAll, inject } from 'vitest'
import { Database, type PoolOptions } from '../../src/db/pool.ts'
import { emptyTables } from './cluster.ts'
import { findLeftovers, type Leftover } from './leftovers.ts'
import { at, connectOwner, freshName, patience } from './server.ts'

export interface TestDatabase {
  /** As the service runs: a role that can neither alter nor delete ledger entries. */
  readonly db: Database
  /** Connects as the owner of the tables, for rows that a test arranges or breaks on purpose. */
  readonly owner: Database
  /** For processes that a test starts: `DATABASE_URL` and `NUQTA_MIGRATION_URL`. */
  readonly url: string
  readonly owner_url: string
  /** One more pool as the service; closed with the others at the end of the file. */
  connect(options?: PoolOptions): Database
  /** The same through another address of the database. */
  connectTo(url: string, options?: PoolOptions): Database
}

export interface TestDatabaseOptions extends PoolOptions {
  /** Rows that the tests of this file leave on purpose. Any others fail the file. */
  readonly leaves?: readonly Leftover[]
}

/**
 * A migrated database for one test file, created before its tests and dropped after them. Call it once, at the top of
 * the file, before other hooks: those then clean up before the check for leftovers. On a cluster it is the worker's,
 * emptied before the file.
 */
export function testDatabase({ leaves = [], ...pool }: TestDatabaseOptions = {}): TestDatabase {
  const { admin_url, template, of_workers, service } = inject('server')
  const spread = of_workers[Number(process.env['VITEST_POOL_ID']) - 1]
  const database = spread ?? freshName()
  const url = at(admin_url, { database, ...service })
  const owner_url = at(admin_url, { database })
  const pools: Database[] = []
  let owner: Database | undefined
  let db: Database | undefined

  const connect = (options: PoolOptions = {}) => connectTo(url, options)

  function connectTo(way: string, options: PoolOptions = {}): Database {
    const made = new Database(way, { ...patience, application_name: 'nuqta-test', ...pool, ...options })
    pools.push(made)
    return made
  }

  beforeAll(async () => {
    if (spread === undefined) await cloneDatabase(template, database)
    owner = connectOwner(owner_url, { size: 5 })
    if (spread !== undefined) await emptyTables(owner)
    db = connect()
  })

  afterAll(async () => {
    await Promise.all(pools.map((each) => each.close()))
    let left: readonly string[] = []
    try {
      if (owner !== undefined) left = await findLeftovers(owner, leaves)
    } finally {
      await owner?.close()
      if (spread === undefined) await adminOfWorker().script(`drop database if exists ${database} with (force)`)
    }
    if (left.length > 0) throw new Error(`the tests of this file left behind:\n  ${left.join('\n  ')}`)
  })

  return {
    url,
    owner_url,
    connect,
    connectTo,
    get db() {
      return ready(db)
    },
    get owner() {
      return ready(owner)
    },
  }
}

/**
 * Several files can copy the template at the same time: nobody connects to it. Its files are copied as they are: in memory that
 * takes a third of the time of writing its pages to the log.
 */
export async function cloneDatabase(template: string, database: string): Promise<void> {
  await adminOfWorker().script(`create database ${database} template ${template} strategy file_copy`)
}

let admin: Database | undefined

/** The connection on which a worker makes and removes databases. It ends with the worker, not with a file. */
function adminOfWorker(): Database {
  admin ??= connectOwner(inject('server').admin_url, { size: 1 })
  return admin
}

function ready(database: Database | undefined): Database {
  if (database === undefined) throw new Error('The database is made before the tests: use it in tests and hooks only.')
  return database
}
