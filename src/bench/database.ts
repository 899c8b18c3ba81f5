import { openDataDirectory } from '../config/data-directory.ts'
import { attachEmbedded, type EmbeddedConnection } from '../db/embedded.ts'
import { Database } from '../db/pool.ts'
import type { BenchServer } from './server.ts'

/** The database of a bench's server, beside the server itself. */
export interface BenchDatabase {
  readonly connection: EmbeddedConnection
  readonly db: Database
  close(): Promise<void>
}

/** Opens the database that a bench's server runs. The connection is good for as long as it is open. */
export async function openBenchDatabase({ data_dir }: BenchServer): Promise<BenchDatabase> {
  const embedded = await attachEmbedded(await openDataDirectory(data_dir))
  if (embedded === null) throw new Error('the database of the bench is not there')
  const connection = embedded.connection('service')
  const db = new Database(connection, { size: 1 })
  return {
    connection,
    db,
    async close() {
      await db.close()
      await embedded.stop()
    },
  }
}
