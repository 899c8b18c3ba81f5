import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { type DataDirectory, type DataDirectoryLock, lockDataDirectory } from '../config/data-directory.ts'
import { hour_ms } from '../domain/spans.ts'
import { attachEmbedded, type EmbeddedDatabase, startEmbedded } from './embedded.ts'
import { DatabaseSetupError, isConnectionLost } from './failure.ts'
import { type Connection, Database, type PoolOptions } from './pool.ts'
import { majorOf, oldest_major, serverInfo } from './server-info.ts'
import { unreachable } from './unreachable.ts'

/** The database of the deployment: embedded, external, or run by another process. */
export interface OpenDatabase {
  /** Has the rights of the service: it can add ledger entries, but never change them. */
  readonly service: Database
  /** Has the rights of the owner of the tables, for migrations and partitions. */
  readonly owner: Database
  /** The role of the service; undefined if it is the owner. */
  readonly service_role: string | undefined
  readonly embedded: boolean
  /** True if another process (`serve`) runs it. Only that process may change the schema. */
  readonly attached: boolean
  /** Waits for what uses it; `at_once` breaks that off. */
  close(how?: { readonly at_once: boolean }): Promise<void>
}

export interface OpenOptions {
  /** `serve` needs the embedded database exclusively; a command can also use that of a running `serve`. */
  readonly as: 'serve' | 'command'
  /** Called with a few words on what takes a while. */
  readonly progress: (text: string) => void
  /** Called with each line of PostgreSQL's log. */
  readonly log: (line: string) => void
  /** Called when the database goes away or comes back. */
  readonly warn: (text: string) => void
  readonly pool?: PoolOptions
  /** Starts an embedded database for one large transaction that makes its own tables. */
  readonly bulk_load?: boolean
  /** Ends the opening, with its reason, and what it has begun. */
  readonly stopping?: AbortSignal | undefined
}

const migration_timeout_ms = 6 * hour_ms

/** Makes the two pools of a process. Nothing is connected yet. */
function openPools(
  service_at: Connection,
  owner_at: Connection,
  { warn, pool = {} }: OpenOptions,
): Pick<OpenDatabase, 'service' | 'owner' | 'close'> {
  const onError = (error: Error): void => warn(`a connection to the database broke: ${error.message}`)
  const service = new Database(service_at, { onError, ...pool })
  // Migrations of large tables take hours, and need the default planner settings.
  const owner = new Database(owner_at, {
    onError,
    size: 2,
    query_timeout_ms: migration_timeout_ms,
    application_name: 'nuqta-owner',
  })
  return {
    service,
    owner,
    async close(how) {
      await Promise.all([service.close(how), owner.close(how)])
    },
  }
}

export type OpenPlace = Pick<Config, 'database_url' | 'migration_url'>

/** How long to wait for a database that is starting. */
const start_timeout_ms = 10_000

/**
 * Opens the external database of the settings, or the embedded one of the data directory.
 * @param dir required for an embedded database only
 * @throws DatabaseSetupError if it is unreachable, too old, or in use
 */
export async function openDatabase(
  place: OpenPlace,
  dir: DataDirectory | undefined,
  options: OpenOptions,
): Promise<OpenDatabase> {
  if (place.database_url === undefined) {
    if (dir === undefined) throw new Error('an embedded database needs a data directory')
    return openEmbedded(dir, options)
  }
  return openExternal(place.database_url, place.migration_url ?? place.database_url, options)
}

