/** Checkouts that came to nothing: what one takes in the database, and what becomes of it. */
import type { PaymentState } from './payment.ts'

/** What the rows of a checkout and their index entries take, about, besides what its shop sent. */
const ROWS_BYTES = 1_024

/** Takes the texts that a shop sent with a checkout; gives what the checkout takes in the database, in bytes, about. */
export function storedBytes(texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), ROWS_BYTES)
}

/** An expired checkout whose order is `new`, for which no phone was proven and which its merchant has not changed. */
export interface AbandonedFacts {
  /** Points were held for it once: the ledger names it. */
  readonly held: boolean
  /** Of the payments begun for it. */
  readonly payments: readonly PaymentState[]
  /** One of them failed within a day: a card that was declined may be followed by another on the provider's page. */
  readonly failed_lately: boolean
  /** Of what providers are or were to be told of them. */
  readonly tasks: readonly ('due' | 'done' | 'refused')[]
}

/**
 * Takes an abandoned checkout; gives what becomes of it. A payment that never came to anything is none, once its provider
 * can bring no more money by it. `keep` is for good; `wait` until what is under way has ended.
 */
export function fateOf({ held, payments, tasks, failed_lately }: AbandonedFacts): 'delete' | 'keep' | 'wait' {
  if (held || tasks.includes('refused')) return 'keep'
  if (payments.some((state) => state !== 'created' && state !== 'failed')) return 'keep'
  return failed_lately || payments.includes('created') || tasks.includes('due') ? 'wait' : 'delete'
}
