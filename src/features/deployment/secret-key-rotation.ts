import type { Database } from '../../db/pool.ts'
import { CliError } from '../../lib/errors.ts'
import { isSealedBy, type SecretBox, SecretError } from '../../lib/secrets.ts'
import { requireSecretKey, sealCanary } from './canary.ts'
import { type SealedColumn, type SealedRow, sealedColumns } from './sealed-columns.ts'
import {
  findCanary,
  findPage,
  findPrograms,
  type Resealed,
  replaceCanary,
  type SealedValue,
  writeResealed,
} from './secret-key-queries.ts'

export interface Rotation {
  /** Values that are sealed under the new key now, and were not before. */
  resealed: number
  /** Values that neither key opens, by `table.column`. They stay as they are. */
  readonly unreadable: Map<string, number>
}

export interface RotateParts {
  readonly db: Database
  readonly secrets: SecretBox
  /** Rows looked at in one statement. */
  readonly batch?: number
  /** Told after each batch that changed something. */
  readonly onProgress?: (resealed: number) => void
}

const default_batch = 500
/** What processes seal under the former key meanwhile is found by another pass. */
const most_passes = 5

/**
 * Seals everything anew that is sealed under the former key, and the canary last. Every batch is a transaction of its own and
 * leaves nothing half done: when it is interrupted, it goes on where it was by being run again.
 * @throws CliError when there is no former key, or when neither is the database's
 */
export async function rotateSecrets(parts: RotateParts): Promise<Rotation> {
  const { db, secrets } = parts
  if (secrets.former === undefined)
    throw new CliError(
      'There is no former key: set NUQTA_SECRET_KEY to the new key and NUQTA_SECRET_KEY_OLD to the former one.',
    )
  await requireSecretKey(db, secrets)
  const rotation: Rotation = { resealed: 0, unreadable: new Map() }
  for (let pass = 0, before = -1; pass < most_passes && rotation.resealed !== before; pass += 1) {
    before = rotation.resealed
    rotation.unreadable.clear()
    for (const { program_id } of await db.run(findPrograms()))
      for (const column of sealedColumns) await resealColumn(parts, column, program_id, rotation)
  }
  await resealCanary(db, secrets)
  return rotation
}

async function resealColumn(
  { db, secrets, batch = default_batch, onProgress = () => undefined }: RotateParts,
  column: SealedColumn,
  program_id: number,
  rotation: Rotation,
): Promise<void> {
  let after: SealedRow | undefined
  do {
    const page = await db.run(findPage(column, program_id, { mark: secrets.mark, after, limit: batch }))
    after = page.length < batch ? undefined : page.at(-1)
    const found = page.filter((row): row is SealedValue => row.sealed !== null)
    const anew = found.map((row) => reseal(secrets, column, row)).filter((one) => one !== null)
    if (anew.length < found.length) {
      const name = `${column.table}.${column.column}`
      rotation.unreadable.set(name, (rotation.unreadable.get(name) ?? 0) + found.length - anew.length)
    }
    if (anew.length === 0) continue
    rotation.resealed += (await db.run(writeResealed(column, program_id, anew))).length
    onProgress(rotation.resealed)
  } while (after !== undefined)
}

/** Null for what neither key opens. */
function reseal(secrets: SecretBox, { belongsTo }: SealedColumn, row: SealedValue): Resealed | null {
  const belongs = belongsTo(row)
  try {
    return { row, sealed: secrets.seal(secrets.open(row.sealed, belongs), belongs) }
  } catch (error) {
    if (error instanceof SecretError) return null
    throw error
  }
}

async function resealCanary(db: Database, secrets: SecretBox): Promise<void> {
  const canary = (await db.one(findCanary()))?.secret_canary
  if (canary === null || canary === undefined) throw new Error('the deployment has no canary')
  await db.run(replaceCanary(canary, sealCanary(secrets)))
}

/** Whether something is sealed under another key than the new one, or under the key `by`. Reads no further than the first. */
export async function hasFormerlySealed({
  db,
  secrets,
  by,
  batch = default_batch,
}: RotateParts & { readonly by?: SecretBox }): Promise<boolean> {
  for (const { program_id } of await db.run(findPrograms())) {
    for (const column of sealedColumns) {
      let after: SealedRow | undefined
      do {
        const page = await db.run(findPage(column, program_id, { mark: secrets.mark, after, limit: batch }))
        if (page.some(({ sealed }) => sealed !== null && (by === undefined || isSealedBy(by, sealed)))) return true
        after = page.length < batch ? undefined : page.at(-1)
      } while (after !== undefined)
    }
  }
  return false
}
