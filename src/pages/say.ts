import type { Bilingual, Locale } from '../http/locale.ts'
import { type Html, html, type Part } from './html.ts'

/** Marks beside a part: an amount is a box to browsers, which would leave them on another line. */
const beside = /(?<=\{\w+\})(?=[).,:!?،؛؟])|(?<=\()(?=\{)/g
const joined = '\u2060'

/** A text in the reader's language, with `parts` put in for its `{names}`. Throws for a name that is not given. */
export function say(text: Bilingual, locale: Locale, parts: Readonly<Record<string, Part>> = {}): Html {
  const pieces = text[locale].replace(beside, joined).split(/\{(\w+)\}/)
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : partOf(parts, piece)))}`
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
