/**
 * Finds members of a JSON object in its bytes, for signatures over the bytes sent: parsing loses blanks, escapes and the way
 * numbers were written.
 */

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Takes the bytes of valid JSON; gives the values of top-level members called `names`, as they were sent, without the blanks
 * around them. Of members with one name the last counts, as in JSON.parse.
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

/** The text of a JSON string; of anything else its JSON. */
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

/** Where a string ends that begins at `from`. */
function skipString(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at + 1
}

/** Where a value ends that begins at `from`. */
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
      // The object that this is a member of.
      if (depth === 0) return at
      depth -= 1
      at += 1
    } else if (depth === 0 && (byte === comma || isBlank(byte))) return at
    else at += 1
    if (depth === 0 && (byte === quote || byte === braceClose || byte === bracketClose)) return at
  }
  return at
}
