const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What a terminal obeys instead of showing it: control characters, line separators, and marks that reorder a line. */
const commands = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Writes text as one line that a terminal only shows: a line break becomes `\n`, an escape character `\u001b`. */
export function visibleLine(text: string): string {
  return text.replace(commands, escapeUnit)
}

/** Writes an object as one line of JSON that a terminal only shows. `JSON.stringify` escapes no more than U+001F. */
export function visibleJson(object: object): string {
  return visibleLine(JSON.stringify(object))
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeUnit(unit: string): string {
  return short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Writes text as HTML, also in the value of an attribute. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Quotes a value for sh, and for Node's `.env` parser if it has no single quote. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+,=-]+$/.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}
