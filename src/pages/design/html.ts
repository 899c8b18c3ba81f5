/** HTML in which everything that is put in is escaped, unless it is HTML itself. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in an element. */
export type Part = string | number | Html | null | readonly Part[]

/** A template: values are escaped; null is nothing; lists are joined. Attributes must stand in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + render(parts[index] ?? null)).join(''))
}

/** Attributes with a space before each: null, undefined and false leave one out, true gives its name alone. */
export function attributes(values: Readonly<Record<string, string | number | boolean | null | undefined>>): Html {
  const given = Object.entries(values).map(([name, value]) => {
    if (value === null || value === undefined || value === false) return ''
    return value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`
  })
  return new Html(given.join(''))
}

function render(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return escapeText(String(part))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
