import { lchown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../lib/errors.ts'
import { syncFolder } from '../../lib/part-file.ts'
import { type Account, dataArgument, EmbeddedError, explainFailure, type Place, runProgram } from './program.ts'

/** The major version of the packaged PostgreSQL. */
const majorVersion = '18'

/** Written into postgresql.conf once. An operator may change them there. */
const settings = [
  'max_connections=100',
  'shared_buffers=256MB',
  'checkpoint_timeout=15min',
  'max_wal_size=2GB',
  // Fresh statistics force a replan of cached plans, which matters while a new database fills.
  'autovacuum_naptime=5s',
  'timezone=UTC',
  'log_timezone=UTC',
]

const bootstrap = [
  'create role nuqta_owner login;',
  'create role nuqta_service login;',
  'create database nuqta owner nuqta_owner;',
  'revoke all on database nuqta from public;',
  'grant connect on database nuqta to nuqta_service;',
]

/**
 * Creates the cluster if it does not exist. It is built in a temporary folder and renamed when it is complete and on
 * disk, so a crash leaves a complete cluster or none.
 * @param durable false skips flushing to disk (tests)
 * @param stopping ends it, and leaves none
 * @throws EmbeddedError if another major version created the cluster, or it cannot be created
 */
export async function ensureCluster(place: Place, durable: boolean, stopping?: AbortSignal): Promise<void> {
  const version = await readVersion(place.folder)
  if (version === majorVersion) return
  if (version !== undefined)
    throw new EmbeddedError(
      `The database in ${place.folder} was made by PostgreSQL ${version} and this version brings ${majorVersion}: ` +
        'take a backup with the version of Nuqta that made it, and restore it into a new data directory.',
    )
  const parent = dirname(place.folder)
  const prefix = `${basename(place.folder)}.new-`
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 })
  }
  const folder = await mkdtemp(join(parent, prefix))
  try {
    await build({ ...place, folder }, durable, stopping)
    await rename(folder, place.folder)
    if (durable) await syncFolder(parent)
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    stopping?.throwIfAborted()
    throw error instanceof EmbeddedError ? error : explainFailure('could not be made', String(error), parent)
  }
}

async function readVersion(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw explainFailure('cannot read its files', String(error), folder)
  }
}

async function build(place: Place, durable: boolean, stopping: AbortSignal | undefined): Promise<void> {
  // The folder itself has the name of a draft.
  const parent = dirname(place.folder)
  const run = (name: string, args: readonly string[], input = '') => runProgram(place, name, args, { input, stopping })
  if (place.account !== undefined) await giveTo(place.folder, place.account)
  const data = ['-D', dataArgument(place)]
  const made = await run('initdb', [...data, ...initdbOptions()])
  if (!made.ok) throw explainFailure('could not be made', made.output, parent)
  // Single-user mode: the bootstrap needs no socket and no second start.
  const single = ['--single', '-F', ...data, 'postgres']
  const filled = await run('postgres', single, `${bootstrap.join('\n')}\n`)
  if (!filled.ok || /^.*(ERROR|FATAL|PANIC):/m.test(filled.output))
    throw explainFailure('could not be made', filled.output, parent)
  if (!durable) return
  const synced = await run('initdb', [...data, '--sync-only'])
  if (!synced.ok) throw explainFailure('could not be written to disk', synced.output, parent)
}

function initdbOptions(): string[] {
  return [
    ...['--username=postgres', '--auth-local=trust', '--auth-host=reject'],
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--no-sync', '--no-instructions'],
    ...settings.flatMap((setting) => ['--set', setting]),
  ]
}

async function giveTo(folder: string, account: Account): Promise<void> {
  try {
    // The owner of the folder around it could put a link to something else in its place.
    await lchown(folder, account.uid, account.gid)
  } catch (error) {
    throw new EmbeddedError(
      `The embedded PostgreSQL cannot be run by root here (${String(error)}): run as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
