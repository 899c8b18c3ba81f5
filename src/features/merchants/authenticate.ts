import { timingSafeEqual } from 'node:crypto'
import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { hashSecret } from '../../lib/ids.ts'
import { findPrivateKeys, findPublicKeys, type KeyRow } from './key-queries.ts'
import { merchantOf } from './merchant.ts'

/** The form of both kinds of key. Anything else is refused without a query. */
const shapes = {
  private: /^sk_(?:test|live)_[0-9a-z]{26}$/,
  public: /^pk_(?:test|live)_[0-9a-z]{26}$/,
}

export type KeyKind = keyof typeof shapes

/**
 * Gives the merchant of a valid key. Null if it is missing, unknown, revoked, switched off or of the other kind.
 * docs/spec/api.md#authentication
 */
export type Authenticate = (kind: KeyKind, key: string | undefined) => Promise<Merchant | null>

/**
 * Looks keys up in the database at every request, so that every process refuses a revoked key at once. One statement
 * serves many requests.
 */
export function createAuthenticate(db: Database, observe?: (size: number) => void): Authenticate {
  const options = {
    max_batch: 500,
    concurrency: 2,
    hopeless: isDatabaseUnavailable,
    ...(observe === undefined ? {} : { observe }),
  }
  const byHash = coalesce(async (hashes: readonly Buffer[]) => {
    const rows = await db.run(findPrivateKeys(hashes))
    const found = new Map(rows.map((row) => [hex(row.private_key_hash), row]))
    return hashes.map((hash) => found.get(hex(hash)) ?? null)
  }, options)
  const byPublicKey = coalesce(async (keys: readonly string[]) => {
    const rows = await db.run(findPublicKeys(keys))
    const found = new Map(rows.map((row) => [row.public_key, row]))
    return keys.map((key) => found.get(key) ?? null)
  }, options)

  return async (kind, key) => {
    if (key === undefined || !shapes[kind].test(key)) return null
    if (kind === 'public') return toMerchant(await byPublicKey(key))
    const hash = hashSecret(key)
    const row = await byHash(hash)
    return row !== null && timingSafeEqual(row.private_key_hash, hash) ? toMerchant(row) : null
  }
}

function hex(hash: Buffer): string {
  return hash.toString('hex')
}

function toMerchant(row: KeyRow | null): Merchant | null {
  return row === null || !row.status ? null : merchantOf(row)
}
