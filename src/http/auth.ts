import type { Flow } from '../domain/failures.ts'

/** Which of a merchant's two keys an endpoint asks for; `none` asks for nothing. */
export type KeyKind = 'private' | 'public' | 'none'

/** What the frame knows of an authenticated merchant; the handler receives the object as `authenticate` gave it. */
export interface Merchant {
  readonly program_id: number
  readonly merchant_id: number
  readonly verified: boolean
  readonly published: boolean
  /** Whether each flow is switched on. */
  readonly flows: Readonly<Record<Flow, boolean>>
}

/**
 * Takes the kind of key an endpoint asks for and the key as presented; gives its merchant, or null when the key is
 * unknown, revoked, switched off, of the other kind or of the other environment. Decisions §4.
 */
export type Authenticate<M extends Merchant = Merchant> = (
  kind: 'private' | 'public',
  presentedKey: string,
) => Promise<M | null>

/** Ours are 34 characters; a header that is far longer is no key, and is not worth hashing. */
const max_key_length = 200

/** Whether a presented value can be a key at all. */
export function isPresentable(key: unknown): key is string {
  return typeof key === 'string' && key.length > 0 && key.length <= max_key_length
}
