import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { DataDirectory } from '../config/data-directory.ts'
import { accountFor } from './embedded/account.ts'
import { findBinaries, rootCache } from './embedded/binaries.ts'
import { ensureCluster } from './embedded/cluster.ts'
import { EmbeddedError } from './embedded/error.ts'
import { readPidFile } from './embedded/pid-file.ts'
import type { Place } from './embedded/program.ts'
import { clearRemains } from './embedded/remains.ts'
import type { Server } from './embedded/server.ts'
import { startServer } from './embedded/server.ts'
import type { SocketFolder } from './embedded/socket.ts'
import { isListening, openSocketFolder, port } from './embedded/socket.ts'

/** What a connection to the embedded PostgreSQL takes; `host` is a folder with its Unix socket. */
export interface EmbeddedConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** PGSSLMODE is meant for other servers. */
  readonly ssl: false
}

export interface EmbeddedDatabase {
  /** How to connect: `owner` migrates, `service` has only what the migrations grant. Good in this process alone. */
  connection(role: 'owner' | 'service'): EmbeddedConnection
  /** Resolves when the postmaster ends without `stop`; never for a server that another process runs. */
  readonly exited: Promise<void>
  /** Ends the server (open connections are cut) and waits; of another process's server, only lets go. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Tests only: false gives up durability for speed. */
  readonly fsync?: boolean
  /** False keeps the server from `attachEmbedded`: a command's own, which ends with the command. */
  readonly shared?: boolean
  /** PostgreSQL's log, line by line. */
  readonly log?: (line: string) => void
}

/**
 * Starts the embedded PostgreSQL, making it on first use; recovers what a crash left. The database never outlives this
 * process, however it ends. Architecture, "Embedded default".
 * @param dir a data directory whose lock the caller holds
 * @throws EmbeddedError with one sentence that says what to do
 */
export async function startEmbedded(dir: DataDirectory, options: StartOptions = {}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined)
  const fsync = options.fsync ?? true
  await rm(dir.serverRecord, { force: true })
  const account = await accountFor(dir.cluster)
  const cache = account === undefined ? dir.binaries : rootCache
  const place: Place = { bin: await findBinaries({ account, cache }), folder: dir.cluster, account }
  await ensureCluster(place, fsync)
  await clearRemains(dir.cluster, log)
  const server = await startServer(place, fsync, log)
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
      // After an exit the record may already be that of the next server.
      if (!ended) await rm(dir.serverRecord, { force: true })
      await server.stop()
      await folder.close()
    },
  }
}

/**
 * Finds the server that another process (`serve`) runs on the data directory.
 * Take the lock first: only while another holds it does an answer mean a server that stays.
 * @returns null when there is none that accepts connections
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
  const draft = `${dir.serverRecord}.new`
  await writeFile(draft, `${nameServer(found)}\n`, { mode: 0o600 })
  await rename(draft, dir.serverRecord)
}

async function readRecord(dir: DataDirectory): Promise<string | undefined> {
  const text = await readFile(dir.serverRecord, 'utf8').catch(() => undefined)
  return text?.trim()
}

function nameServer(found: { readonly pid: number; readonly started_at_s: number }): string {
  return JSON.stringify({ pid: found.pid, started_at_s: found.started_at_s })
}
