import { LRUCache } from 'lru-cache'
import { isLocale, type Locale } from '../../domain/locale.ts'

// docs/spec/api.md#locale: the query `lang` wins over `Accept-Language`; `ar` or `en`, English when neither says.

export const defaultLocale: Locale = 'en'

/** Takes the `lang` of a query (a list when it was repeated) and the Accept-Language header. An unknown `lang` is passed over. */
export function negotiateLocale(lang: unknown, acceptLanguage: string | undefined): Locale {
  return statedLocale(lang, acceptLanguage) ?? defaultLocale
}

/** The same, undefined when neither names a language of ours: `*` and `fr` name none. */
export function statedLocale(lang: unknown, acceptLanguage: string | undefined): Locale | undefined {
  const asked = lang === undefined ? undefined : langLocale(lang)
  if (asked !== undefined) return asked
  return acceptLanguage === undefined ? undefined : preferredLocale(acceptLanguage)
}

/** The values of `lang` in a URL whose query nobody has parsed. */
export function langIn(url: string): readonly string[] {
  const query = /\?(.*)/s.exec(url)?.[1] ?? ''
  return new URLSearchParams(query).getAll('lang')
}

/** The first language of ours that a `lang` names. */
export function langLocale(lang: unknown): Locale | undefined {
  const candidates: readonly unknown[] = Array.isArray(lang) ? lang : [lang]
  for (const candidate of candidates) {
    const locale = typeof candidate === 'string' ? candidate.trim().toLowerCase() : candidate
    if (isLocale(locale)) return locale
  }
  return undefined
}

/** Clients send few different headers, so each is parsed once. The bound keeps a stranger from filling the memory. */
const parsed = new LRUCache<string, { readonly locale: Locale | undefined }>({
  max: 256,
  memoMethod: (header) => ({ locale: readAcceptLanguage(header) }),
})

function preferredLocale(header: string): Locale | undefined {
  return parsed.memo(header).locale
}

const range = /^\s*(\*|[a-z]{1,8})(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** RFC 9110 12.5.4: the highest quality wins, the first of equals; a language named with q=0 is not acceptable. */
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
  return [...quality.keys()].find(isLocale)
}
