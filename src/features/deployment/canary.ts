import type { Database } from '../../db/pool.ts'
import { CliError } from '../../lib/errors.ts'
import { isSealedBy, type SecretBox, SecretError } from '../../lib/secrets.ts'
import { sealedColumns } from './sealed-columns.ts'
import { findCanary, findPrograms, findSample, insertCanary } from './secret-key-queries.ts'

const text = 'nuqta'
const canaryBelongsTo = ['canary']

/** Seals a known text, the canary: only its key opens it. */
export function sealCanary(secrets: SecretBox): Buffer {
  return secrets.seal(text, canaryBelongsTo)
}

/** Whether a process's keys open the database's secrets. `former`: only the key that is being replaced does. */
export type Fit = 'fits' | 'former' | 'foreign' | 'nothing sealed'

/** Says how the keys of a process fit the database. Changes nothing. */
export async function fitOf(db: Database, secrets: SecretBox): Promise<Fit> {
  const canary = await readCanary(db)
  if (canary !== null) return fitOfCanary(secrets, canary)
  return fitOfSamples(db, secrets)
}

/** Whether the database has anything sealed, under whatever key: the canary, or a secret from before there was one. */
export async function hasSealed(db: Database): Promise<boolean> {
  if ((await readCanary(db)) !== null) return true
  for await (const _ of samples(db)) return true
  return false
}

function fitOfCanary(secrets: SecretBox, canary: Buffer): Fit {
  if (secrets.former !== undefined && isSealedBy(secrets.former, canary))
    return fitOfCanary(secrets.former, canary) === 'fits' ? 'former' : 'foreign'
  try {
    return secrets.open(canary, canaryBelongsTo) === text ? 'fits' : 'foreign'
  } catch (error) {
    if (error instanceof SecretError) return 'foreign'
    throw error
  }
}

/** For a database without a canary: tries one value of each column. One that opens is enough. */
async function fitOfSamples(db: Database, secrets: SecretBox): Promise<Fit> {
  const fits = new Set<Fit>()
  for await (const sealed of samples(db)) {
    if (secrets.former !== undefined && isSealedBy(secrets.former, sealed)) fits.add('former')
    else fits.add(isSealedBy(secrets, sealed) ? 'fits' : 'foreign')
  }
  // The rotation is not finished while anything is sealed under the former key.
  return (['former', 'fits', 'foreign'] as const).find((fit) => fits.has(fit)) ?? 'nothing sealed'
}

/** One sealed value of each column in each program, where there is one. */
async function* samples(db: Database): AsyncGenerator<Buffer> {
  for (const { program_id } of await db.run(findPrograms())) {
    for (const column of sealedColumns) {
      const sample = await db.one(findSample(column, program_id))
      if (sample !== undefined) yield sample.sealed
    }
  }
}

const foreignKey =
  'The secret key is not the one of this database: what is stored was sealed under another. Set NUQTA_SECRET_KEY (or put ' +
  'back secret.key in the data directory) to what it was. To change the key, give the former one as NUQTA_SECRET_KEY_OLD ' +
  'and run nuqta secrets rotate.'

/**
 * Checks the keys of a process against the database, and writes the canary if there is none.
 * @throws CliError if neither key fits; then nothing is changed
 */
export async function requireSecretKey(db: Database, secrets: SecretBox): Promise<void> {
  const canary = await readCanary(db)
  const fit = canary === null ? await fitOfSamples(db, secrets) : fitOfCanary(secrets, canary)
  if (fit === 'foreign') throw new CliError(foreignKey)
  if (canary !== null) return
  await db.run(insertCanary(sealCanary(fit === 'former' ? (secrets.former ?? secrets) : secrets)))
  // Check again: of two processes that start with different keys, one has written its canary.
  await requireSecretKey(db, secrets)
}

/**
 * Checks the keys of a process against the canary of a database or of its backup; changes nothing.
 * @throws CliError that ends with `advice` if neither key opens it
 */
export function refuseForeignKey(secrets: SecretBox, canary: Buffer, advice: string): void {
  if (fitOfCanary(secrets, canary) === 'foreign')
    throw new CliError(`The secret key is not the one under which the secrets are stored: ${advice}`)
}

async function readCanary(db: Database): Promise<Buffer | null> {
  return (await db.one(findCanary()))?.secret_canary ?? null
}
