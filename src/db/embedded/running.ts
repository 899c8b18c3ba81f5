import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The content of `postmaster.pid`. */
export interface PidFile {
  readonly pid: number
  /** Unix seconds. Together with the pid it identifies a server for good. */
  readonly started_at_s: number
  readonly ready: boolean
}

/** Reads the pid file of the cluster; undefined if it is missing or incomplete. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  const startedAt = Number.parseInt(lines[2] ?? '', 10)
  if (!(pid > 0) || Number.isNaN(startedAt)) return undefined
  return { pid, started_at_s: startedAt, ready: lines[7]?.trim() === 'ready' }
}

/** Part of the socket's name only: no TCP port is open, and every cluster has its socket in its own folder. */
export const port = 5432
const socketName = `.s.PGSQL.${port}`
// Socket paths have at most 107 bytes on Linux and 103 on macOS; a longer one is cut silently.
const longestPath = 103

/** A folder with the socket of a cluster, whose path is short enough for a socket. */
export interface SocketFolder {
  readonly path: string
  close(): Promise<void>
}

const shortened = new Map<string, { folder: Promise<SocketFolder>; users: number }>()

/**
 * Gives the folder of the cluster, or a short path to it that is valid in this process only. The path stays the same
 * until all users have closed it, so that a pool finds the server again after a restart.
 */
export async function openSocketFolder(cluster: string): Promise<SocketFolder> {
  if (Buffer.byteLength(join(cluster, socketName)) <= longestPath)
    return { path: cluster, close: () => Promise.resolve() }
  const entry = shortened.get(cluster) ?? { folder: shorten(cluster), users: 0 }
  shortened.set(cluster, entry)
  entry.users++
  let open = true
  return {
    path: (await entry.folder).path,
    async close() {
      if (!open) return
      open = false
      entry.users--
      if (entry.users > 0) return
      shortened.delete(cluster)
      await (await entry.folder).close()
    },
  }
}

async function shorten(cluster: string): Promise<SocketFolder> {
  if (process.platform === 'linux') {
    const descriptor = openSync(cluster, constants.O_RDONLY | constants.O_DIRECTORY)
    return { path: `/proc/self/fd/${descriptor}`, close: async () => closeSync(descriptor) }
  }
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-'))
  const link = join(folder, 'd')
  await symlink(cluster, link)
  return { path: link, close: () => rm(folder, { recursive: true, force: true }) }
}

/** True when a server listens on the socket. */
export function isListening(folder: SocketFolder): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(folder.path, socketName))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

const lockFiles = ['postmaster.pid', `${socketName}.lock`, socketName]

/**
 * Cleans up after a killed server: ends processes that still run on the cluster, and removes its pid files, whose pid
 * may belong to another process after a restart of a container. The caller holds the lock of the data directory, so no
 * server in use is affected.
 */
export async function clearLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const found = await readPidFile(cluster)
  if (found !== undefined && (await isPostmaster(found.pid, cluster))) {
    log(`ending the server ${found.pid} that an earlier process left running`)
    await end(found.pid, cluster)
  }
  // A killed postmaster leaves backends: idle ones end at once, a busy one when its statement ends.
  for (let tries = 0; (await processesOn(cluster)).length > 0 && tries < 20; tries++) await sleep(50)
  for (const pid of await processesOn(cluster)) signal(pid, 'SIGKILL')
  for (let tries = 0; (await processesOn(cluster)).length > 0 && tries < 20; tries++) await sleep(50)
  for (const name of lockFiles) await rm(join(cluster, name), { force: true })
}

async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return (await processesOn(cluster)).includes(pid)
  const folder = await openSocketFolder(cluster)
  try {
    return signal(pid, 0) && (await isListening(folder))
  } finally {
    await folder.close()
  }
}

async function end(pid: number, cluster: string): Promise<void> {
  for (const [kind, patience_ms] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!signal(pid, kind)) return
    for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += 50) {
      if (!(await isPostmaster(pid, cluster))) return
      await sleep(50)
    }
  }
}

/** Gives the PostgreSQL processes whose working folder is the cluster. Works on Linux only; elsewhere gives none. */
async function processesOn(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const ours = await Promise.all(
    pids.map(async (pid) => {
      const [folder, program] = await Promise.all([link(`/proc/${pid}/cwd`), link(`/proc/${pid}/exe`)])
      // The program of a replaced installation shows as "postgres (deleted)".
      return folder === cluster && basename(program).startsWith('postgres')
    }),
  )
  return pids.filter((_, index) => ours[index]).map(Number)
}

/** Reads a link; empty if the process has ended or belongs to another user. */
function link(path: string): Promise<string> {
  return readlink(path).catch(() => '')
}

function signal(pid: number, kind: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, kind)
  } catch {
    return false
  }
}
