import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '../config/config.ts'
import { type DataDirectory, openDataDirectory } from '../config/data-directory.ts'
import { openDatabase } from '../db/open.ts'
import type { Database, PoolOptions } from '../db/pool.ts'
import type { OpenDatabase } from '../db/pools.ts'
import { prepareSchema, requireSchema } from '../db/prepare.ts'
import { requireSecretKey } from '../features/deployment/canary.ts'
import { type DeploymentRow, findDeployment } from '../features/deployment/queries.ts'
import { secretBoxOf } from '../features/deployment/secret-keys.ts'
import { businessNow, findOrClaim } from '../features/deployment/service.ts'
import { CliError } from '../lib/errors.ts'
import { createSecretBox, type SecretBox } from '../lib/secrets.ts'
import type { Output } from './command.ts'

/** Options that every command takes. */
export interface CommonOptions {
  readonly dataDir?: string
  readonly json?: boolean
}

/** The deployment that a command works on. */
export interface Deployment extends DeploymentRow {
  readonly db: Database
  readonly now: Date
  /** Undefined where the database is elsewhere and there is no data directory here. */
  readonly dir: DataDirectory | undefined
  /** The database is the one of a running `serve`. */
  readonly attached: boolean
}

interface Wishes {
  /** May be the first thing done on a deployment: makes the database and writes the environment. */
  readonly begins?: boolean
  readonly pool?: PoolOptions
}

/** Settings as a command needs them. */
export function commandConfig({ dataDir }: CommonOptions): Config {
  return loadConfig({ env: process.env, flags: { data_dir: dataDir }, cwd: process.cwd(), purpose: 'command' })
}

/**
 * Runs `work` on the database of the settings: the one of a running `serve`, an external one, or the embedded one,
 * which it starts and ends.
 */
export async function withDatabase<T>(
  { config, output, wishes = {} }: { readonly config: Config; readonly output: Output; readonly wishes?: Wishes },
  work: (open: OpenDatabase, dir: DataDirectory | undefined) => Promise<T>,
): Promise<T> {
  const dir = await directoryOf(config, wishes.begins === true)
  const open = await openDatabase(config, dir, {
    as: 'command',
    progress: output.progress,
    log: () => undefined,
    warn: () => undefined,
    ...(wishes.pool === undefined ? {} : { pool: wishes.pool }),
  })
  try {
    return await work(open, dir)
  } finally {
    await open.close()
  }
}

/** Runs `work` on a deployment that is migrated and has its environment. */
export async function withDeployment<T>(
  options: CommonOptions,
  output: Output,
  work: (deployment: Deployment) => Promise<T>,
  wishes: Wishes = {},
): Promise<T> {
  const config = commandConfig(options)
  return withDatabase({ config, output, wishes }, async (open, dir) => {
    // The database is ours alone for the moment: bring it up to this version, as serve would.
    if (open.embedded && !open.attached) await prepareSchema(open, { progress: output.progress, warn: output.progress })
    else await requireSchema(open)
    const db = open.service
    const found = wishes.begins ? await findOrClaim(db, config.environment) : await db.one(findDeployment())
    if (found === undefined)
      throw new CliError('This database has not been started yet: run nuqta serve once, or make a merchant.')
    return work({ ...found, db, dir, attached: open.attached, now: businessNow(found) })
  })
}

/** The data directory. A command that begins nothing makes none: it was probably run in the wrong place. */
async function directoryOf({ data_dir, database_url }: Config, begins: boolean): Promise<DataDirectory | undefined> {
  const there = existsSync(data_dir)
  if (database_url !== undefined) return there ? openDataDirectory(data_dir) : undefined
  if (begins) return openDataDirectory(data_dir)
  const dir = there ? await openDataDirectory(data_dir) : undefined
  if (dir !== undefined && existsSync(dir.cluster)) return dir
  throw new CliError(
    `There is no database in ${data_dir}: run nuqta serve first, or name its place with --data-dir or DATABASE_URL.`,
  )
}

/**
 * What seals and opens the secrets that a deployment stores.
 * @throws CliError where the service's key is neither in the settings nor in a data directory here, or is another
 */
export async function secretsOf(config: Config, dir: DataDirectory | undefined, db: Database): Promise<SecretBox> {
  const secrets = await boxOf(config, dir, db)
  await requireSecretKey(db, secrets)
  return secrets
}

export function boxOf(config: Config, dir: DataDirectory | undefined, db: Database): Promise<SecretBox> {
  const { secret_key, secret_key_old, database_url } = config
  if (secret_key !== undefined) return Promise.resolve(createSecretBox(secret_key, secret_key_old))
  if (database_url !== undefined || dir === undefined)
    throw new CliError('Set NUQTA_SECRET_KEY to what the service has: it seals the secrets that are stored.')
  return secretBoxOf(config, dir, db)
}
