import type { Locale } from '../../domain/locale.ts'

/**
 * The query's `lang` wins over `Accept-Language`. English, when neither names a language of ours.
 * docs/spec/api.md#locale
 */

export const defaultLocale: Locale = 'en'

function asLocale(value: unknown): Locale | undefined {
  return value === 'ar' || value === 'en' ? value : undefined
}

/**
 * Takes the `lang` of a query (a list when it was repeated) and the Accept-Language header. Ignores an unknown `lang`.
 */
export function negotiateLocale(lang: unknown, acceptLanguage: string | undefined): Locale {
  return statedLocale(lang, acceptLanguage) ?? defaultLocale
}

/** The same, but undefined when neither names a language of ours. `*` and `fr` name none. */
export function statedLocale(lang: unknown, acceptLanguage: string | undefined): Locale | undefined {
  const asked = lang === undefined ? undefined : askedLocale(lang)
  if (asked !== undefined) return asked
  return acceptLanguage === undefined ? undefined : preferredLocale(acceptLanguage)
}

/** The first language of ours in `lang`. */
export function askedLocale(lang: unknown): Locale | undefined {
  const candidates: readonly unknown[] = Array.isArray(lang) ? lang : [lang]
  for (const candidate of candidates) {
    const locale = asLocale(typeof candidate === 'string' ? candidate.trim().toLowerCase() : candidate)
    if (locale !== undefined) return locale
  }
  return undefined
}

/** Clients send few different headers: each is read once. The bound keeps a stranger from filling the memory. */
const known = new Map<string, Locale | undefined>()
const max_known = 256

function preferredLocale(header: string): Locale | undefined {
  if (known.has(header)) return known.get(header)
  const locale = readAcceptLanguage(header)
  if (known.size >= max_known) known.clear()
  known.set(header, locale)
  return locale
}

const range = /^\s*(\*|[a-z]{1,8})(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** RFC 9110 12.5.4: the highest quality wins, then the first in the list. q=0 excludes a language. */
function readAcceptLanguage(header: string): Locale | undefined {
  const quality = new Map<string, number>()
  for (const part of header.slice(0, 1000).split(',')) {
    const match = range.exec(part)
    if (match === null) continue
    const language = (match[1] ?? '').toLowerCase()
    const q = match[2] === undefined ? 1 : Number(match[2])
    const before = quality.get(language)
    if (before === undefined || q > before) quality.set(language, q)
  }
  const rest = quality.get('*') ?? 0
  const of = { ar: quality.get('ar') ?? rest, en: quality.get('en') ?? rest }
  if (of.ar !== of.en) return of.ar > of.en ? 'ar' : 'en'
  if (of.ar === 0) return undefined
  for (const language of quality.keys()) {
    const locale = asLocale(language)
    if (locale !== undefined) return locale
  }
  return undefined
}
