import type { Config } from '../config/config.ts'
import { settings } from '../config/settings.ts'
import { DatabaseSetupError, isConnectionLost, isOutOfRoom, isReadOnly } from '../db/failure.ts'
import { type OpenDatabase, requireOwner } from '../db/open.ts'
import type { Database, Queryable } from '../db/pool.ts'
import {
  describeForeign,
  foreignAdvice,
  foreignTables,
  type SchemaState,
  schemaState,
  servedAdvice,
} from '../db/prepare.ts'
import { readiness_ms } from '../db/readiness.ts'
import {
  encoding,
  encodingAdvice,
  majorOf,
  oldest_major,
  type ServerInfo,
  serverInfo,
  serviceRole,
} from '../db/server-info.ts'
import { describeUnfinished, findUnfinishedRestore, unfinishedAdvice } from '../db/unfinished-restore.ts'
import { isOldBackup } from '../domain/backup.ts'
import { fitOf } from '../features/deployment/canary.ts'
import { findBackup, findDeployment } from '../features/deployment/queries.ts'
import { hasFormerlySealed } from '../features/deployment/secret-key-rotation.ts'
import { messageOf } from '../lib/errors.ts'
import { newSecretText } from '../lib/ids.ts'
import { createSecretBox } from '../lib/secrets.ts'
import { type Finding, ok, problem } from './finding.ts'

const max_clock_difference_ms = 2_000

/** Checks a database that can be reached. */
export async function checkDatabase(open: OpenDatabase, config: Config): Promise<Finding[]> {
  const { service } = open
  const asked_ms = Date.now()
  const info = await serverInfo(service)
  const difference_ms = info.now_ms - (asked_ms + Date.now()) / 2
  const begun = [checkServer(info), checkClock(difference_ms), ...(await checkOwner(open))]
  const restoring = await findUnfinishedRestore(service)
  if (restoring !== null) return [...begun, checkRestore(restoring)]
  const tables = await foreignTables(service)
  if (tables.length > 0) return [...begun, checkTables(tables)]
  const state = await schemaState(service)
  const findings = [...begun, checkMigrations(open, state)]
  if (state.pending.length > 0) return findings
  const deployment = await service.one(findDeployment())
  const environment = deployment?.environment
  return [...findings, checkEnvironment(environment, config.environment)]
}

function checkServer({ version_num, writable, encoding: found }: ServerInfo): Finding {
  const detail = `PostgreSQL ${majorOf(version_num)}`
  if (majorOf(version_num) < oldest_major)
    return problem('database', detail, `Use PostgreSQL ${oldest_major} or later.`)
  if (!writable) return problem('database', `${detail}, read-only`, readOnlyAdvice)
  if (found !== encoding)
    return problem(
      'database',
      `${detail} with the encoding ${found}`,
      `Texts get lost or are refused: ${encodingAdvice}`,
    )
  return ok('database', detail)
}

const readOnlyAdvice =
  'Point DATABASE_URL at the primary server. If it is that, default_transaction_read_only is on: some providers turn it on ' +
  'when the disk is nearly full.'

/** Makes the write by which `/readyz` decides. No finding if it succeeds in time; a read-only database has one already. */
export async function checkWrites(db: Pick<Database, 'tryWrite'>, limit_ms = readiness_ms): Promise<Finding[]> {
  const begun_ms = performance.now()
  const error = await db.tryWrite().catch((thrown: unknown) => thrown ?? 'unknown')
  if (isReadOnly(error)) return []
  if (isOutOfRoom(error))
    return [
      problem('writes', `there is no room for them (${messageOf(error)})`, 'Make room as docs/production.md says.'),
    ]
  if (error !== undefined && !isConnectionLost(error))
    return [problem('writes', `they fail: ${messageOf(error)}`, 'Correct the cause; until then /readyz is 503.')]
  if (error === undefined && performance.now() - begun_ms <= limit_ms) return []
  const detail = `one takes longer than ${limit_ms / 1000} s`
  const advice =
    'Look at the load of its disks, for locks in pg_stat_activity, and for a synchronous standby that does not answer.'
  return [problem('writes', detail, advice)]
}

/** Checks that migrations and the worker can connect, where they do so as another role than the service. */
async function checkOwner(open: OpenDatabase): Promise<Finding[]> {
  try {
    const role = await requireOwner(open)
    return role === undefined ? [] : [ok('owner', `${role} can connect`)]
  } catch (error) {
    if (!(error instanceof DatabaseSetupError)) throw error
    return [problem('owner', 'the owner of the tables cannot be used', error.message)]
  }
}

function checkClock(difference_ms: number): Finding {
  const detail = `${Math.abs(difference_ms / 1000).toFixed(1)} s from the database's`
  if (Math.abs(difference_ms) <= max_clock_difference_ms) return ok('clock', detail)
  return problem('clock', detail, 'Set both clocks by NTP: time windows and identifiers depend on them.')
}

