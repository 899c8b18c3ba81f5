import type { Locale } from '../../../src/domain/locale.ts'

/**
 * Writes numbers, money and times. Digits are Western in both languages, as on the hosted pages; times are those of
 * Riyadh wherever the reader is, like the days of lists and figures. docs/decisions/0045-dashboard-at-work.md
 */
export interface Format {
  /** 12,345; ≈12,345,… beyond 2^53, where the last digits are lost */
  number(value: number): string
  /** 12.3K, for axes */
  short(value: number): string
  /** A share of 1 as 12.3% */
  percent(value: number): string
  /** SAR with two decimals and no sign of the currency: `<Money>` draws that. With ≈ beyond 2^46. */
  sar(value: number): string
  /** 5 Nov 2026 */
  date(at: Date | string): string
  /** 1 – 31 Oct 2026, both included */
  days(from: Date | string, to: Date | string): string
  /** 5 Nov */
  day(at: Date | string): string
  /** Nov 2026, of a day that has no time zone */
  month(at: Date | string): string
  /** 5 Nov 2026, 14:05 */
  moment(at: Date | string): string
  /** 5 November 2026 at 14:05:09.123 Arabian Standard Time */
  exact(at: Date | string): string
  /** 5 minutes ago */
  ago(at: Date | string, now: Date): string
}

const languages: Readonly<Record<Locale, string>> = { en: 'en-GB', ar: 'ar-u-ca-gregory-nu-latn' }

/** Saudi Arabia has one zone and no summer time. */
const timeZone = 'Asia/Riyadh'

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

export function formatIn(locale: Locale): Format {
  const language = languages[locale]
  const whole = new Intl.NumberFormat('en')
  const short = new Intl.NumberFormat(locale === 'ar' ? language : 'en', {
    notation: 'compact',
    maximumFractionDigits: 1,
  })
  const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
  const sar = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  // The medium Arabic date is all numbers, which everyone reads in another order.
  const dateStyle = locale === 'ar' ? 'long' : 'medium'
  const date = new Intl.DateTimeFormat(language, { dateStyle, timeZone })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone })
  const month = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(language, { dateStyle, timeStyle: 'short', timeZone })
  const exact = new Intl.DateTimeFormat(language, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ fractionalSecondDigits: 3, timeZoneName: 'long', timeZone, hourCycle: 'h23' },
  })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const minus = (text: string) => text.replace(/^\u200e?-/, '−')
  // The service sends every digit of a sum; a browser reads numbers as doubles.
  const upTo = (largest: number, value: number, text: string) => (Math.abs(value) > largest ? '≈' : '') + minus(text)
  return {
    number: (value) => upTo(Number.MAX_SAFE_INTEGER, value, whole.format(value)),
    short: (value) => minus(short.format(value)),
    percent: (value) => minus(percent.format(value)),
    sar: (value) => upTo(2 ** 46, value, sar.format(value)),
    date: (at) => date.format(new Date(at)),
    days: (from, to) => date.formatRange(new Date(from), new Date(to)),
    day: (at) => day.format(new Date(at)),
    month: (at) => month.format(new Date(at)),
    moment: (at) => moment.format(new Date(at)),
    exact: (at) => exact.format(new Date(at)),
    ago: (at, now) => {
      let amount = (new Date(at).getTime() - now.getTime()) / 1000
      for (const [unit, size] of steps) {
        // 59.6 minutes are an hour.
        const whole = Math.round(amount)
        if (Math.abs(whole) < size) return relative.format(whole, unit)
        amount /= size
      }
      return moment.format(new Date(at))
    },
  }
}
