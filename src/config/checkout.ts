import type { Sources } from './sources.ts'
import { number } from './values.ts'

/** What strangers may do with a public key, and how long it stays. */
export interface CheckoutSettings {
  /** Opened from one address for one merchant, without a signature or the private key. */
  readonly checkouts_per_hour: number
  /** How long after its expiry a checkout that came to nothing is kept. */
  readonly checkout_retention_days: number
  /** What such checkouts of one merchant may take; above it the oldest go sooner. */
  readonly checkout_store_bytes: number
}

const mebibyte = 1_048_576

export function readCheckout(sources: Sources): CheckoutSettings {
  const whole = { whole: true }
  const megabytes = number(sources, 'NUQTA_CHECKOUT_STORE_MB', 1_024, { min: 1, max: 1_048_576, ...whole })
  return {
    checkouts_per_hour: number(sources, 'NUQTA_CHECKOUTS_PER_HOUR', 600, { min: 1, max: 10_000_000, ...whole }),
    checkout_retention_days: number(sources, 'NUQTA_CHECKOUT_RETENTION_DAYS', 30, { min: 1, max: 36_500, ...whole }),
    checkout_store_bytes: megabytes * mebibyte,
  }
}
