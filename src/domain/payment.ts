/**
 * Payments that a provider collects, and the tasks that the provider still has to do. docs/spec/payments.md#providers
 */
import type { Uuid } from './ids.ts'
import { asHalalas, type Halalas } from './money.ts'
import { day_ms, hour_ms } from './spans.ts'

/**
 * `created`: requested, no money yet. `surplus`: paid when the order could no longer take it, to be paid back.
 * `returned`: a surplus that has been paid back.
 */
export const paymentStates = ['created', 'authorized', 'paid', 'voided', 'failed', 'surplus', 'returned'] as const

export type PaymentState = (typeof paymentStates)[number]

/** The most payments per order: more than a customer needs, and a bound against abuse. */
export const most_payments = 10

/** Takes the number of payments begun for an order, in any state; true if another one may begin. */
export function mayBeginPayment(begun: number): boolean {
  return begun < most_payments
}

/**
 * Takes the id of the account that had a payment's record, null if unknown, and the account in use now; true unless both are
 * the same. A provider without accounts has no other. docs/spec/payments.md#automatic-reversal
 */
export function isOtherAccount(recorded: string | null, used: { readonly id: string } | undefined): boolean {
  return used !== undefined && used.id !== recorded
}

/** Why a payment failed at its provider. */
export const failureReasons = ['declined', 'cancelled', 'page_expired', 'voided'] as const
export type FailureReason = (typeof failureReasons)[number]

/** `give_back` voids a payment, or refunds it if it can no longer be voided. */
export type PaymentTaskKind = 'capture' | 'void' | 'refund' | 'give_back'

/** The findings that a provider's refusal makes: a person has to settle them. docs/spec/payments.md#refused-tasks */
export const refusedTaskFindings = ['capture_refused', 'void_refused', 'refund_refused', 'give_back_refused'] as const

/** A payment as its provider knows it. docs/spec/payments.md#provider-record */
export interface ProviderRecord {
  readonly state: 'pending' | 'authorized' | 'paid' | 'voided' | 'failed'
  readonly amount_halalas: Halalas
  /** The sum of all refunds. */
  readonly refunded_halalas: Halalas
  /** Our ids of the refunds; undefined if the provider does not store them. */
  readonly refund_uuids: readonly Uuid[] | undefined
  /** Why the payment failed, if the provider says so: the bank or the customer said no, or nobody used the page. */
  readonly failure?: Exclude<FailureReason, 'voided'> | undefined
}

/** A task for a provider. */
export interface TaskFacts {
  readonly kind: PaymentTaskKind
  /** The amount of a capture or refund; otherwise the whole payment. */
  readonly amount_halalas: Halalas
  /** Our id of the requested refund. */
  readonly refund_name: Uuid
  /** The sum of all refunds before this one was first requested; null before that. */
  readonly refunded_before_halalas: Halalas | null
  readonly payment_state: PaymentState
  readonly age_ms: number
  /** How long ago the payment's capture was performed; null where it was not, or needs none. */
  readonly captured_ms: number | null
}

/** A request to the provider. `to` is the payment's state once it is done, null if the state stays. */
export type Ask = { readonly kind: 'ask'; readonly to: PaymentState | null; readonly refusal_ends: boolean } & (
  | { readonly what: 'capture' | 'void' }
  | { readonly what: 'refund'; readonly amount_halalas: Halalas }
)

/** The next step of a task: a request to the provider, a wait, or the end, where `to` is the payment's new state. */
export type TaskStep =
  | Ask
  | { readonly kind: 'wait'; readonly why: string }
  | { readonly kind: 'done'; readonly to: PaymentState | null }
  | { readonly kind: 'refused'; readonly why: string }

/** A payment page, and anything begun on it, has ended after this time. */
export const page_lifetime_ms = day_ms
/** A capture shows in the provider's record within this time. */
const capture_delay_ms = hour_ms

/**
 * Takes a task and the provider's record, null if it has none; gives the next step. The record is read before each
 * step, so that a request whose response was lost is found and not repeated. docs/spec/payments.md#provider-record
 */
export function decideTask(task: TaskFacts, known: ProviderRecord | null): TaskStep {
  if (known === null) return withoutRecord(task)
  if (task.kind === 'capture') return decideCapture(task, known)
  return task.kind === 'refund' ? decideRefunding(task, known) : decideGivingBack(task, known)
}

