import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { type Config, loadConfig } from '../config/config.ts'
import { type DataDirectory, findDataDirectory, openDataDirectory } from '../config/data-directory.ts'
import { type OpenDatabase, openDatabase, requireOwner } from '../db/open.ts'
import type { Database, PoolOptions } from '../db/pool.ts'
import { prepareSchema, requireSchema } from '../db/prepare.ts'
import type { Actor } from '../domain/audit.ts'
import { requireSecretKey } from '../features/deployment/canary.ts'
import { businessNow } from '../features/deployment/clock.ts'
import { type DeploymentRow, findDeployment } from '../features/deployment/queries.ts'
import { secretBoxOf } from '../features/deployment/secret-keys.ts'
import { findOrClaim } from '../features/deployment/service.ts'
import { CliError } from '../lib/errors.ts'
import { createSecretBox, type SecretBox } from '../lib/secrets.ts'
import type { CommonOptions, Output } from './command.ts'
import { confirm } from './confirm.ts'

/** The deployment that a command works on. */
export interface Deployment extends DeploymentRow {
  readonly db: Database
  /** Connects as the owner of the tables, for what the service itself may not do. */
  readonly owner: Database
  /** The time of the command by the deployment's clock; of a command that asks first, take that of `confirmed`. */
  readonly now: Date
  /** Undefined with an external database and no data directory here. */
  readonly dir: DataDirectory | undefined
  /** Who makes the changes. */
  readonly by: Actor
  /** A running `serve` holds the database. */
  readonly attached: boolean
}

interface Needs {
  /** May be the first command of a deployment: creates the database and writes the environment. */
  readonly creates?: boolean
  /** Works as the owner of the tables. */
  readonly owns?: boolean
  readonly pool?: PoolOptions
  readonly bulk_load?: boolean
}

/** Reads the settings for a command. */
export function commandConfig({ dataDir, shell: { env, cwd } }: CommonOptions): Config {
  return loadConfig({ env, flags: { data_dir: dataDir }, cwd, purpose: 'command' })
}

/**
 * Runs `work` on the database of the settings: that of a running `serve`, an external one, or the embedded one, which
 * it starts and stops.
 */
export async function withDatabase<T>(
  { config, output, needs = {} }: { readonly config: Config; readonly output: Output; readonly needs?: Needs },
  work: (open: OpenDatabase, dir: DataDirectory | undefined) => Promise<T>,
): Promise<T> {
  const dir = await directoryOf(config, needs.creates === true)
  const open = await openDatabase(config, dir, {
    as: 'command',
    progress: output.progress,
    log: () => undefined,
    warn: () => undefined,
    ...(needs.pool === undefined ? {} : { pool: needs.pool }),
    bulk_load: needs.bulk_load === true,
  })
  try {
    if (needs.owns === true) await requireOwner(open)
    return await work(open, dir)
  } finally {
    await open.close()
  }
}

/** Runs `work` on a migrated deployment. */
export async function withDeployment<T>(
  options: CommonOptions,
  output: Output,
  work: (deployment: Deployment) => Promise<T>,
  needs: Needs = {},
): Promise<T> {
  const config = commandConfig(options)
  return withDatabase({ config, output, needs }, async (open, dir) => {
    // Nobody else uses an embedded database now: migrate it, as serve would.
    if (open.embedded && !open.attached) await prepareSchema(open, { progress: output.progress, warn: output.progress })
    else await requireSchema(open)
    const db = open.service
    const found = needs.creates ? await findOrClaim(db, config.environment) : await db.one(findDeployment())
    if (found === undefined)
      throw new CliError('This database has not been started yet: run nuqta serve once, or make a merchant.')
    const { attached, owner } = open
    return work({ ...found, db, owner, dir, attached, by: actorOf(options), now: businessNow(found) })
  })
}

/**
 * Asks before a change that cannot be undone, and gives the deployment with the time of the answer: people think as long as they
 * like, and a change is made when they have answered. A sandbox clock may have been moved meanwhile.
 * @throws CliError unless the answer is yes
 */
export async function confirmed(options: CommonOptions, deployment: Deployment, question: string): Promise<Deployment> {
  await confirm(options, question)
  const found = await deployment.db.one(findDeployment())
  if (found === undefined) throw new CliError('The deployment is not there any more. Nothing was changed.')
  return { ...deployment, ...found, now: businessNow(found) }
}

/** The name given with `--as`, else the user and the host. */
function actorOf({ as }: CommonOptions): Actor {
  return { source: 'command', name: as ?? `${userName()}@${hostname()}` }
}

/** A user id may have no name, in a container for instance. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** The data directory that is there. Beside an external database, one that this user cannot see is none. */
export async function existingDirectory({
  data_dir,
  database_url,
}: Pick<Config, 'data_dir' | 'database_url'>): Promise<DataDirectory | undefined> {
  return database_url === undefined || existsSync(data_dir) ? findDataDirectory(data_dir) : undefined
}

/** Opens the data directory. Only a command that may create a deployment creates one: others run in the wrong place. */
async function directoryOf(config: Config, creates: boolean): Promise<DataDirectory | undefined> {
  const { data_dir, database_url } = config
  if (database_url === undefined && creates) return openDataDirectory(data_dir)
  const dir = await existingDirectory(config)
  if (database_url !== undefined) return dir
  if (dir !== undefined && existsSync(dir.cluster)) return dir
  throw new CliError(
    `There is no database in ${data_dir}: run nuqta serve first, or name its place with --data-dir or DATABASE_URL.`,
  )
}

/**
 * The box that seals and opens the secrets stored by a deployment.
 * @throws CliError when there is no secret key in the settings or in a data directory here, or it is not the database's
 */
export async function secretsOf(config: Config, dir: DataDirectory | undefined, db: Database): Promise<SecretBox> {
  const secrets = await secretBoxFrom(config, dir, db)
  await requireSecretKey(db, secrets)
  return secrets
}

export function secretBoxFrom(config: Config, dir: DataDirectory | undefined, db: Database): Promise<SecretBox> {
  const { secret_key, secret_key_old, database_url } = config
  if (secret_key !== undefined) return Promise.resolve(createSecretBox(secret_key, secret_key_old))
  if (database_url !== undefined || dir === undefined)
    throw new CliError('Set NUQTA_SECRET_KEY to what the service has: it seals the secrets that are stored.')
  return secretBoxOf(config, dir, db)
}
