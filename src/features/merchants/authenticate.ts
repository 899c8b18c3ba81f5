import { timingSafeEqual } from 'node:crypto'
import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { KeyKind, Merchant } from '../../domain/merchant.ts'
import type { Authenticate } from '../../http/api/auth.ts'
import { hashSecret } from '../../lib/ids.ts'
import { findPrivateKeys, findPublicKeys, type KeyRow } from './key-queries.ts'
import { merchantOf } from './merchant.ts'

/** The form of both kinds of key. Anything else is refused without a query. */
const shapes: Readonly<Record<KeyKind, RegExp>> = {
  private: /^sk_(?:test|live)_[0-9a-z]{26}$/,
  public: /^pk_(?:test|live)_[0-9a-z]{26}$/,
}

/**
 * Looks keys up in the database at every request, many requests to a statement, so that a key revoked in one process is
 * refused by all at once.
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
    if (typeof key !== 'string' || !shapes[kind].test(key)) return null
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
