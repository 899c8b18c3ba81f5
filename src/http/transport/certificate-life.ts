import { X509Certificate } from 'node:crypto'

/** From when on somebody has to know that a certificate ends: time enough for a holiday and a slow authority. */
const soon_days = 21

const day_ms = 86_400_000

/** How long a certificate, with those that come after it in its PEM text, is good. */
export interface CertificateLife {
  /** Whole days; negative when it has expired. */
  readonly days_left: number
  /** `2027-01-31`. */
  readonly ends_on: string
  /** Its first day, when that is yet to come. */
  readonly begins_on: string | undefined
}

/** Takes PEM texts of one certificate or a chain; the one that ends first counts. */
export function lifeOf(pem: string, now: Date): CertificateLife {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [pem]
  const chain = texts.map((text) => new X509Certificate(text))
  const end_ms = Math.min(...chain.map(({ validToDate }) => validToDate.getTime()))
  const begin_ms = Math.max(...chain.map(({ validFromDate }) => validFromDate.getTime()))
  return {
    days_left: Math.floor((end_ms - now.getTime()) / day_ms),
    ends_on: dayOf(end_ms),
    begins_on: begin_ms > now.getTime() ? dayOf(begin_ms) : undefined,
  }
}

/** What is wrong with it, now or soon; undefined when nothing is. */
export function describeLife({ days_left, ends_on, begins_on }: CertificateLife): string | undefined {
  if (begins_on !== undefined) return `is not valid before ${begins_on}`
  if (days_left < 0) return `expired on ${ends_on}`
  return days_left < soon_days ? `expires on ${ends_on}, in ${days_left} days` : undefined
}

function dayOf(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, 10)
}
