import type { Locale } from '../../domain/text.ts'

/** Asia/Riyadh has been at UTC+3, without summer time, since 1947. */
const riyadh_ms = 3 * 3600 * 1000

/** `YYYY-MM-DD` in Riyadh (decisions §2, "Timestamps"). */
export function riyadhDate(instant: Date): string {
  return new Date(instant.getTime() + riyadh_ms).toISOString().slice(0, 10)
}

/** `HH:MM:SS` in Riyadh. */
export function riyadhTime(instant: Date): string {
  return new Date(instant.getTime() + riyadh_ms).toISOString().slice(11, 19)
}

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const formats = {
  en: new Intl.RelativeTimeFormat('en', { numeric: 'always' }),
  ar: new Intl.RelativeTimeFormat('ar', { numeric: 'always' }),
}
const justNow = { en: formats.en.format(-0, 'second'), ar: formats.ar.format(-0, 'second') }

/** How long ago `instant` was at `now`, in the largest unit that it fills: `3 hours ago`. */
export function since(instant: Date, now: Date, locale: Locale): string {
  const age_s = Math.trunc((now.getTime() - instant.getTime()) / 1000)
  // The answer to a creation: no need to ask the formatter again.
  if (age_s === 0) return justNow[locale]
  const [unit, length_s] = steps.find(([, seconds]) => Math.abs(age_s) >= seconds) ?? ['second', 1]
  return formats[locale].format(-Math.trunc(age_s / length_s), unit)
}
