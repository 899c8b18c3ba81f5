/** Identifiers made by the application: UUIDv7 and reference numbers. Decisions §2, "Ids" and "reference_number". */

/** A UUID in its canonical text: lower case, with hyphens. */
export type Uuid = string & { readonly __unit: 'uuid' }

/** Ten Crockford base32 symbols, the last of which checks the others. */
export type ReferenceNumber = string & { readonly __unit: 'reference number' }

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for a UUID in canonical text only; text from outside goes through `parseUuid`. */
export function isUuid(text: string): text is Uuid {
  return uuidPattern.test(text)
}

/** Takes a UUID in either case and gives its canonical text; null when malformed (a 404, decisions §4). */
export function parseUuid(text: string): Uuid | null {
  const canonical = text.toLowerCase()
  return isUuid(canonical) ? canonical : null
}

/** Makes a UUIDv7 (RFC 9562) of an instant in milliseconds and 16 random bytes, of which the last ten are used. */
export function uuidV7(now_ms: number, random: Uint8Array): Uuid {
  if (random.length !== 16) throw new RangeError(`a uuid takes 16 random bytes, not ${random.length}`)
  let tail = ''
  for (let i = 6; i < 16; i++) tail += byteHex(versioned(i, random[i] ?? 0))
  return assemble(now_ms, tail)
}

/** The lowest UUIDv7 of an instant in milliseconds: bounds for ranges of time. */
export function uuidV7Floor(now_ms: number): Uuid {
  return assemble(now_ms, '70008000000000000000')
}

/** The instant, in milliseconds, that a UUIDv7 carries. */
export function uuidV7Time(uuid: Uuid): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

function assemble(now_ms: number, tail: string): Uuid {
  if (!Number.isInteger(now_ms) || now_ms < 0 || now_ms >= 2 ** 48) throw new RangeError(`not an instant: ${now_ms}`)
  const time = now_ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}` as Uuid
}

/** Puts version 7 into byte 6 and the RFC variant into byte 8. */
function versioned(position: number, byte: number): number {
  if (position === 6) return (byte & 0x0f) | 0x70
  if (position === 8) return (byte & 0x3f) | 0x80
  return byte
}

/** Two digits for each byte, made once: identifiers are made several to a request. */
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function byteHex(byte: number): string {
  return hexDigits[byte] ?? ''
}

/** Crockford base32: no I, L, O or U. */
const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Random symbols of a reference number: 45 bits. Repeats are possible, so the writer draws again on a conflict. */
const PAYLOAD_LENGTH = 9

/**
 * Makes a reference number of at least nine random bytes: nine random symbols and one that checks them. The check is a
 * weighted sum over the field of 32 elements, so it is one of the same 32 symbols and catches every single wrong symbol
 * and every exchange of two. Decisions §2, "reference_number".
 */
export function referenceNumber(random: Uint8Array): ReferenceNumber {
  if (random.length < PAYLOAD_LENGTH) throw new RangeError(`a reference number takes ${PAYLOAD_LENGTH} random bytes`)
  const payload = Array.from(random.subarray(0, PAYLOAD_LENGTH), (byte) => byte & 31)
  return [...payload, timesTwo(checksum(payload))].map((value) => symbols[value]).join('') as ReferenceNumber
}

/**
 * Takes a reference number as people type it (lower case, O for 0, I or L for 1, spaces and dashes anywhere) and gives
 * its canonical text; null when it is not one or its check symbol is wrong. Decisions §2, "reference_number".
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

/** The polynomial with these coefficients at 2, which generates the field: every position weighs differently. */
function checksum(values: readonly number[]): number {
  return values.reduce((sum, value) => timesTwo(sum) ^ value, 0)
}

/** Times 2 in the field of 32 elements, modulo x^5 + x^2 + 1. */
function timesTwo(value: number): number {
  return value < 16 ? value << 1 : (value << 1) ^ 0b100101
}
