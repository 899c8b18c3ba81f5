import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Only a part of the socket's name: no TCP port is opened, and every cluster has its socket in its own folder. */
export const port = 5432
const socketName = `.s.PGSQL.${port}`
// Linux takes 107 bytes and macOS 103; a longer path is cut silently.
const longestPath = 103

/** A way to the cluster's socket that is short enough to connect through. */
export interface SocketFolder {
  readonly path: string
  close(): Promise<void>
}

const shortened = new Map<string, { folder: Promise<SocketFolder>; users: number }>()

/**
 * Gives the cluster's folder itself, or a short way to it that is good for this process alone. The way stays the same
 * until everyone who opened it has closed it, so that a pool finds the server again after a restart.
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
