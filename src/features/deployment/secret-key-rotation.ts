import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { type Actor, deployment_program_id } from '../../domain/audit.ts'
import { CliError } from '../../lib/errors.ts'
import { isSealedBy, type SecretBox, SecretError } from '../../lib/secrets.ts'
import { fitOf, requireSecretKey, sealCanary } from './canary.ts'
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
  /** The number of values that were sealed again under the new key. */
  resealed: number
  /** The number of values that neither key opens, by `table.column`. They stay as they are. */
  readonly unreadable: Map<string, number>
  /**
   * The database was under the former key before. False after an earlier rotation, and before the keys are swapped: then the
   * "former" key of the settings is the next one.
   */
  readonly replaced: boolean
}

export interface RotateParts {
  readonly db: Database
  readonly secrets: SecretBox
  /** Rows read per statement. */
  readonly batch?: number
  readonly by?: Actor | undefined
  /** Called after each batch that changed something. */
  readonly onProgress?: (resealed: number) => void
}

const default_batch = 500
/** Another pass finds what processes sealed under the former key meanwhile. */
const most_passes = 5

/**
 * Seals again everything that is sealed under the former key, the canary last. Each batch is one transaction, so an
 * interrupted rotation continues when it is run again.
 * @throws CliError if there is no former key, or neither key fits the database
 */
export async function rotateSecrets(parts: RotateParts): Promise<Rotation> {
  const { db, secrets } = parts
  if (secrets.former === undefined)
    throw new CliError(
      'There is no former key: set NUQTA_SECRET_KEY to the new key and NUQTA_SECRET_KEY_OLD to the former one.',
    )
  await requireSecretKey(db, secrets)
  const replaced = (await fitOf(db, secrets)) === 'former'
  const rotation: Rotation = { resealed: 0, unreadable: new Map(), replaced }
  for (let pass = 0, before = -1; pass < most_passes && rotation.resealed !== before; pass += 1) {
    before = rotation.resealed
    rotation.unreadable.clear()
    for (const { program_id } of await db.run(findPrograms()))
      for (const column of sealedColumns) await resealColumn(parts, column, program_id, rotation)
  }
  await resealCanary(parts, rotation)
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

/** Null if neither key opens the value. */
function reseal(secrets: SecretBox, { belongsTo }: SealedColumn, row: SealedValue): Resealed | null {
  const belongs = belongsTo(row)
  try {
    return { row, sealed: secrets.seal(secrets.open(row.sealed, belongs), belongs) }
  } catch (error) {
    if (error instanceof SecretError) return null
    throw error
  }
}

/** The last step of a rotation, and the one that is recorded. */
async function resealCanary({ db, secrets, by }: RotateParts, { resealed, unreadable }: Rotation): Promise<void> {
  const canary = (await db.one(findCanary()))?.secret_canary
  if (canary === null || canary === undefined) throw new Error('the deployment has no canary')
  const after = { resealed, unreadable: Object.fromEntries(unreadable) }
  await db.transaction(async (tx) => {
    void tx.run(replaceCanary(canary, sealCanary(secrets)))
    const change = { action: 'secrets.rotate', object: 'deployment', before: null, after } as const
    audit(tx, by, [{ program_id: deployment_program_id, ...change }])
  })
}

/** Whether any value is sealed under a key other than the new one; with `by`, under that key. Stops at the first. */
export async function hasFormerlySealed({
  db,
  secrets,
  by,
  batch = default_batch,
}: Omit<RotateParts, 'by'> & { readonly by?: SecretBox }): Promise<boolean> {
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
