import { openBackup } from '../../src/db/backup/reader.ts'
import type { OpenDatabase } from '../../src/db/open.ts'
import type { Database } from '../../src/db/pool.ts'
import { prepareBackup, type Restored, restoreBackup } from '../../src/features/deployment/backup.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'

/** The secret key of the deployment that is backed up. */
export const keys = createSecretBox('the key of this deployment, which is long enough')

/** Takes the progress of a command, and says nothing. */
export const quiet = (): void => undefined

/** Makes a backup in memory. */
export async function backUp(db: Database, onTable: (table: string) => unknown = quiet): Promise<Buffer> {
  const parts: Buffer[] = []
  const sink = { write: async (bytes: Buffer) => void parts.push(bytes) }
  await (await prepareBackup(db, keys)).write(sink, onTable)
  return Buffer.concat(parts)
}

/** A backup as a file gives it: its chunks end anywhere. */
export async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 10_000) yield bytes.subarray(from, from + 10_000)
}

export async function restore(
  open: OpenDatabase,
  bytes: Buffer,
  onStep: (what: string) => void = quiet,
): Promise<Restored> {
  return restoreBackup(open, await openBackup(inChunks(bytes)), onStep)
}
