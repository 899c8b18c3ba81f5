import { errorCode } from '../lib/errors.ts'
import { findUnspread } from './citus.ts'
import { refuseForeignTables } from './foreign-tables.ts'
import { migrate } from './migrate.ts'
import { dropOldPartitions, ensurePartitions } from './partitions.ts'
import { schemaState } from './pending.ts'
import type { OpenDatabase, OpenOptions } from './pools.ts'
import { DatabaseSetupError } from './refused.ts'

/**
 * Brings the schema up to this version, and the service's rights with it. Where nothing is pending and the service has
 * one role for both, nothing is migrated: an operator who migrates apart need not give the service the owner's role.
 * @returns the migrations applied now
 */
export async function prepareSchema(
  open: OpenDatabase,
  { progress, warn }: Pick<OpenOptions, 'progress' | 'warn'>,
): Promise<readonly string[]> {
  const { pending, foreign } = await schemaState(open.owner)
  if (pending.length > 0) progress(`Migrating the database (${pending.length} steps)`)
  // A crash may have come between the migrations and the grants that follow them.
  const granted = open.service_role === undefined
  const isWhole = granted && (await findUnspread(open.owner)).length === 0
  if (pending.length > 0 || foreign.length > 0 || !isWhole) return migrateNow(open)
  await makePartitions(open, warn)
  return []
}

/**
 * Applies what is pending, as the owner, and grants the service its rights.
 * @throws DatabaseSetupError when the role may not, or the database is another application's
 */
export async function migrateNow({ owner, service_role }: OpenDatabase): Promise<string[]> {
  await refuseForeignTables(owner)
  try {
    return await migrate(owner, service_role === undefined ? {} : { service: service_role })
  } catch (error) {
    if (hasNoSchema(error))
      throw new DatabaseSetupError(
        'The search_path of this role names no schema that exists: create one, or correct it.',
        {
          cause: error,
        },
      )
    if (!isForbidden(error)) throw error
    throw new DatabaseSetupError(
      'This role may not migrate the database: set NUQTA_MIGRATION_URL to connect as the owner of its tables.',
      { cause: error },
    )
  }
}

/** Makes the partitions of the months ahead; without the owner's rights that is left to `nuqta migrate`. */
export async function makePartitions({ owner }: OpenDatabase, warn: (text: string) => void): Promise<void> {
  try {
    await ensurePartitions(owner, new Date())
  } catch (error) {
    if (!isForbidden(error)) throw error
    warn('the partitions of the next months are missing: set NUQTA_MIGRATION_URL, or run nuqta migrate every month')
  }
}

/** Drops what is past keeping; without the owner's rights nothing is. Gives the names of what was dropped. */
export async function purgeMonths(
  { owner }: OpenDatabase,
  retention_days: number,
  warn: (text: string) => void,
): Promise<string[]> {
  try {
    return await dropOldPartitions(owner, new Date(), retention_days)
  } catch (error) {
    if (!isForbidden(error)) throw error
    warn('events and deliveries past keeping are kept: set NUQTA_MIGRATION_URL')
    return []
  }
}

function isForbidden(error: unknown): boolean {
  return errorCode(error) === '42501'
}

function hasNoSchema(error: unknown): boolean {
  return errorCode(error) === '3F000'
}

/** @throws DatabaseSetupError when the database has another schema than this version's */
export async function requireSchema(open: OpenDatabase): Promise<void> {
  await refuseForeignTables(open.service)
  const { pending, foreign } = await schemaState(open.service)
  if (foreign.length > 0)
    throw new DatabaseSetupError(`The database was migrated by another version of Nuqta (${foreign.join(', ')}).`)
  if (pending.length > 0)
    throw new DatabaseSetupError(`The database is not migrated (${pending.length} steps): run nuqta migrate.`)
  const unspread = await findUnspread(open.service)
  if (unspread.length > 0)
    throw new DatabaseSetupError(`The database is spread but for ${unspread.length} tables: run nuqta migrate.`)
}
