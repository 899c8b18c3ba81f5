import { constants } from 'node:fs'
import { access, chmod, open, readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../lib/errors.ts'
import { makeFolder } from '../lib/folder.ts'
import { giveToOwner } from '../lib/owned-file.ts'

/** The files of one deployment (`NUQTA_DATA_DIR`). All paths are absolute. */
export interface DataDirectory {
  readonly path: string
  /** The folder of the embedded PostgreSQL; it exists only once it is complete. */
  readonly cluster: string
  /** Names the running embedded server, so that other processes can use it. */
  readonly serverRecord: string
  /** Copies of PostgreSQL's programs, for installations that cannot be run in place. */
  readonly binaries: string
  readonly lock: string
  readonly sandboxEnv: string
  readonly secretKey: string
  /** The former secret key and the next one, while the key is changed. */
  readonly secretKeyOld: string
  readonly secretKeyNext: string
  /** The folder of the local authority and its certificates. */
  readonly tls: string
}

export interface DataDirectoryLock {
  release(): Promise<void>
}

/** The data directory cannot be used. The message is one sentence that says what to do. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/**
 * Gives the paths of the data directory, and creates it when it is missing. A new or empty directory becomes readable by
 * its owner only; one with content keeps its mode.
 * @throws DataDirectoryError when the path is no directory, or this user may not write there
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  try {
    await makeFolder(path, 0o700)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const real = await realpath(resolve(path))
    if ((await readdir(real)).length === 0) await chmod(real, 0o700)
    return pathsIn(real)
  } catch (error) {
    throw new DataDirectoryError(explain(path, error), { cause: error })
  }
}

/**
 * The data directory, if it is there.
 * @throws DataDirectoryError also when a closed folder hides whether it is
 */
export async function findDataDirectory(path: string): Promise<DataDirectory | undefined> {
  try {
    await stat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new DataDirectoryError(explain(path, error), { cause: error })
  }
  return openDataDirectory(path)
}

function pathsIn(path: string): DataDirectory {
  return {
    path,
    cluster: join(path, 'postgres'),
    serverRecord: join(path, 'postgres.json'),
    binaries: join(path, 'binaries'),
    lock: join(path, 'lock'),
    sandboxEnv: join(path, 'sandbox.env'),
    secretKey: join(path, 'secret.key'),
    secretKeyOld: join(path, 'secret.key.old'),
    secretKeyNext: join(path, 'secret.key.next'),
    tls: join(path, 'tls'),
  }
}

function explain(path: string, error: unknown): string {
  const code = errorCode(error)
  const advice = 'choose another with NUQTA_DATA_DIR or --data-dir'
  if (code === 'EEXIST' || code === 'ENOTDIR') return `The data directory ${path} is not a directory; ${advice}.`
  if (code === 'EACCES' || code === 'EPERM')
    return `The data directory ${path} cannot be read and written by this user; run as its owner, or ${advice}.`
  if (code === 'ENOENT') return `The data directory ${path} cannot be made in that place; ${advice}.`
  if (code === 'EROFS') return `The data directory ${path} is on a read-only file system; ${advice}.`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The data directory ${path} cannot be made because the disk is full; free some space.`
  return `The data directory ${path} cannot be used (${String(error)}); ${advice}.`
}

/**
 * Locks the data directory for this process until the lock is released or the process ends, however it ends.
 * Nothing else in the process may open and close the lock file: on POSIX that would drop the lock.
 * @returns null at once when another process holds the lock
 */
export async function lockDataDirectory(dir: DataDirectory): Promise<DataDirectoryLock | null> {
  await createLockFile(dir.lock)
  const database = openLockFile(dir.lock)
  try {
    // A journal on disk would stay behind when this process is killed.
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    database.close()
    if (isLocked(error)) return null
    throw lockTrouble(dir.lock, error)
  }
  let held = true
  return {
    async release() {
      if (held) database.close()
      held = false
    },
  }
}

async function createLockFile(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    await giveToOwner(file, path).finally(() => file.close())
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    const advice = /^(ENOSPC|EDQUOT)$/.test(errorCode(error) ?? '') ? ': free some space on its disk' : ''
    throw new DataDirectoryError(`The lock ${path} cannot be made (${String(error)})${advice}.`, { cause: error })
  }
}

function openLockFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 })
  } catch (error) {
    throw lockTrouble(path, error)
  }
}

function lockTrouble(path: string, cause: unknown): DataDirectoryError {
  const what = `The lock ${path} cannot be taken (${String(cause)})`
  return new DataDirectoryError(`${what}: it has to be a file that the user of this process may write.`, { cause })
}

/** True for SQLITE_BUSY with any extended code. */
function isLocked(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  )
}
