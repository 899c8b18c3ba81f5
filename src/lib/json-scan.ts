/**
 * Reads JSON as bytes: to bound a body before it is parsed, and to find what a signature covers exactly as it was sent.
 */

/** How deep the JSON of a body may be nested below the object that it is, and how many values it may hold. */
export const max_json_depth = 64
export const max_json_values = 20_000

export type JsonBound = 'max_depth' | 'max_values'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Gives the bound that a body breaks, or undefined. One pass over the bytes, without an allocation; the bytes need not
 * be valid JSON. Lists and objects count as values, and so do their members.
 */
export function brokenBound(bytes: Uint8Array): JsonBound | undefined {
  let depth = 0
  let values = 1
  let empty = false // nothing has followed the last opening bracket yet
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = skipString(bytes, at) - 1
        empty = false
        break
      case comma:
        values += 1
        if (values > max_json_values) return 'max_values'
        empty = false
        break
      case bracketOpen:
      case braceOpen:
        depth += 1
        if (depth > max_json_depth + 1) return 'max_depth'
        values += 1
        empty = true
        break
      case bracketClose:
      case braceClose:
        depth -= 1
        if (empty) values -= 1
        empty = false
        break
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        break
      default:
        empty = false
    }
  }
  return values > max_json_values ? 'max_values' : undefined
}

/**
 * Takes the bytes of valid JSON. Gives the values of the top-level members called `names` as they were sent, without
 * the white space around them. The last of several members with one name counts, as in JSON.parse.
 */
export function findMembers<Name extends string>(bytes: Uint8Array, names: readonly Name[]): Map<Name, Uint8Array> {
  const found = new Map<Name, Uint8Array>()
  let at = skipBlanks(bytes, startsWithMark(bytes) ? 3 : 0)
  if (bytes[at] !== braceOpen) return found
  at = skipBlanks(bytes, at + 1)
  while (bytes[at] === quote) {
    const keyEnd = skipString(bytes, at)
    const key = textOf(bytes.subarray(at, keyEnd))
    const from = skipBlanks(bytes, skipBlanks(bytes, keyEnd) + 1)
    const to = skipValue(bytes, from)
    const name = names.find((one) => one === key)
    if (name !== undefined) found.set(name, bytes.subarray(from, to))
    at = skipBlanks(bytes, to)
    if (bytes[at] === comma) at = skipBlanks(bytes, at + 1)
  }
  return found
}

/** The text of a JSON string; of any other value its JSON. */
export function textOf(json: Uint8Array): string {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')
  return text.startsWith('"') ? String(JSON.parse(text)) : text
}

/** A byte order mark. */
function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (isBlank(bytes[at])) at += 1
  return at
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The index behind the string that begins at `from`; beyond the end when the string has none. */
function skipString(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at + 1
}

/** The index behind the value that begins at `from`. */
function skipValue(bytes: Uint8Array, from: number): number {
  let depth = 0
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === quote) at = skipString(bytes, at)
    else if (byte === braceOpen || byte === bracketOpen) {
      depth += 1
      at += 1
    } else if (byte === braceClose || byte === bracketClose) {
      if (depth === 0) return at // it closes the object around the value
      depth -= 1
      at += 1
    } else if (depth === 0 && (byte === comma || isBlank(byte))) return at
    else at += 1
    if (depth === 0 && (byte === quote || byte === braceClose || byte === bracketClose)) return at
  }
  return at
}