function checkTables(tables: readonly string[]): Finding {
  return problem('migrations', describeForeign(tables), `To begin, ${foreignAdvice}`)
}

function checkRestore(created_at: string): Finding {
  return problem('migrations', describeUnfinished(created_at), `To begin, ${unfinishedAdvice}`)
}

function checkMigrations({ attached }: OpenDatabase, { pending, foreign }: SchemaState): Finding {
  if (foreign.length > 0)
    return problem(
      'migrations',
      `${foreign.join(', ')} of another version`,
      'Run the version that made them, or later.',
    )
  const advice = attached ? `To begin, ${servedAdvice}` : 'Run nuqta migrate.'
  if (pending.length > 0) return problem('migrations', `${pending.length} to do`, advice)
  return ok('migrations', 'up to date')
}

function checkEnvironment(found: string | undefined, asked: string): Finding {
  if (found === undefined) return ok('environment', 'written at the first start')
  if (asked === found) return ok('environment', found)
  return problem(
    'environment',
    `the database is a ${found}`,
    `Set NUQTA_ENVIRONMENT=${found}, or use another database.`,
  )
}

/** The age of a production's last backup. The service knows only of backups by its own command: no finding without one. */
export async function checkBackupAge(db: Database): Promise<Finding[]> {
  const backed_up_at = (await db.one(findBackup()))?.backed_up_at ?? null
  if (backed_up_at === null) return []
  const detail = `the last one by nuqta backup is of ${backed_up_at.toISOString()}`
  if (!isOldBackup(backed_up_at, new Date())) return [ok('backup', detail)]
  return [problem('backup', detail, 'Find out why none was made since; docs/backup.md makes one every night.')]
}

const check = 'secret key'

/** A key of few different characters, or that of the documentation, is no secret. */
const fewest_characters = 10
const { example } = settings.NUQTA_SECRET_KEY

/** Whether somebody could guess a secret key. */
export function checkKeyIsRandom(secret_key: string): Finding[] {
  const isRandom = new Set(secret_key).size >= fewest_characters && secret_key !== example
  const advice = 'Make one with `openssl rand -hex 32`, and change it as docs/secrets.md says.'
  return isRandom ? [] : [problem(check, 'somebody could guess it', advice)]
}

/** By where the keys are. Before the keys in the settings are swapped, the one called old is the next: it must stay. */
const nothingUnderFormer = {
  settings:
    'nothing is sealed under NUQTA_SECRET_KEY_OLD: if it is the former key, remove it a day after the change; if it is the new ' +
    'one, keep it and go on with docs/secrets.md',
  directory:
    'nothing is sealed under the former one any more: a day after the change a start removes secret.key.old itself',
} as const

export interface ExaminedKeys {
  readonly secret_key: string | null
  readonly secret_key_old: string | undefined
  readonly kept: keyof typeof nothingUnderFormer
}

/** Checks that the secret key is the database's, and that no change of it is under way. */
export async function checkSecretKey(
  db: Database,
  { secret_key, secret_key_old, kept }: ExaminedKeys,
): Promise<Finding> {
  if (secret_key === null) {
    if ((await fitOf(db, createSecretBox(newSecretText()))) === 'nothing sealed')
      return ok(check, 'will be created at the first start')
    const advice = 'Set NUQTA_SECRET_KEY to what the service has, or put secret.key back into the data directory.'
    return problem(check, 'there is none', advice)
  }
  const secrets = createSecretBox(secret_key, secret_key_old)
  const fit = await fitOf(db, secrets)
  if (fit === 'foreign')
    return problem(
      check,
      'it is not the one of this database: stored secrets cannot be opened',
      'Set NUQTA_SECRET_KEY, or secret.key in the data directory, to what it was when the service first started.',
    )
  if (secrets.former === undefined)
    return ok(check, fit === 'fits' ? 'it is that of the database' : 'nothing is sealed yet')
  if (fit !== 'former' && !(await hasFormerlySealed({ db, secrets }))) return ok(check, nothingUnderFormer[kept])
  if (fit === 'former' || (await hasFormerlySealed({ db, secrets, by: secrets.former })))
    return problem(check, 'stored secrets are still sealed under the former one', 'Run nuqta secrets rotate.')
  return problem(
    check,
    'some stored secrets are sealed under neither key',
    'Set NUQTA_SECRET_KEY_OLD to the key that sealed them and run nuqta secrets rotate, or set them anew.',
  )
}

/** Whether the role of the service could alter the ledger. No finding where it cannot. */
export async function checkRole(db: Queryable): Promise<Finding[]> {
  const role = await serviceRole(db)
  const check = 'role'
  if (role.is_superuser)
    return [
      problem(
        check,
        `the service connects as ${role.name}, who may do everything on the database server`,
        'Let DATABASE_URL name a role of few rights, and NUQTA_MIGRATION_URL the owner of the tables, as docs/production.md says.',
      ),
    ]
  if (!role.is_owner) return []
  return [ok(check, `the service connects as ${role.name}, the owner of the tables, who can alter the ledger`)]
}
