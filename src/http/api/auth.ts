import type { Merchant } from '../../domain/merchant.ts'

/** Which of a merchant's two keys an endpoint asks for; `none` asks for nothing. */
export type KeyKind = 'private' | 'public' | 'none'

/**
 * Takes the kind of key an endpoint asks for and the key as presented; gives its merchant, or null when the key is
 * unknown, revoked, switched off, of the other kind or of the other environment. Decisions §4.
 */
export type Authenticate = (kind: 'private' | 'public', presentedKey: string) => Promise<Merchant | null>

/** Ours are 34 characters; a header that is far longer is no key, and is not worth hashing. */
const max_key_length = 200

/** Whether a presented value can be a key at all. */
export function isPresentable(key: unknown): key is string {
  return typeof key === 'string' && key.length > 0 && key.length <= max_key_length
}
