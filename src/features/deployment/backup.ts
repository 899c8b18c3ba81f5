import type { Config } from '../../config/config.ts'
import type { DataDirectory } from '../../config/data-directory.ts'
import type { BackupHeader, BackupSums } from '../../db/backup/format.ts'
import { analyzeTables, type Loaded, loadBackup, migrationsOf, type OnStep } from '../../db/backup/load.ts'
import type { OpenBackup } from '../../db/backup/reader.ts'
import { findSubject, writeSnapshot } from '../../db/backup/snapshot.ts'
import { BackupWriter, type Sink } from '../../db/backup/writer.ts'
import { CommitUnknown, isForbidden } from '../../db/failure.ts'
import type { OpenDatabase } from '../../db/open.ts'
import type { Database } from '../../db/pool.ts'
import { migrateRestored } from '../../db/prepare.ts'
import { endRestore, noteVerified } from '../../db/unfinished-restore.ts'
import { type Verification, verifyLedger } from '../../db/verify.ts'
import { CliError } from '../../lib/errors.ts'
import { createSecretBox, readSecretKey, type SecretBox } from '../../lib/secrets.ts'
import { serviceVersion } from '../../lib/version.ts'
import { takeDueRefundsAsRequested } from '../payments/tasks.ts'
import { refuseForeignKey } from './canary.ts'
import { markBackedUp } from './queries.ts'

type KeyPlace = Pick<Config, 'secret_key' | 'secret_key_old' | 'database_url'>

/** The keys of the settings, else those in the data directory of an embedded database; undefined if there is none. */
export async function findKeys(
  { secret_key, secret_key_old, database_url }: KeyPlace,
  files: Pick<DataDirectory, 'secretKey' | 'secretKeyOld'> | undefined,
): Promise<SecretBox | undefined> {
  if (secret_key !== undefined) return createSecretBox(secret_key, secret_key_old)
  if (database_url !== undefined || files === undefined) return undefined
  const kept = await readSecretKey(files.secretKey)
  return kept === null ? undefined : createSecretBox(kept, (await readSecretKey(files.secretKeyOld)) ?? undefined)
}

const keyOfService = 'set NUQTA_SECRET_KEY to what the service has, or put secret.key back into the data directory.'
const keyOfBackup =
  'set NUQTA_SECRET_KEY to the key of the deployment that was backed up, or copy its secret.key into the data directory.'

/** Checks the keys against a canary; without one nothing is sealed, and any key will do. */
function requireKey(keys: SecretBox | undefined, canary: Buffer | null, advice: string): void {
  if (canary === null) return
  if (keys === undefined) throw new CliError(`The secret key is missing: ${advice}`)
  refuseForeignKey(keys, canary, advice)
}

/** A backup that can be written: everything that could refuse it was checked. */
export interface PreparedBackup {
  /** Writes it; `onTable` is called with the name of each table and the bytes written before it. */
  write(sink: Sink, onTable: (table: string, bytes: number) => void): Promise<BackupSums>
  /** Notes in the database that the backup is complete, once nothing can fail any more. */
  note(): Promise<void>
}

/**
 * Checks that a database can be backed up, and that its secret key is at hand: without it nobody could use the backup.
 * @throws CliError that says what is missing; nothing is written then
 */
export async function prepareBackup(db: Database, keys: SecretBox | undefined): Promise<PreparedBackup> {
  const { environment, secret_canary } = await findSubject(db)
  requireKey(keys, secret_canary, keyOfService)
  return {
    async write(sink, onTable) {
      const writer = new BackupWriter(sink)
      const about = {
        service: serviceVersion(),
        environment,
        created_at: new Date().toISOString(),
        secret_canary: secret_canary?.toString('hex') ?? null,
      }
      await writeSnapshot(db, writer, about, (table) => onTable(table, writer.bytes))
      return writer.end()
    },
    async note() {
      // A standby can be backed up too, and takes no note.
      await db.run(markBackedUp(new Date())).catch(() => undefined)
    },
  }
}

/**
 * Checks that a backup can be restored here, before anything is made.
 * @throws CliError if it is of the other environment, of a later version, or sealed under another key
 */
export async function checkBackup(
  header: BackupHeader,
  config: Pick<Config, 'environment'>,
  keys: SecretBox | undefined,
): Promise<void> {
  const { environment, secret_canary } = header
  if (environment !== config.environment)
    throw new CliError(
      `The backup is of the environment ${environment}, and ${config.environment} was asked for: set NUQTA_ENVIRONMENT=${environment}.`,
    )
  await migrationsOf(header)
  requireKey(keys, secret_canary === null ? null : Buffer.from(secret_canary, 'hex'), keyOfBackup)
}

export interface Restored extends Loaded {
  /** The migrations that the backup did not have. */
  readonly applied: readonly string[]
}

/**
 * Loads a backup into an empty database, then brings its schema up to this version. Goes on with a restore of the same
 * backup that ended after the rows were loaded.
 * @throws CliError if it cannot be restored; then the database is as it was
 */
export async function restoreBackup(open: OpenDatabase, backup: OpenBackup, onStep: OnStep): Promise<Restored> {
  if (open.attached)
    throw new CliError('nuqta serve is running on this data directory: stop it, or restore into a new one.')
  const loaded = await loadBackup(open.owner, backup, onStep).catch((error: unknown) => {
    if (isForbidden(error)) throw new CliError(notTheOwner, { cause: error })
    if (!(error instanceof CommitUnknown)) throw error
    throw new CliError(unknownEnd, { cause: error })
  })
  onStep('migrations')
  const applied = await migrateRestored(open)
  await takeDueRefundsAsRequested(open.service)
  onStep('statistics')
  await analyzeTables(open.owner)
  await endRestore(open.owner, backup.header.created_at)
  return { ...loaded, applied }
}

/** The last step of a restore. The database can be used without it. */
export async function verifyRestored({ service, owner }: OpenDatabase): Promise<Verification> {
  const verified = await verifyLedger(service)
  await noteVerified(owner)
  return verified
}

const notTheOwner =
  'This role may not load a backup: run nuqta restore with NUQTA_MIGRATION_URL, which connects as the owner of the tables.'
const unknownEnd = 'The database went away when all rows were loaded: run this again. It then goes on, or begins anew.'
