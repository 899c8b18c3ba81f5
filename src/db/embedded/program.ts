import type { SpawnOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../lib/errors.ts'
import type { Account } from './account.ts'
import { EmbeddedError } from './error.ts'

/** Everything that starting one of PostgreSQL's programs on one cluster takes. */
export interface Place {
  /** Folder of `initdb` and `postgres`. */
  readonly bin: string
  /** The cluster's folder. */
  readonly folder: string
  readonly account: Account | undefined
}

/** Where the cluster's folder is handed over in the programs' descriptors. */
const folderDescriptor = 3

/**
 * What the programs are given as -D. The user that root lends may have no way to the folder (a closed home), so root
 * opens it for them and they go through the descriptor.
 */
export function dataArgument(place: Place): string {
  return place.account === undefined ? place.folder : `/proc/self/fd/${folderDescriptor}`
}

/** Settings of the shell that started us (PGDATA, PGOPTIONS, LD_LIBRARY_PATH) are not the cluster's. */
export function programOptions(account: Account | undefined): SpawnOptions {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return account === undefined ? { cwd: '/', env } : { cwd: '/', env, ...account }
}

/** Opens the cluster's folder for the length of `use`. */
export function withFolder<T>(folder: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Runs a program to its end.
 * @param input what it reads from stdin
 * @returns its exit status (undefined after a signal) and what it printed on stderr
 * @throws EmbeddedError when it cannot be started at all
 */
export async function runProgram(
  place: Place,
  name: string,
  args: readonly string[],
  input = '',
): Promise<{ ok: boolean; output: string }> {
  const child = withFolder(place.folder, (descriptor) =>
    spawn(`${place.bin}/${name}`, args, {
      ...programOptions(place.account),
      stdio: ['pipe', 'ignore', 'pipe', descriptor],
    }),
  )
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(name, error)))
    child.once('close', (status) => resolve(status === 0))
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const [ok, output] = await Promise.all([ended, child.stderr === null ? '' : text(child.stderr)])
  return { ok, output }
}

/** The sentence for a program that could not be started. */
export function cannotStart(name: string, error: Error): EmbeddedError {
  const code = errorCode(error)
  const advice =
    code === 'EPERM' && process.getuid?.() === 0
      ? 'root may not change to another user here: run as an ordinary user, or set DATABASE_URL'
      : `${String(error)}: install again with npm ci, or set DATABASE_URL`
  return new EmbeddedError(`The embedded PostgreSQL's ${name} cannot be started: ${advice}.`, { cause: error })
}
