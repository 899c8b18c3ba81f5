import { createHash } from 'node:crypto'

/** How much text is gathered before it is hashed: a piece at a time would cost more calls than characters. */
const portion_chars = 16_384

/**
 * Hashes JSON so that all that means the same has one hash: members sorted by name, no spaces. The text is never whole in
 * memory. The bounds of a body bound the recursion.
 */
export function hashJson(value: unknown): Buffer {
  const hash = createHash('sha256')
  let text = ''
  writeCanonical(value, (piece) => {
    text += piece
    if (text.length < portion_chars) return
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
