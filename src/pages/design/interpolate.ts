import type { Locale, LocalText } from '../../domain/locale.ts'
import type { Plurals } from '../texts/catalogue.ts'
import { plurals, wholeNumber } from './format.ts'
import { type Html, html, type Part } from './html.ts'

/** A `{name}` with the punctuation around it. They stay together: browsers would break the line beside an amount. */
const slot = /(\(?)\{(\w+)\}([).,:!?،؛؟]*)/

/** A text in the reader's language with its `{names}` replaced by `parts`. Throws when a part is missing. */
export function interpolate(text: LocalText, locale: Locale, parts: Readonly<Record<string, Part>> = {}): Html {
  // Pieces repeat in fours: text, opening punctuation, name, closing punctuation.
  const pieces = text[locale].split(slot)
  const rendered = pieces.map((piece, index) => {
    if (index % 4 === 0) return piece
    return index % 4 === 2
      ? withPunctuation(pieces[index - 1] ?? '', partOf(parts, piece), pieces[index + 1] ?? '')
      : null
  })
  return html`${rendered}`
}

function withPunctuation(opening: string, part: Part, closing: string): Part {
  const isText = typeof part === 'string'
  return opening + closing === '' || isText
    ? [opening, part, closing]
    : html`<span class="held">${opening}${part}${closing}</span>`
}

/** In brackets, which stay on the line of what they hold. */
export function inBrackets(part: Part): Html {
  return html`<span class="brackets">(${part})</span>`
}

function partOf(parts: Readonly<Record<string, Part>>, name: string): Part {
  const part = parts[name]
  if (part === undefined) throw new Error(`a text needs the part {${name}}`)
  return part
}

/** The text in the plural form of `count`, with `{count}` replaced. */
export function interpolateCount(texts: Plurals, count: number, locale: Locale): string {
  const forms = texts[locale]
  const text = forms[plurals[locale].select(count)] ?? forms.other
  return text.replace('{count}', wholeNumber(count))
}
