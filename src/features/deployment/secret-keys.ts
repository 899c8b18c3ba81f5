import { link, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DataDirectory } from '../../config/data-directory.ts'
import type { Database } from '../../db/pool.ts'
import { day_ms } from '../../domain/spans.ts'
import { CliError } from '../../lib/errors.ts'
import { syncFolder } from '../../lib/part-file.ts'
import { createSecretBox, ensureSecretKey, readSecretKey, type SecretBox } from '../../lib/secrets.ts'
import { fitOf, hasSealed } from './canary.ts'
import { hasFormerlySealed } from './secret-key-rotation.ts'

type KeyFiles = Pick<DataDirectory, 'secretKey' | 'secretKeyOld' | 'secretKeyNext'>

/** Limits look back a day, so counts made under the former key must count for a day. */
const former_counts_ms = day_ms

/** The keys in the settings. */
export interface KeySettings {
  readonly secret_key: string | undefined
  readonly secret_key_old: string | undefined
}

/**
 * The keys of a process: those in the settings, else those in the data directory. The first start creates one there.
 * @throws CliError if the key is missing that sealed the database's secrets
 */
export async function secretKeysOf(
  { secret_key, secret_key_old }: KeySettings,
  files: KeyFiles,
  db: Database,
): Promise<{ readonly secret_key: string; readonly secret_key_old: string | undefined }> {
  if (secret_key !== undefined) return { secret_key, secret_key_old }
  const kept = await readSecretKey(files.secretKey)
  if (kept === null && (await hasSealed(db)))
    throw new CliError(
      `The secret key ${files.secretKey} is missing, and secrets are stored under it: put it back from your copy of it.`,
    )
  if ((await changeOf(files, db)) === 'over') await rm(files.secretKeyOld, { force: true })
  return {
    secret_key: kept ?? (await ensureSecretKey(files.secretKey)),
    secret_key_old: (await readSecretKey(files.secretKeyOld)) ?? undefined,
  }
}

/** The secret box of a process. */
export async function secretBoxOf(settings: KeySettings, files: KeyFiles, db: Database): Promise<SecretBox> {
  const { secret_key, secret_key_old } = await secretKeysOf(settings, files, db)
  return createSecretBox(secret_key, secret_key_old)
}

/**
 * The state of a key change in the data directory. `begun`: something is sealed under the former key. `done`: nothing
 * is, but limits still need the former key. `over`: nothing needs it.
 */
async function changeOf(files: KeyFiles, db: Database): Promise<'none' | 'begun' | 'done' | 'over'> {
  const [key, former] = [await readSecretKey(files.secretKey), await readSecretKey(files.secretKeyOld)]
  if (key === null || former === null) return 'none'
  if ((await readSecretKey(files.secretKeyNext)) !== null) return 'begun'
  const secrets = createSecretBox(key, former)
  const fit = await fitOf(db, secrets)
  if (fit === 'foreign' || fit === 'former') return 'begun'
  if (await hasFormerlySealed({ db, secrets, by: createSecretBox(former) })) return 'begun'
  const { mtimeMs } = await stat(files.secretKeyOld)
  return Date.now() < mtimeMs + former_counts_ms ? 'done' : 'over'
}

/**
 * Writes a new key to the data directory, and keeps the current one as the former. Each step is atomic. An interrupted
 * change continues with the same new key.
 * @throws CliError if the last change was less than a day ago: only one former key is kept
 */
export async function beginKeyChange(files: KeyFiles, db: Database): Promise<void> {
  const change = await changeOf(files, db)
  if (change === 'done')
    throw new CliError(
      `The key was changed less than a day ago, and ${files.secretKeyOld} still counts for limits, codes and open pages: ` +
        'run this again a day after the change. If the key cannot wait, remove that file first.',
    )
  if (change === 'over') await rm(files.secretKeyOld, { force: true })
  if ((await readSecretKey(files.secretKeyOld)) === null) {
    await ensureSecretKey(files.secretKey)
    await ensureSecretKey(files.secretKeyNext)
    await link(files.secretKey, files.secretKeyOld)
  }
  await touch(files.secretKeyOld)
  if ((await readSecretKey(files.secretKeyNext)) !== null) await rename(files.secretKeyNext, files.secretKey)
  // Without the folder on disk, a loss of power could take the key back after values were sealed under it.
  await syncFolder(dirname(files.secretKey))
}

/** Starts the day for which the former key still counts, by its file's time. */
export async function endKeyChange(files: KeyFiles): Promise<void> {
  await touch(files.secretKeyOld)
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now)
}
