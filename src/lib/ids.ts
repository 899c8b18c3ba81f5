import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type ReferenceNumber, referenceNumber, type Uuid, uuidV7, uuidV7Time } from '../domain/ids.ts'

/** Random bytes and new identifiers. The domain defines their form. */

const pool_bytes = 8192
let pool = randomBytes(pool_bytes)
let used = 0

/** `count` new random bytes, drawn from a pool so that one system call serves many identifiers. */
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
 * A new UUIDv7 of the machine's clock (never the sandbox's), greater than every earlier one of this process. Within one
 * millisecond the twelve bits after the time count up (docs/spec/api.md#ids).
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

/**
 * Makes new UUIDv7s, each greater than the one before, and the first greater than `last`. Another process may have made
 * `last` by a clock that is ahead. Then these ids follow its time; other ids of this process do not.
 */
export function uuidsAfter(last: Uuid | null): () => Uuid {
  let before = last
  return () => {
    const uuid = newUuid()
    before = before === null || uuid > before ? uuid : uuidV7(uuidV7Time(before) + 1, bytes(16))
    return before
  }
}

/**
 * A new reference number (docs/spec/orders.md#reference-number). It may be taken already: then the unique constraint
 * fails, and the writer tries another.
 */
export function newReferenceNumber(): ReferenceNumber {
  return referenceNumber(bytes(9))
}

/** Crockford's alphabet in lower case, without letters that look alike. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 26 random symbols: 130 bits (docs/spec/api.md#keys). */
export function newSecretText(): string {
  return Array.from(randomBytes(26), (byte) => alphabet[byte & 31]).join('')
}

/** The pattern of `newSecretText`. */
export const secret_pattern = '[0-9a-hjkmnp-tv-z]{26}'
const secretText = new RegExp(`^${secret_pattern}$`)

/** Whether a text has the form of `newSecretText`, before anything is looked up by it. */
export function isSecretText(text: string): boolean {
  return secretText.test(text)
}

/** Writes `7-<secret>`: a token begins with its program, like every key of the database. */
export function programToken(program_id: number, secret = newSecretText()): string {
  return `${program_id}-${secret}`
}

const tokenShape = new RegExp(`^([1-9][0-9]{0,14})-(${secret_pattern})$`)

/** Reads a token of `programToken`; null for another text. */
export function readProgramToken(token: string): { readonly program_id: number; readonly secret: string } | null {
  const [, program_id, secret] = tokenShape.exec(token) ?? []
  return program_id === undefined || secret === undefined ? null : { program_id: Number(program_id), secret }
}

/** Six random digits; every code is equally likely. */
export function newOneTimeCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** SHA-256 of a secret of at least 128 random bits. The hash is stored instead of the secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
