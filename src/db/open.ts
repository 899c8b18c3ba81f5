import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { DataDirectory } from '../config/data-directory.ts'
import { isConnectionLost } from './failure.ts'
import { openEmbedded } from './open-embedded.ts'
import type { Database } from './pool.ts'
import { type OpenDatabase, type OpenOptions, openPools } from './pools.ts'
import { DatabaseSetupError } from './refused.ts'
import { majorOf, oldest_major, serverInfo } from './server-info.ts'

export type OpenPlace = Pick<Config, 'database_url' | 'migration_url'>

/** How long a database that is just starting is waited for. */
const patience_ms = 10_000

/**
 * Opens the external database of the settings, or the embedded one of the data directory.
 * @param dir only an embedded database needs one
 * @throws DatabaseSetupError when it cannot be reached, is too old, or is in use
 */
export async function openDatabase(
  place: OpenPlace,
  dir: DataDirectory | undefined,
  options: OpenOptions,
): Promise<OpenDatabase> {
  if (place.database_url === undefined) {
    if (dir === undefined) throw new Error('an embedded database needs a data directory')
    return openEmbedded(dir, options)
  }
  return openExternal(place.database_url, place.migration_url ?? place.database_url, options)
}

async function openExternal(url: string, owner_url: string, options: OpenOptions): Promise<OpenDatabase> {
  const { service, owner, close } = openPools(url, owner_url, options)
  try {
    const role = await reach(service, options.progress)
    const service_role = url === owner_url ? undefined : role
    return { service, owner, service_role, embedded: false, attached: false, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits for the first answer of a database, and gives the role that it knows us as. */
async function reach(db: Database, progress: (text: string) => void): Promise<string> {
  const deadline = Date.now() + patience_ms
  for (let told = false; ; told = true) {
    try {
      return await checkVersion(db)
    } catch (error) {
      if (error instanceof DatabaseSetupError) throw error
      if (!isConnectionLost(error) || Date.now() > deadline) throw unreachable(error)
      if (!told) progress('Waiting for the database')
      await sleep(250)
    }
  }
}

async function checkVersion(db: Database): Promise<string> {
  const { version_num, role } = await serverInfo(db)
  const major = majorOf(version_num)
  if (major < oldest_major)
    throw new DatabaseSetupError(`DATABASE_URL is a PostgreSQL ${major}: Nuqta needs ${oldest_major} or later.`)
  return role
}

function unreachable(error: unknown): DatabaseSetupError {
  const reason = error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error)
  return new DatabaseSetupError(`The database of DATABASE_URL cannot be used: ${reason}.`, { cause: error })
}
