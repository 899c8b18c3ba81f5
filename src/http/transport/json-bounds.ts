/** How deep the JSON of a body may be nested, below the object that it is, and how many values it may hold. */
export const max_json_depth = 64
export const max_json_values = 20_000

export type JsonBound = 'max_depth' | 'max_values'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/**
 * Says which bound a body breaks, before anything is built of it: one pass over its bytes, which allocates nothing. Whether
 * they are JSON is for the parser to say. Lists and objects are values too, and so are the members of both.
 */
export function brokenBound(bytes: Uint8Array): JsonBound | undefined {
  let depth = 0
  let values = 1
  let empty = false // nothing has followed the bracket that was opened last
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = endOfString(bytes, at)
        empty = false
        break
      case comma:
        values += 1
        if (values > max_json_values) return 'max_values'
        empty = false
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > max_json_depth + 1) return 'max_depth'
        values += 1
        empty = true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        if (empty) values -= 1
        empty = false
        break
      case 0x20: // the four that JSON takes for white space
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

/** The place of the quote that ends the string which begins at `start`; where there is none, the end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
