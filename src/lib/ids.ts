import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type ReferenceNumber, referenceNumber, type Uuid, uuidV7 } from '../domain/ids.ts'

/** Random bytes and fresh identifiers: the domain shapes them, this is where they come from. */

const pool_bytes = 8192
let pool = randomBytes(pool_bytes)
let used = 0

/** `count` fresh random bytes, drawn from a pool so that one system call serves many identifiers. */
function bytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    pool = randomBytes(pool_bytes)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

let lastTime_ms = 0
let sequence = 0

/**
 * A new UUIDv7 of the machine's clock (never the sandbox's), greater than every earlier one of this process: those of
 * one millisecond count on in the twelve bits after the time.
 */
export function newUuid(): Uuid {
  const now_ms = Date.now()
  if (now_ms > lastTime_ms) {
    lastTime_ms = now_ms
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastTime_ms += 1
    sequence = 0
  }
  const random = bytes(16)
  random[6] = sequence >> 8
  random[7] = sequence & 0xff
  return uuidV7(lastTime_ms, random)
}

/** A new reference number (decisions §2). Two may be alike: the unique constraint decides, and the writer draws again. */
export function newReferenceNumber(): ReferenceNumber {
  return referenceNumber(bytes(9))
}

/** Crockford's alphabet in lower case: nothing in a key can be misread. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 26 random symbols: 130 bits (decisions §4, "Keys"). */
export function newSecretText(): string {
  return Array.from(randomBytes(26), (byte) => alphabet[byte & 31]).join('')
}

/** Six random digits, each code as likely as any other. */
export function newOneTimeCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** SHA-256 of a secret of at least 128 random bits: what is stored in its place. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
