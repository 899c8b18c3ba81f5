/** Identifiers made by the application. docs/spec/api.md#ids, docs/spec/orders.md#reference-number */

/** A UUID as canonical text: lower case, with hyphens. */
export type Uuid = string & { readonly __unit: 'uuid' }

/** Ten Crockford base32 symbols; the last one is a check symbol. */
export type ReferenceNumber = string & { readonly __unit: 'reference number' }

/** The ends of a range of ids: no id is before the first or after the last. */
export const first_uuid = '00000000-0000-0000-0000-000000000000' as Uuid
export const last_uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid

/** Takes any id but the first; gives the one before it, as a bound that includes it. */
export function uuidBefore(uuid: Uuid): Uuid {
  const digits = (BigInt(`0x${uuid.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return hyphenated(digits)
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for canonical text only. Use `parseUuid` for text from outside. */
export function isUuid(text: string): text is Uuid {
  return uuidPattern.test(text)
}

/** Takes a UUID in either case; gives its canonical text, or null if malformed. docs/spec/api.md#foreign-ids */
export function parseUuid(text: string): Uuid | null {
  const canonical = text.toLowerCase()
  return isUuid(canonical) ? canonical : null
}

/** Takes the id of a program or a merchant as text; gives it, or null if malformed. */
export function parseId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** Makes a UUIDv7 (RFC 9562) from a time in milliseconds and 16 random bytes; the last ten are used. */
export function uuidV7(now_ms: number, random: Uint8Array): Uuid {
  if (random.length !== 16) throw new RangeError(`a uuid takes 16 random bytes, not ${random.length}`)
  let tail = ''
  for (let i = 6; i < 16; i++) tail += byteHex(versioned(i, random[i] ?? 0))
  return assemble(now_ms, tail)
}

/** The lowest UUIDv7 of a time in milliseconds, or of 1970 for any earlier one: a bound for a range of time. */
export function uuidV7Floor(at_ms: number): Uuid {
  return assemble(Math.max(0, at_ms), '70008000000000000000')
}

/** The time in milliseconds that a UUIDv7 carries. */
export function uuidV7Time(uuid: Uuid): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

function assemble(now_ms: number, tail: string): Uuid {
  if (!Number.isInteger(now_ms) || now_ms < 0 || now_ms >= 2 ** 48) throw new RangeError(`not an instant: ${now_ms}`)
  return hyphenated(now_ms.toString(16).padStart(12, '0') + tail)
}

function hyphenated(digits: string): Uuid {
  const [a, b, c, d] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20)]
  return `${a}-${b}-${c}-${d}-${digits.slice(20)}` as Uuid
}

/** Puts version 7 into byte 6 and the RFC variant into byte 8. */
function versioned(position: number, byte: number): number {
  if (position === 6) return (byte & 0x0f) | 0x70
  if (position === 8) return (byte & 0x3f) | 0x80
  return byte
}

/** Hexadecimal digits of each byte, precomputed: every request makes several ids. */
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function byteHex(byte: number): string {
  return hexDigits[byte] ?? ''
}

/** Crockford base32: no I, L, O or U. */
const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Random symbols of a reference number: 45 bits. Collisions happen, so the writer retries with new bytes. */
const PAYLOAD_LENGTH = 9

/**
 * Takes at least nine random bytes; gives a reference number of nine random symbols and a check symbol. The check is a
 * weighted sum over GF(32): it detects every wrong symbol and every swap of two. docs/spec/orders.md#reference-number
 */
export function referenceNumber(random: Uint8Array): ReferenceNumber {
  if (random.length < PAYLOAD_LENGTH) throw new RangeError(`a reference number takes ${PAYLOAD_LENGTH} random bytes`)
  const payload = Array.from(random.subarray(0, PAYLOAD_LENGTH), (byte) => byte & 31)
  return [...payload, timesTwo(checksum(payload))].map((value) => symbols[value]).join('') as ReferenceNumber
}

/**
 * Takes a reference number as people type it (lower case, O for 0, I or L for 1, spaces and dashes anywhere); gives its
 * canonical text, or null if it is malformed or its check symbol is wrong. docs/spec/orders.md#reference-number
 */
export function parseReferenceNumber(text: string): ReferenceNumber | null {
  const canonical = text
    .replace(/[\s\-\u2010-\u2015\u2212]/g, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const values = Array.from(canonical, (symbol) => symbols.indexOf(symbol))
  if (values.length !== PAYLOAD_LENGTH + 1 || values.includes(-1) || checksum(values) !== 0) return null
  return canonical as ReferenceNumber
}

/** Evaluates the polynomial with these coefficients at 2, a generator of GF(32): each position has its own weight. */
function checksum(values: readonly number[]): number {
  return values.reduce((sum, value) => timesTwo(sum) ^ value, 0)
}

/** Multiplies by 2 in GF(32), modulo x^5 + x^2 + 1. */
function timesTwo(value: number): number {
  return value < 16 ? value << 1 : (value << 1) ^ 0b100101
}
