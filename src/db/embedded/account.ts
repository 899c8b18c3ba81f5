import { stat } from 'node:fs/promises'
import { EmbeddedError } from './error.ts'

/** The user that the database runs as, when it is not the one that this process runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

// "nobody" everywhere on Linux; initdb needs a user with a name.
const nobody: Account = { uid: 65_534, gid: 65_534 }

/**
 * PostgreSQL refuses to run as root, so root lends it another user: the cluster's owner, else nobody.
 * @param cluster the cluster's folder, which may not be there yet
 * @returns undefined when the database runs as this process's own user
 * @throws EmbeddedError for root on a system without /proc/self/fd
 */
export async function accountFor(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux')
    throw new EmbeddedError(
      'The embedded PostgreSQL cannot be run by root on this system: run as an ordinary user, or set DATABASE_URL.',
    )
  const owner = await stat(cluster).catch(() => undefined)
  if (owner === undefined || owner.uid === 0) return nobody
  return { uid: owner.uid, gid: owner.gid }
}
