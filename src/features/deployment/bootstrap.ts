import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { hashSecret } from '../../lib/ids.ts'
import { findMerchantWithKeys, findPrivateKeys } from '../merchants/key-queries.ts'
import { type KeyPair, replaceKeys } from '../merchants/keys.ts'
import { ensureFirstProgram } from '../merchants/programs.ts'
import { findNamesLike } from '../merchants/queries.ts'
import { addMerchants } from '../merchants/service.ts'
import { lockDeployment } from './queries.ts'
import { readSandboxEnv, writeSandboxEnv } from './sandbox-env.ts'

const demoName = 'Demo Store'

export interface SandboxPlace {
  /** Path of `sandbox.env`. */
  readonly file: string
  readonly base_url: string
  /** Path of the authority's certificate; undefined with a certificate of the operator's own. */
  readonly ca: string | undefined
  /** The database is this data directory's alone, so that nobody else can hold the demo merchant's keys. */
  readonly database_is_ours: boolean
}

/** What became of `sandbox.env`; `elsewhere`: the private key is known to another data directory alone. */
export type SandboxKeys = 'made' | 'kept' | 'stale' | 'replaced' | 'elsewhere'

/**
 * Gives a sandbox its demo merchant, verified and published, and `sandbox.env` its keys and where the service is now.
 * Keys in the file are kept. When the file is gone, the private key is lost with it: the demo merchant of a database of
 * our own gets new keys; in a shared one others may use them, and the file is written without the private key.
 */
export function bootstrapSandbox(db: Database, place: SandboxPlace, now: Date): Promise<SandboxKeys> {
  return db.transaction(async (tx) => {
    // Processes that start at once on one database follow each other here, and the second finds what the first wrote.
    await tx.one(lockDeployment())
    const { program_id } = await ensureFirstProgram(tx, { environment: 'sandbox', now })
    const demo = (await tx.run(findNamesLike(program_id, demoName))).find(({ name }) => name === demoName)
    if (demo === undefined) {
      await writeFile(place, await addDemo(tx, { program_id, now }))
      return 'made'
    }
    const owner = { program_id, merchant_id: demo.merchant_id }
    const kept = await readSandboxEnv(place.file)
    if (kept?.NUQTA_PRIVATE_KEY !== undefined) {
      const [known] = await tx.run(findPrivateKeys([hashSecret(kept.NUQTA_PRIVATE_KEY)]))
      if (known !== undefined || place.database_is_ours) {
        await writeFile(place, { public_key: kept.NUQTA_PUBLIC_KEY, private_key: kept.NUQTA_PRIVATE_KEY })
        return known === undefined ? 'stale' : 'kept'
      }
    }
    if (place.database_is_ours) {
      await writeFile(place, await replaceKeys(tx, owner, { environment: 'sandbox', now }))
      return 'replaced'
    }
    const key = await tx.one(findMerchantWithKeys(program_id, demo.merchant_id))
    await writeFile(place, { public_key: key?.public_key ?? '' })
    return 'elsewhere'
  })
}

async function addDemo(tx: Transaction, fresh: { readonly program_id: number; readonly now: Date }): Promise<KeyPair> {
  const demo = { name: demoName, environment: 'sandbox', verified: true, published: true } as const
  const [merchant] = await addMerchants(tx, { ...fresh, ...demo })
  if (merchant === undefined) throw new Error('the demo merchant has not been made')
  return merchant
}

/** Before the commit: keys that nobody could read again must not become valid. */
function writeFile(
  place: SandboxPlace,
  { public_key, private_key }: Pick<KeyPair, 'public_key'> & Partial<KeyPair>,
): Promise<void> {
  return writeSandboxEnv(place.file, {
    NUQTA_BASE_URL: place.base_url,
    NUQTA_PUBLIC_KEY: public_key,
    ...(private_key === undefined ? {} : { NUQTA_PRIVATE_KEY: private_key }),
    ...(place.ca === undefined ? {} : { NUQTA_CA: place.ca }),
  })
}
