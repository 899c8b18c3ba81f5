import { domainToUnicode } from 'node:url'
import type { Locale } from '../../domain/locale.ts'
import { type Halalas, toSar } from '../../domain/money.ts'
import type { Points } from '../../domain/points.ts'
import { minute_ms } from '../../domain/spans.ts'
import { catalogue } from '../texts/catalogue.ts'
import { type Html, html } from './html.ts'

/** Formats amounts, points, times and hosts. Digits are Western and tabular in both languages. */

const decimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A count with its thousands apart. */
export function wholeNumber(count: number | bigint): string {
  return whole.format(count)
}

/** The riyal symbol. */
function riyalMark(locale: Locale): Html {
  return html`<svg class="riyal" role="img" aria-label="${catalogue.frame.units.riyal[locale]}" viewBox="0 0 20 20" focusable="false"><path d="M7.2 2.1 9.9 0v10.2l2.2-.4V3.2l2.6-2.1v8.1L20 8.1l-.6 2.7-4.7 1v1.1l5.3-1.1-.6 2.7-7.3 1.6v-3.7l-2.2.4v2.5c0 .3-.1.5-.3.7l-.8.7c-.3.2-.6.4-.9.5L0 18.6l.6-2.7 6.6-1.4v-1.1L.6 14.8l.6-2.7 6-1.3zM12.7 17l7.3-1.5-.6 2.7-7.3 1.6z"/></svg>`
}

/** An amount of money, left to right in both languages. The central bank requires the symbol before the number. */
export function amount(halalas: Halalas, locale: Locale): Html {
  const sign = halalas < 0 ? '−' : ''
  const number = decimals.format(Math.abs(toSar(halalas)))
  return html`<span class="money" dir="ltr">${sign}${riyalMark(locale)}<span class="figure">${number}</span></span>`
}

/** The plural forms of a language. */
export const plurals = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }

/** The place of points in a sentence. For two, Arabic has another word after a preposition, or a verb that acts on them. */
type Place = 'subject' | 'object'

/** A number of points with the word "points" in its plural form. */
export function points(count: Points, locale: Locale, place: Place = 'subject'): Html {
  const forms = catalogue.frame.units[place === 'subject' ? 'points' : 'pointsObject'][locale]
  const form = forms[plurals[locale].select(Math.abs(count))] ?? forms.other
  // Arabic says one and two by the word alone, where a sign would have nothing to stand before.
  const [before = '', after] = (count < 0 && !form.includes('{count}') ? forms.other : form).split('{count}')
  return html`<span class="points">${before}${after === undefined ? null : [pointsNumber(count), after]}</span>`
}

/** The number alone, for use under a heading that says what it counts. A sum may be larger than any balance. */
export function pointsNumber(count: Points | bigint, options: { readonly signed?: boolean } = {}): Html {
  const sign = count < 0 ? '−' : options.signed === true && count > 0 ? '+' : ''
  return html`<bdi class="figure" dir="ltr">${sign}${whole.format(typeof count === 'number' ? Math.abs(count) : count < 0n ? -count : count)}</bdi>`
}

const zone = { timeZone: 'Asia/Riyadh' } as const
const styles = {
  date: { dateStyle: 'long', ...zone },
  time: { timeStyle: 'short', ...zone },
  both: { dateStyle: 'long', timeStyle: 'short', ...zone },
} as const

type Style = keyof typeof styles

/** Created once: creating a format takes longer than rendering a page. */
const formats: Readonly<Record<Locale, Readonly<Record<Style, Intl.DateTimeFormat>>>> = {
  en: formatsOf('en-GB'),
  ar: formatsOf('ar-u-ca-gregory-nu-latn'),
}

function formatsOf(language: string) {
  const make = (style: Style) => new Intl.DateTimeFormat(language, styles[style])
  return { date: make('date'), time: make('time'), both: make('both') }
}

/** An instant in Riyadh time. */
export function moment(at: Date, locale: Locale, style: Style = 'both'): Html {
  return html`<time datetime="${at.toISOString()}">${formats[locale][style].format(at)}</time>`
}

/** The first whole minute from which something can be done: cut to its minute, an instant would be told too early. */
export function momentFrom(at: Date, locale: Locale, style: Style): Html {
  return moment(new Date(Math.ceil(at.getTime() / minute_ms) * minute_ms), locale, style)
}

/** Arabic letters and digits only: no other script, and none of the look-alike letters of Persian and Urdu. */
const arabicName = /^(?:[\u0621-\u063a\u0641-\u064a0-9-]+\.)+[\u0621-\u063a\u0641-\u064a]+$/

/**
 * The host of a link as a browser shows it: with its port, without invisible characters, and in Punycode unless the name is
 * plain Arabic. Throws when the link is not a URL.
 */
export function displayHost(link: string): Html {
  const { hostname, host } = new URL(link)
  const name = domainToUnicode(hostname)
  const shown = arabicName.test(name) ? name + host.slice(hostname.length) : host
  return html`<bdi>${shown}</bdi>`
}
