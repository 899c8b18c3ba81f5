/** What becomes of a payment that a provider collects, and what the provider is still to be told. Decisions §6 and §8. */
import { asHalalas, type Halalas } from './money.ts'

/**
 * `created`: asked for, nothing has come yet. `surplus`: came when the order could no longer take it; `returned`: such
 * money has gone back.
 */
export type PaymentState = 'created' | 'authorized' | 'paid' | 'voided' | 'failed' | 'surplus' | 'returned'

/** As many payments are ever begun for one order: more than a customer needs, and a bound for whoever begins them for nothing. */
export const most_payments = 10

/** Whether another payment of an order may begin after as many, whatever became of them. */
export function mayBeginPayment(begun: number): boolean {
  return begun < most_payments
}

/** Why a payment came to nothing at its provider. */
export type FailureReason = 'declined' | 'cancelled' | 'page_expired' | 'voided'

/** `give_back` voids, and refunds what can no longer be voided. */
export type PaymentTaskKind = 'capture' | 'void' | 'refund' | 'give_back'

/** What a provider knows of a payment. */
export interface ProviderFacts {
  readonly state: 'pending' | 'authorized' | 'paid' | 'voided' | 'failed'
  readonly amount_halalas: Halalas
  /** In all. */
  readonly refunded_halalas: Halalas
  /** The refunds it knows by our names; undefined where it keeps none. */
  readonly refund_uuids: readonly string[] | undefined
}

/** Something that a provider is to be told, and what is known of it. */
export interface TaskFacts {
  readonly kind: PaymentTaskKind
  /** Of a capture or a refund; the whole payment otherwise. */
  readonly amount_halalas: Halalas
  /** Our name for the refund that is asked for. */
  readonly refund_name: string
  /** What had been paid back before this refund was first asked for; null while it has not been. */
  readonly refunded_before_halalas: Halalas | null
  readonly payment_state: PaymentState
  readonly age_ms: number
}

/** To ask the provider; `to` is the payment's state when it has done it, null where that stays. */
export type Ask = { readonly kind: 'ask'; readonly to: PaymentState | null; readonly refusal_ends: boolean } & (
  | { readonly what: 'capture' | 'void' }
  | { readonly what: 'refund'; readonly amount_halalas: Halalas }
)

/** What is to be done next for a task: ask the provider, wait and look again, or end it, where `to` is the payment's state. */
export type TaskStep =
  | Ask
  | { readonly kind: 'wait'; readonly why: string }
  | { readonly kind: 'done'; readonly to: PaymentState | null }
  | { readonly kind: 'refused'; readonly why: string }

const hour_ms = 3_600_000

/** A payment page is gone by then, and so is whatever a customer began on it. */
export const page_patience_ms = 24 * hour_ms
/** A provider shows what it has taken by then. */
const capture_patience_ms = hour_ms

/**
 * Takes a task and what its provider knows of the payment, null where it knows none, and gives the next step. The provider
 * is asked before each step, so that what was done by a try whose answer was lost is found and not done again.
 */
export function decideTask(task: TaskFacts, known: ProviderFacts | null): TaskStep {
  if (known === null) return withoutRecord(task)
  if (task.kind === 'capture') return decideCapture(known)
  return task.kind === 'refund' ? decideRefunding(task, known) : decideGivingBack(task, known)
}

function withoutRecord(task: TaskFacts): TaskStep {
  const neverCame = task.kind === 'give_back' && (task.payment_state === 'created' || task.payment_state === 'failed')
  if (!neverCame) return { kind: 'refused', why: 'the provider does not know the payment' }
  // Its page may be asked for at this very moment.
  if (task.age_ms < page_patience_ms) return { kind: 'wait', why: 'the provider does not know the payment yet' }
  return { kind: 'done', to: 'failed' }
}

function decideCapture({ state }: ProviderFacts): TaskStep {
  if (state === 'paid') return { kind: 'done', to: 'paid' }
  if (state === 'authorized') return { kind: 'ask', what: 'capture', to: 'paid', refusal_ends: true }
  if (state === 'pending') return { kind: 'wait', why: 'the payment is pending' }
  return { kind: 'refused', why: `the payment is ${state}` }
}

function decideRefunding(task: TaskFacts, known: ProviderFacts): TaskStep {
  if (isPaidBack(task, known)) return { kind: 'done', to: null }
  const { amount_halalas } = task
  if (known.state === 'paid') return { kind: 'ask', what: 'refund', amount_halalas, to: null, refusal_ends: true }
  if (known.state === 'authorized' && task.age_ms < capture_patience_ms)
    return { kind: 'wait', why: 'the payment is not captured yet' }
  return { kind: 'refused', why: `the payment is ${known.state}` }
}

/** By name where the provider keeps names; else by what has been paid back since it was first asked for. */
function isPaidBack(task: TaskFacts, { refund_uuids, refunded_halalas }: ProviderFacts): boolean {
  if (refund_uuids !== undefined) return refund_uuids.includes(task.refund_name)
  const before = task.refunded_before_halalas
  return before !== null && refunded_halalas >= before + task.amount_halalas
}

function decideGivingBack(task: TaskFacts, { state, amount_halalas, refunded_halalas }: ProviderFacts): TaskStep {
  const gone = task.kind === 'void' ? 'voided' : 'returned'
  switch (state) {
    case 'failed':
      return { kind: 'done', to: 'failed' }
    case 'voided':
      return { kind: 'done', to: gone }
    case 'authorized':
      return { kind: 'ask', what: 'void', to: gone, refusal_ends: true }
    case 'pending':
      if (task.age_ms >= page_patience_ms) return { kind: 'done', to: 'failed' }
      // Where a page cannot be ended, it ends by itself.
      return { kind: 'ask', what: 'void', to: 'failed', refusal_ends: false }
    case 'paid': {
      const left = asHalalas(amount_halalas - refunded_halalas)
      if (left <= 0) return { kind: 'done', to: 'returned' }
      return { kind: 'ask', what: 'refund', amount_halalas: left, to: 'returned', refusal_ends: true }
    }
  }
}

const waits_s = [10, 30, 120, 600, 3_600] as const
/** An answer that was lost: what it was about shows in the record by then, and may be asked for again (docs/payments.md). */
const least_wait_after_doubt_s = 150

/** How long to wait before the next try, in milliseconds: longer with each, and longer where something may have been done. */
export function waitBeforeTry(attempts: number, in_doubt: boolean): number {
  const usual_s = waits_s[Math.min(attempts, waits_s.length) - 1] ?? waits_s[0]
  return 1000 * (in_doubt ? Math.max(usual_s, least_wait_after_doubt_s) : usual_s)
}
