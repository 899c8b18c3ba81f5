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

/** Gives the cluster's folder itself, or a short way to it that is good for this process alone. */
export async function openSocketFolder(cluster: string): Promise<SocketFolder> {
  if (Buffer.byteLength(join(cluster, socketName)) <= longestPath)
    return { path: cluster, close: () => Promise.resolve() }
  if (process.platform === 'linux') {
    const descriptor = openSync(cluster, constants.O_RDONLY | constants.O_DIRECTORY)
    let open = true
    return {
      path: `/proc/self/fd/${descriptor}`,
      async close() {
        if (open) closeSync(descriptor)
        open = false
      },
    }
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
