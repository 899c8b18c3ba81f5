import { join } from 'node:path'
import type { Database } from '../../src/db/pool.ts'
import { bootstrapSandbox, type OpenedSandbox } from '../../src/features/deployment/sandbox.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'

/** Turns a database into a new sandbox like a first start, without the history. Writes `sandbox.env` to `folder`. */
export async function openSandbox(
  db: Database,
  { folder, empty = false, now = new Date() }: { folder: string; empty?: boolean; now?: Date },
): Promise<OpenedSandbox['keys']> {
  await claimDeployment(db, 'sandbox')
  const place = { file: join(folder, 'sandbox.env'), base_url: 'https://localhost:8443/api', ca: undefined }
  const { keys } = await bootstrapSandbox(db, { ...place, database_is_ours: false, empty }, now)
  return keys
}
