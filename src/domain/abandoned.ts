/** Checkouts that came to nothing: what one takes in the database, and what becomes of it. docs/spec/checkout.md#abandoned */
import type { PaymentState } from './payment.ts'

/** Approximate size of the rows and index entries of a checkout, without the texts of the shop. */
const ROWS_BYTES = 1_024

/**
 * Takes the texts that a shop sent with a checkout; gives the approximate size of the checkout in the database, in
 * bytes.
 */
export function storedBytes(texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), ROWS_BYTES)
}

/** An expired checkout whose order is `new`, for which no code was proven, and which the merchant has not changed. */
export interface AbandonedFacts {
  /** Points were held for it once, so the ledger refers to it. */
  readonly held: boolean
  /** The states of the payments begun for it. */
  readonly payments: readonly PaymentState[]
  /** A payment failed within a day: the customer may still try another card on the provider's page. */
  readonly failed_lately: boolean
  /** The states of the payment tasks. */
  readonly tasks: readonly ('due' | 'done' | 'refused')[]
}

/**
 * Takes an abandoned checkout; gives whether to delete it, keep it for good, or wait for a payment or task in progress.
 * A failed payment counts as none once its provider can no longer collect money for it. docs/spec/checkout.md#abandoned
 */
export function decideAbandoned({ held, payments, tasks, failed_lately }: AbandonedFacts): 'delete' | 'keep' | 'wait' {
  if (held || tasks.includes('refused')) return 'keep'
  if (payments.some((state) => state !== 'created' && state !== 'failed')) return 'keep'
  return failed_lately || payments.includes('created') || tasks.includes('due') ? 'wait' : 'delete'
}