function withoutRecord(task: TaskFacts): TaskStep {
  const neverCame = task.kind === 'give_back' && (task.payment_state === 'created' || task.payment_state === 'failed')
  if (!neverCame) return { kind: 'refused', why: 'the provider does not know the payment' }
  // Another process may be creating its page at this moment.
  if (task.age_ms < page_lifetime_ms) return { kind: 'wait', why: 'the provider does not know the payment yet' }
  return { kind: 'done', to: 'failed' }
}

function decideCapture(task: TaskFacts, known: ProviderRecord): TaskStep {
  // Its order was reversed meanwhile: money that turns up goes back.
  if (task.payment_state === 'failed') return decideGivingBack(task, known)
  const { state } = known
  if (state === 'paid') return { kind: 'done', to: 'paid' }
  if (state === 'authorized') return { kind: 'ask', what: 'capture', to: 'paid', refusal_ends: true }
  if (state === 'pending') return { kind: 'wait', why: 'the payment is pending' }
  return refusedAs(known)
}

function decideRefunding(task: TaskFacts, known: ProviderRecord): TaskStep {
  if (isPaidBack(task, known)) return { kind: 'done', to: null }
  const { amount_halalas } = task
  if (known.state === 'paid') return { kind: 'ask', what: 'refund', amount_halalas, to: null, refusal_ends: true }
  // The task may be much older than its capture, which goes first and waits for a provider that is away.
  if (known.state === 'authorized' && (task.captured_ms ?? task.age_ms) < capture_delay_ms)
    return { kind: 'wait', why: 'the payment is not captured yet' }
  return amount_halalas === known.amount_halalas ? decideVoiding(known) : refusedAs(known)
}

/** The step for a refund of a whole payment that the provider has not collected: it voids what is only held. */
function decideVoiding(known: ProviderRecord): TaskStep {
  if (known.state === 'authorized') return { kind: 'ask', what: 'void', to: 'voided', refusal_ends: true }
  return known.state === 'voided' ? { kind: 'done', to: 'voided' } : refusedAs(known)
}

function refusedAs({ state }: ProviderRecord): TaskStep {
  return { kind: 'refused', why: `the payment is ${state}` }
}

/** By our refund id if the provider stores it, else by the amount refunded since the first request. */
function isPaidBack(task: TaskFacts, { refund_uuids, refunded_halalas }: ProviderRecord): boolean {
  if (refund_uuids !== undefined) return refund_uuids.includes(task.refund_name)
  const before = task.refunded_before_halalas
  return before !== null && refunded_halalas >= before + task.amount_halalas
}

function decideGivingBack(task: TaskFacts, { state, amount_halalas, refunded_halalas }: ProviderRecord): TaskStep {
  const gone = task.kind === 'void' ? 'voided' : 'returned'
  switch (state) {
    case 'failed':
      return { kind: 'done', to: 'failed' }
    case 'voided':
      return { kind: 'done', to: gone }
    case 'authorized':
      return { kind: 'ask', what: 'void', to: gone, refusal_ends: true }
    case 'pending':
      if (task.age_ms >= page_lifetime_ms) return { kind: 'done', to: 'failed' }
      // If the provider cannot end a page, the page expires by itself.
      return { kind: 'ask', what: 'void', to: 'failed', refusal_ends: false }
    case 'paid': {
      const left = asHalalas(amount_halalas - refunded_halalas)
      if (left <= 0) return { kind: 'done', to: 'returned' }
      return { kind: 'ask', what: 'refund', amount_halalas: left, to: 'returned', refusal_ends: true }
    }
  }
}

const waits_s = [10, 30, 120, 600, 3_600] as const
/** After a lost response: the record shows the outcome within this time. docs/payments.md */
const min_wait_in_doubt_s = 150

/**
 * Gives the wait before the next try, in milliseconds: longer after each try, and longer if the last outcome is
 * unknown.
 */
export function waitBeforeTry(attempts: number, in_doubt: boolean): number {
  const usual_s = waits_s[Math.min(attempts, waits_s.length) - 1] ?? waits_s[0]
  return 1000 * (in_doubt ? Math.max(usual_s, min_wait_in_doubt_s) : usual_s)
}
