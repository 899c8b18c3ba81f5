import type { Locale, LocalText } from '../../domain/locale.ts'
import { type Html, html, type Part } from './html.ts'

/** A part with the marks beside it: an amount is a box to browsers, which would leave them on another line. */
const slot = /(\(?)\{(\w+)\}([).,:!?،؛؟]*)/

/** A text in the reader's language, with `parts` put in for its `{names}`. Throws for a name that is not given. */
export function interpolate(text: LocalText, locale: Locale, parts: Readonly<Record<string, Part>> = {}): Html {
  // Texts at 0, 4, …; after each an opening mark, the name of a part, and closing marks.
  const pieces = text[locale].split(slot)
  const said = pieces.map((piece, index) => {
    if (index % 4 === 0) return piece
    return index % 4 === 2 ? held(pieces[index - 1] ?? '', partOf(parts, piece), pieces[index + 1] ?? '') : null
  })
  return html`${said}`
}

function held(opening: string, part: Part, closing: string): Part {
  const isText = typeof part === 'string'
  return opening + closing === '' || isText
    ? [opening, part, closing]
    : html`<span class="held">${opening}${part}${closing}</span>`
}

function partOf(parts: Readonly<Record<string, Part>>, name: string): Part {
  const part = parts[name]
  if (part === undefined) throw new Error(`a text needs {${name}}, which is not given`)
  return part
}

const plurals = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }

/** A text by the plural form of a number, in each language; `other` stands for the forms that are not given. */
export type Plurals = Readonly<
  Record<Locale, { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>>
>

/** The text for a number, with the number put in for `{count}`. */
export function sayCount(texts: Plurals, count: number, locale: Locale): string {
  const forms = texts[locale]
  const text = forms[plurals[locale].select(count)] ?? forms.other
  return text.replace('{count}', String(count))
}
