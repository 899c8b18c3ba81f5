import type { Environment } from '../../config/config.ts'
import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { hashSecret, newSecretText } from '../../lib/ids.ts'
import { deleteKey, insertKeys, type MerchantRow } from './queries.ts'

/** Shown once; afterwards only the hash of the private one is known (decisions §4). */
export interface KeyPair {
  readonly public_key: string
  readonly private_key: string
}

/** A fresh pair: `pk_test_…` and `sk_test_…` in a sandbox, `pk_live_…` and `sk_live_…` in production. */
export function newKeyPair(environment: Environment): KeyPair {
  const kind = environment === 'sandbox' ? 'test' : 'live'
  return { public_key: `pk_${kind}_${newSecretText()}`, private_key: `sk_${kind}_${newSecretText()}` }
}

type Owner = Pick<MerchantRow, 'program_id' | 'merchant_id'>
type Place = { readonly environment: Environment; readonly now: Date }

/** Gives a merchant a new pair; the old one is refused from the commit on. A pair that was switched off stays off. */
export async function replaceKeys(tx: Transaction, owner: Owner, { environment, now }: Place): Promise<KeyPair> {
  const { program_id, merchant_id } = owner
  const switches = await tx.one(deleteKey(program_id, merchant_id))
  const pair = newKeyPair(environment)
  const { status, integration_active } = switches ?? { status: true, integration_active: true }
  const key = { merchant_id, status, integration_active, public_key: pair.public_key }
  await tx.run(insertKeys({ program_id, now }, [{ ...key, private_key_hash: hashSecret(pair.private_key) }]))
  return pair
}

/** Replaces the keys of a merchant. Two at once follow each other: the pair of the second is the one that stays. */
export function regenerateKeys(db: Database, owner: Owner, place: Place): Promise<KeyPair> {
  return db.transaction((tx) => replaceKeys(tx, owner, place), {
    retryOn: (error) => isUniqueViolation(error, 'api_key'),
  })
}
