import type { Environment } from '../../config/config.ts'
import { audit } from '../../db/audit.ts'
import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { hashSecret, newSecretText } from '../../lib/ids.ts'
import { deleteKey, insertKeys, lockMerchant, updatePrivateKey } from './queries.ts'

/** A key pair, shown once. Only the hash of the private key is stored. docs/spec/api.md#keys */
export interface KeyPair {
  readonly public_key: string
  readonly private_key: string
}

/** A new pair: `pk_test_…` and `sk_test_…` in a sandbox, `pk_live_…` and `sk_live_…` in production. */
export function newKeyPair(environment: Environment): KeyPair {
  const kind = environment === 'sandbox' ? 'test' : 'live'
  return { public_key: `pk_${kind}_${newSecretText()}`, private_key: `sk_${kind}_${newSecretText()}` }
}

interface KeyPlace {
  readonly environment: Environment
  readonly now: Date
  readonly by?: Actor | undefined
}

/** Replaces both of a merchant's keys: the old pair ends with the commit. Keys that were switched off stay off. */
export async function replaceKeys(
  tx: Transaction,
  owner: MerchantKey,
  { environment, now, by }: KeyPlace,
): Promise<KeyPair> {
  const { program_id, merchant_id } = owner
  const switches = await tx.one(deleteKey(program_id, merchant_id))
  const pair = newKeyPair(environment)
  const { status, integration_active } = switches ?? { status: true, integration_active: true }
  const key = { merchant_id, status, integration_active, public_key: pair.public_key }
  await tx.run(insertKeys({ program_id, now }, [{ ...key, private_key_hash: hashSecret(pair.private_key) }]))
  const before = switches === undefined ? null : { public_key: switches.public_key }
  const after = { public_key: pair.public_key }
  audit(tx, by, [{ program_id, action: 'keys.regenerate', object: `merchant:${merchant_id}`, before, after }])
  return pair
}

/** Replaces a merchant's private key alone: shops and widgets that show the public one go on. */
async function replacePrivateKey(tx: Transaction, owner: MerchantKey, place: KeyPlace): Promise<KeyPair> {
  const { environment, now, by } = place
  const { private_key } = newKeyPair(environment)
  const kept = await tx.one(updatePrivateKey(owner, hashSecret(private_key), now))
  if (kept === undefined) return replaceKeys(tx, owner, place)
  const { program_id, merchant_id } = owner
  const object = `merchant:${merchant_id}` as const
  audit(tx, by, [{ program_id, action: 'keys.regenerate', object, before: null, after: null }])
  return { public_key: kept.public_key, private_key }
}

/** Which keys are replaced: the public one only together with the private one. */
export type WhichKeys = 'private' | 'both'

/**
 * Replaces a merchant's keys in a transaction of its own: the old ones are refused from the commit on. Concurrent calls
 * run one after the other; the last pair stays.
 */
export function regenerateKeys(
  db: Database,
  owner: MerchantKey,
  {
    which,
    keep,
    ...place
  }: KeyPlace & { readonly which: WhichKeys; readonly keep?: BeforeCommit<KeyPair> | undefined },
): Promise<KeyPair> {
  return db.transaction(
    async (tx) => {
      void tx.run(lockMerchant(owner))
      const pair = await (which === 'both' ? replaceKeys : replacePrivateKey)(tx, owner, place)
      await keep?.(tx, pair)
      return pair
    },
    { retryOn: (error) => isUniqueViolation(error, 'api_key') },
  )
}