async function openExternal(url: string, owner_url: string, options: OpenOptions): Promise<OpenDatabase> {
  const { service, owner, close } = openPools(url, owner_url, options)
  try {
    const role = await waitForDatabase(service, options)
    const service_role = url === owner_url ? undefined : role
    const open = { service, owner, service_role, embedded: false, attached: false, close }
    // A command that needs no owner works without one.
    if (options.as === 'serve') await requireOwner(open)
    return open
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits for the database; gives the role of our session. */
async function waitForDatabase(db: Database, { progress, stopping }: OpenOptions): Promise<string> {
  const deadline = performance.now() + start_timeout_ms
  for (let reported = false; ; reported = true) {
    try {
      return await checkVersion(db)
    } catch (error) {
      if (error instanceof DatabaseSetupError) throw error
      if (!isConnectionLost(error) || performance.now() > deadline) throw unreachable('DATABASE_URL', error)
      if (!reported) progress('Waiting for the database')
      await sleep(250, undefined, { signal: stopping })
    }
  }
}

async function checkVersion(db: Database): Promise<string> {
  const { version_num, role } = await serverInfo(db)
  const major = majorOf(version_num)
  if (major < oldest_major)
    throw new DatabaseSetupError(`DATABASE_URL is a PostgreSQL ${major}: Nuqta needs ${oldest_major} or later.`)
  return role
}

/**
 * Connects as the owner of the tables, if NUQTA_MIGRATION_URL names one.
 * @returns its role; undefined if it is that of the service
 * @throws DatabaseSetupError if it cannot be used, or is in another database than the service
 */
export async function requireOwner({ service, owner, ...open }: OpenDatabase): Promise<string | undefined> {
  if (open.embedded || open.service_role === undefined) return undefined
  const { database } = await serverInfo(service)
  const found = await serverInfo(owner).catch((error: unknown) => {
    throw unreachable('NUQTA_MIGRATION_URL', error)
  })
  if (found.database === database) return found.role
  throw new DatabaseSetupError(
    `NUQTA_MIGRATION_URL leads to the database ${found.database}, and DATABASE_URL to ${database}: name the same one in both.`,
  )
}

/** How long a command waits for another one, or for a `serve` that is starting or stopping. */
const lock_timeout_ms = 30_000
const restart_pause_ms = 1_000

/** Starts the embedded database of a data directory, or attaches to that of a running `serve`. */
async function openEmbedded(dir: DataDirectory, options: OpenOptions): Promise<OpenDatabase> {
  const found = await lockOrAttach(dir, options)
  if ('attached' in found) {
    const { attached } = found
    return { ...withPools(attached, options, () => attached.stop()), attached: true }
  }
  const { lock } = found
  try {
    const supervised = await superviseEmbedded(dir, options)
    return withPools(supervised.first, options, async () => {
      await supervised.stop()
      await lock.release()
    })
  } catch (error) {
    await lock.release()
    throw error
  }
}

function withPools(database: EmbeddedDatabase, options: OpenOptions, end: () => Promise<void>): OpenDatabase {
  const service_at = database.connection('service')
  const pools = openPools(service_at, database.connection('owner'), options)
  return {
    ...pools,
    service_role: service_at.user,
    embedded: true,
    attached: false,
    async close(how) {
      await pools.close(how)
      await end()
    },
  }
}

type Found = { readonly lock: DataDirectoryLock } | { readonly attached: EmbeddedDatabase }

async function lockOrAttach(dir: DataDirectory, { as, progress, stopping }: OpenOptions): Promise<Found> {
  const deadline = performance.now() + lock_timeout_ms
  for (let reported = false; ; reported = true) {
    const lock = await lockDataDirectory(dir)
    if (lock !== null) return { lock }
    const attached = await attachEmbedded(dir)
    if (attached !== null && as === 'command') return { attached }
    await attached?.stop()
    if (attached !== null) throw new DatabaseSetupError(inUse(dir, 'nuqta serve'))
    if (performance.now() > deadline) throw new DatabaseSetupError(inUse(dir, 'process'))
    if (!reported) progress('Waiting for another process that uses the data directory')
    await sleep(100, undefined, { signal: stopping })
  }
}

/** @throws DatabaseSetupError if another `serve` runs the embedded database of a data directory */
export async function refuseServed(dir: DataDirectory): Promise<void> {
  const attached = await attachEmbedded(dir)
  await attached?.stop()
  if (attached !== null) throw new DatabaseSetupError(inUse(dir, 'nuqta serve'))
}

function inUse(dir: DataDirectory, who: string): string {
  return `Another ${who} is using the data directory ${dir.path}: stop it, or choose another with --data-dir.`
}

/** Starts the database, and restarts it whenever it dies, until it is stopped. */
async function superviseEmbedded(
  dir: DataDirectory,
  { as, progress, log, warn, bulk_load = false, stopping: starting }: OpenOptions,
): Promise<{ readonly first: EmbeddedDatabase; stop(): Promise<void> }> {
  if (!existsSync(dir.cluster)) progress(`Making a database in ${dir.path}`)
  const start = (stopping?: AbortSignal) => startEmbedded(dir, { log, shared: as === 'serve', bulk_load, stopping })
  const first = await start(starting)
  const started = [first]
  const ending = new AbortController()
  const { signal } = ending

  async function restart(): Promise<void> {
    warn('the embedded PostgreSQL ended: it is started again')
    while (!signal.aborted) {
      try {
        const next = await start(signal)
        started.push(next)
        warn('the embedded PostgreSQL runs again')
        watch(next)
        return
      } catch (error) {
        if (signal.aborted) return
        warn(`the embedded PostgreSQL does not start: ${String(error)}`)
        await sleep(restart_pause_ms, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  let restarting: Promise<void> | undefined
  function watch(database: EmbeddedDatabase): void {
    void database.exited.then(() => {
      restarting = restart()
    })
  }
  watch(first)

  return {
    first,
    async stop() {
      ending.abort()
      await restarting
      // Stop the first one last: the pools connect through its path to the socket.
      for (const database of started.reverse()) await database.stop()
    },
  }
}
