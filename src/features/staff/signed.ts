import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'

/**
 * Bytes that the service signs and recognises later: challenges for passkeys, and tickets between two factors. It stores nothing,
 * so that strangers who ask for them fill nothing.
 */

const nonce_bytes = 16
const time_bytes = 6
const mac_bytes = 16
const all_bytes = nonce_bytes + time_bytes + mac_bytes

/** Makes new bytes for a purpose, which expire. */
export function sign(secrets: SecretBox, purpose: Belonging, expires_at: Date): Buffer {
  const head = Buffer.alloc(nonce_bytes + time_bytes)
  randomBytes(nonce_bytes).copy(head)
  head.writeUIntBE(expires_at.getTime(), nonce_bytes, time_bytes)
  return Buffer.concat([head, secrets.derive(belongsTo(purpose, head)).subarray(0, mac_bytes)])
}

/** Gives when bytes made for a purpose expire; null for other bytes and after that. Takes those of a former key too. */
export function signedUntil(secrets: SecretBox, purpose: Belonging, bytes: Buffer, now: Date): Date | null {
  if (bytes.length !== all_bytes) return null
  const head = bytes.subarray(0, nonce_bytes + time_bytes)
  const mac = bytes.subarray(nonce_bytes + time_bytes)
  const isOurs = secrets
    .derivations(belongsTo(purpose, head))
    .some((derived) => timingSafeEqual(mac, derived.subarray(0, mac_bytes)))
  const expires_at = new Date(head.readUIntBE(nonce_bytes, time_bytes))
  return isOurs && expires_at > now ? expires_at : null
}

function belongsTo(purpose: Belonging, head: Buffer): Belonging {
  return ['dashboard', ...purpose, head.toString('hex')]
}
