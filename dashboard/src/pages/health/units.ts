import type { Locale } from '../../../../src/domain/locale.ts'

const languages: Readonly<Record<Locale, string>> = { en: 'en-GB', ar: 'ar-u-nu-latn' }

const spans = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Number.POSITIVE_INFINITY],
] as const

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

const inUnit = (locale: Locale, unit: string, value: number, maximumFractionDigits: number): string =>
  new Intl.NumberFormat(languages[locale], { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(
    value,
  )

/** A span of time in its largest unit: 45 sec, 3 min, 2 days. */
export function spanText(locale: Locale, seconds: number): string {
  let amount = seconds
  for (const [unit, size] of spans) {
    if (amount < size) return inUnit(locale, unit, amount, amount < 10 && unit !== 'second' ? 1 : 0)
    amount /= size
  }
  return inUnit(locale, 'day', amount, 0)
}

/** A size in its largest unit: 8.3 GB. */
export function sizeText(locale: Locale, bytes: number): string {
  let amount = bytes
  for (const unit of sizes) {
    if (amount < 1000 || unit === 'terabyte') return inUnit(locale, unit, amount, amount < 10 ? 1 : 0)
    amount /= 1000
  }
  return inUnit(locale, 'terabyte', amount, 0)
}
