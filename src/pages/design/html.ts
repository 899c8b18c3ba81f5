import { escapeText } from '../../lib/escape.ts'

/** Safe HTML. Make it with the template `html`, which escapes; the constructor does not. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What `html` accepts as a value. */
export type Part = string | number | Html | null | readonly Part[]

/** A template: escapes values, skips null, joins lists. Attributes must be in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + render(parts[index] ?? null)).join(''))
}

/** Attributes, each with a leading space. Null, undefined and false omit one; true gives its name only. */
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
