import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../lib/errors.ts'

/** The embedded PostgreSQL cannot run. The message is one sentence that says what to do. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
}

const known: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded/i, 'the disk is full; free some space and start again'],
  [
    /could not look up effective user ID/i,
    'this user id has no name on this machine; give it one in /etc/passwd, run as another user, or set DATABASE_URL',
  ],
  [
    /could not (access|open|change permissions of) (directory|file) "\/proc\/self\/fd/i,
    'root cannot hand its folder to another user here; run as an ordinary user, or set DATABASE_URL',
  ],
  [
    /Read-only file system/i,
    'its file system is read-only; choose another directory with NUQTA_DATA_DIR or --data-dir, or set DATABASE_URL',
  ],
  [
    /has invalid permissions|could not change permissions/i,
    'its file system keeps no permissions; choose another directory with NUQTA_DATA_DIR or --data-dir',
  ],
  [
    /could not create shared memory segment|could not map anonymous shared memory|Cannot allocate memory/i,
    'there is not enough memory; free some, lower shared_buffers in its postgresql.conf, or set DATABASE_URL',
  ],
  [
    /pre-existing shared memory block|lock file ".*" already exists/i,
    'another server still uses it; end that and start again',
  ],
  [
    /has wrong ownership|Permission denied/i,
    'its files belong to another user; run as that user, or choose another directory with NUQTA_DATA_DIR or --data-dir',
  ],
]

/** Takes what failed, the output of PostgreSQL's program and its folder; gives an error whose message says what to do. */
export function explainFailure(what: string, output: string, folder: string): EmbeddedError {
  const found = known.find(([pattern]) => pattern.test(output))
  const reason = found === undefined ? lastLines(output) : found[1]
  return new EmbeddedError(`The embedded PostgreSQL in ${folder} ${what}: ${reason}.`, { cause: output })
}

function lastLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? 'it said nothing' : lines.slice(-3).join(' / ').replace(/\.$/, '')
}

/** The user that PostgreSQL runs as, if it is not the user of this process. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

// The uid of "nobody" on Linux; initdb needs a user with a name.
const nobody: Account = { uid: 65_534, gid: 65_534 }

/**
 * Gives the unprivileged user that PostgreSQL runs as if we are root, which it refuses: the owner of the cluster, or of the
 * folder in which it will be made, else nobody.
 * @param cluster the folder of the cluster, which may not exist yet
 * @returns undefined if PostgreSQL runs as the user of this process
 * @throws EmbeddedError for root on a system without /proc/self/fd
 */
export async function accountFor(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux')
    throw new EmbeddedError(
      'The embedded PostgreSQL cannot be run by root on this system: run as an ordinary user, or set DATABASE_URL.',
    )
  const made = await ownerOf(cluster)
  if (made !== undefined) return made.uid === 0 ? nobody : made
  const owner = await ownerOf(dirname(cluster))
  return owner !== undefined && owner.uid !== 0 && (await hasName(owner)) ? owner : nobody
}

const ownerOf = (path: string): Promise<Account | undefined> =>
  stat(path).then(
    ({ uid, gid }) => ({ uid, gid }),
    () => undefined,
  )

/** PostgreSQL's programs refuse a user without a name, such as the owner of a folder that a container got from its host. */
async function hasName({ uid }: Account): Promise<boolean> {
  const child = spawn('id', ['-un', String(uid)], { ...programOptions(undefined), stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (status) => resolve(status === 0))
  })
}

/** What PostgreSQL's programs need to run on a cluster. */
export interface Place {
  /** Folder of `initdb` and `postgres`. */
  readonly bin: string
  /** The cluster's folder. */
  readonly folder: string
  readonly account: Account | undefined
}

/** The file descriptor by which the programs get the folder of the cluster. */
const folderDescriptor = 3

/**
 * Gives the -D argument of the programs. The unprivileged user may not be able to reach the folder (a closed home), so
 * root opens it and the programs use the descriptor.
 */
export function dataArgument(place: Place): string {
  return place.account === undefined ? place.folder : `/proc/self/fd/${folderDescriptor}`
}

/**
 * By default glibc returns memory to the kernel as soon as a statement frees 128 KiB, and the next statement asks for it again.
 * docs/decisions/0046-speed.md
 */
const keptMemory = {
  MALLOC_TRIM_THRESHOLD_: String(4 << 20),
  MALLOC_TOP_PAD_: String(1 << 20),
  MALLOC_MMAP_THRESHOLD_: String(1 << 20),
}

/**
 * Gives options of spawn with a clean environment: PGDATA, PGOPTIONS or LD_LIBRARY_PATH of our shell must not reach it.
 */
export function programOptions(account: Account | undefined): SpawnOptions {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...keptMemory }
  return account === undefined ? { cwd: '/', env } : { cwd: '/', env, ...account }
}

/** Calls `use` with an open descriptor of the folder, and closes it afterwards. */
export function withFolder<T>(folder: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

interface RunOptions {
  /** Its stdin. */
  readonly input?: string
  /** Ends it, and the programs that it runs itself. */
  readonly stopping?: AbortSignal | undefined
}

/** How long a program may take to end when it is asked to. */
const end_ms = 5_000

/**
 * Runs a program to its end.
 * @returns whether it succeeded, and its stderr
 * @throws EmbeddedError if it cannot be started; the reason of `stopping`
 */
export async function runProgram(
  place: Place,
  name: string,
  args: readonly string[],
  { input = '', stopping }: RunOptions = {},
): Promise<{ ok: boolean; output: string }> {
  stopping?.throwIfAborted()
  const child = withFolder(place.folder, (descriptor) =>
    spawn(`${place.bin}/${name}`, args, {
      ...programOptions(place.account),
      // In its own process group: Ctrl-C reaches us alone, and we end all of it.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe', descriptor],
    }),
  )
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(name, error)))
    child.once('close', (status) => resolve(status === 0))
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  let killing: NodeJS.Timeout | undefined
  const stop = (): void => {
    signalGroup(child.pid, 'SIGTERM')
    killing = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), end_ms)
  }
  stopping?.addEventListener('abort', stop)
  try {
    const [ok, output] = await Promise.all([ended, child.stderr === null ? '' : text(child.stderr)])
    stopping?.throwIfAborted()
    return { ok, output }
  } finally {
    stopping?.removeEventListener('abort', stop)
    clearTimeout(killing)
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}

/** Gives the error for a program that could not be started. */
export function cannotStart(name: string, error: Error): EmbeddedError {
  const code = errorCode(error)
  const advice =
    code === 'EPERM' && process.getuid?.() === 0
      ? 'root may not change to another user here: run as an ordinary user, or set DATABASE_URL'
      : `${String(error)}: install again with npm ci, or set DATABASE_URL`
  return new EmbeddedError(`The embedded PostgreSQL's ${name} cannot be started: ${advice}.`, { cause: error })
}
