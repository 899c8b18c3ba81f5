import { readFile, rm } from 'node:fs/promises'
import type { DataDirectory } from '../config/data-directory.ts'
import { replaceOwnedFile } from '../lib/owned-file.ts'
import { findBinaries, rootCache } from './embedded/binaries.ts'
import { ensureCluster } from './embedded/cluster.ts'
import { accountFor, EmbeddedError, type Place } from './embedded/program.ts'
import {
  clearLeftovers,
  isListening,
  openSocketFolder,
  port,
  readPidFile,
  type SocketFolder,
} from './embedded/running.ts'
import { type Server, startServer } from './embedded/server.ts'

/** How to connect to the embedded PostgreSQL. `host` is the folder of its Unix socket. */
export interface EmbeddedConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** Overrides PGSSLMODE, which is meant for other servers. */
  readonly ssl: false
}

export interface EmbeddedDatabase {
  /** `owner` owns the tables; `service` has only what the migrations grant. Valid in this process only. */
  connection(role: 'owner' | 'service'): EmbeddedConnection
  /** Resolves when the postmaster ends without `stop`; never for a server of another process. */
  readonly exited: Promise<void>
  /** Stops the server, cutting open connections, and waits for it. For a server of another process, only detaches. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Tests only: false trades durability for speed. */
  readonly fsync?: boolean
  /** For a restore: one large transaction that makes its own tables. */
  readonly bulk_load?: boolean
  /** False hides the server from `attachEmbedded`: the server of a command, which ends with the command. */
  readonly shared?: boolean
  /** Called with each line of PostgreSQL's log. */
  readonly log?: (line: string) => void
  /** Ends the start, with its reason, and what it has begun. */
  readonly stopping?: AbortSignal | undefined
}

/**
 * Starts the embedded PostgreSQL, creating it on first use, and cleans up after a crash. The server never outlives this
 * process, however it ends. docs/decisions/0003-embedded-postgresql.md
 * @param dir a data directory whose lock the caller holds
 * @throws EmbeddedError with one sentence that says what to do
 */
export async function startEmbedded(dir: DataDirectory, options: StartOptions = {}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined)
  const { fsync = true, stopping } = options
  await rm(dir.serverRecord, { force: true })
  const account = await accountFor(dir.cluster)
  const cache = account === undefined ? dir.binaries : rootCache
  const place: Place = { bin: await findBinaries({ account, cache }), folder: dir.cluster, account }
  await ensureCluster(place, fsync, stopping)
  await clearLeftovers(dir.cluster, log)
  const server = await startServer(place, { fsync, bulk_load: options.bulk_load ?? false, stopping }, log)
  if (options.shared !== false) await recordServer(dir, server)
  return ownServer(dir, server, await openSocketFolder(dir.cluster))
}

function ownServer(dir: DataDirectory, server: Server, folder: SocketFolder): EmbeddedDatabase {
  let stopping = false
  let ended = false
  const exited = new Promise<void>((resolve) => {
    void server.ended.then(() => {
      ended = true
      if (!stopping) resolve()
    })
  })
  return {
    connection: (role) => connectionFor(role, folder),
    exited,
    async stop() {
      stopping = true
      // After an unexpected exit the record may belong to the next server already.
      if (!ended) await rm(dir.serverRecord, { force: true })
      await server.stop()
      await folder.close()
    },
  }
}

/**
 * Finds the server that another process (`serve`) runs on the data directory. Try to take the lock first: only while
 * another process holds it, the server is there to stay.
 * @returns null if no server accepts connections
 */
export async function attachEmbedded(dir: DataDirectory): Promise<EmbeddedDatabase | null> {
  const found = await readPidFile(dir.cluster)
  if (found === undefined || !found.ready || (await readRecord(dir)) !== nameServer(found)) return null
  const folder = await openSocketFolder(dir.cluster)
  if (!(await isListening(folder))) {
    await folder.close()
    return null
  }
  return {
    connection: (role) => connectionFor(role, folder),
    exited: new Promise(() => undefined),
    stop: () => folder.close(),
  }
}

function connectionFor(role: 'owner' | 'service', folder: SocketFolder): EmbeddedConnection {
  return { host: folder.path, port, user: `nuqta_${role}`, database: 'nuqta', ssl: false }
}

async function recordServer(dir: DataDirectory, server: Server): Promise<void> {
  const found = await readPidFile(dir.cluster)
  if (found === undefined || found.pid !== server.pid) throw new EmbeddedError('The embedded PostgreSQL ended at once.')
  await replaceOwnedFile(dir.serverRecord, `${nameServer(found)}\n`)
}

async function readRecord(dir: DataDirectory): Promise<string | undefined> {
  const text = await readFile(dir.serverRecord, 'utf8').catch(() => undefined)
  return text?.trim()
}

function nameServer(found: { readonly pid: number; readonly started_at_s: number }): string {
  return JSON.stringify({ pid: found.pid, started_at_s: found.started_at_s })
}
