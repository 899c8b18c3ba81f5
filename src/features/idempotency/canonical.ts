import { createHash } from 'node:crypto'

/** Text is hashed in chunks of this size: hashing each piece alone would be slow. */
const chunk_chars = 16_384

/**
 * Hashes JSON so that equal values have equal hashes: members sorted by name, no spaces. The whole text is never in
 * memory. The bounds of a request body bound the recursion.
 */
export function hashJson(value: unknown): Buffer {
  const hash = createHash('sha256')
  let text = ''
  writeCanonical(value, (piece) => {
    text += piece
    if (text.length < chunk_chars) return
    hash.update(text)
    text = ''
  })
  return hash.update(text).digest()
}

/** Gives the canonical text of parsed JSON to `write`, piece by piece. */
export function writeCanonical(value: unknown, write: (piece: string) => void): void {
  if (Array.isArray(value)) {
    write('[')
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) write(',')
      writeCanonical(value[index], write)
    }
    write(']')
  } else if (typeof value === 'object' && value !== null) {
    write('{')
    let begun = false
    for (const name of Object.keys(value).sort()) {
      write(begun ? ',' : '')
      begun = true
      write(JSON.stringify(name))
      write(':')
      writeCanonical(Reflect.get(value, name), write)
    }
    write('}')
  } else write(JSON.stringify(value) ?? '')
}
