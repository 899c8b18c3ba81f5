import { type Ask, decideTask, type PaymentState, type TaskStep, waitBeforeTry } from '../../domain/payment.ts'
import type {
  PaymentDone,
  PaymentError,
  PaymentProvider,
  PaymentProviders,
  PaymentRecord,
} from '../../providers/payment/port.ts'
import type { ClaimedTask } from '../orders/payment-task-queries.ts'

/** A task that this worker has until `leased_until`. */
export interface Leased {
  readonly task: ClaimedTask
  readonly leased_until: Date
}

/** What came of one attempt: the task has ended, or is due again after a wait. */
export type Attempted =
  | {
      readonly kind: 'ended'
      readonly state: 'done' | 'refused'
      readonly to: PaymentState | null
      readonly reference: string | null
      readonly known: string | null
      readonly error: string | null
    }
  | { readonly kind: 'again'; readonly wait_ms: number; readonly error: string }
  /** The lease is another's, or so nearly over that nothing may be begun. */
  | { readonly kind: 'left' }

export interface PerformParts {
  readonly payments: PaymentProviders
  /** Notes what has been paid back so far, before more is asked for; false when the lease is another's. */
  readonly noteRefundedBefore: (leased: Leased, record: PaymentRecord) => Promise<boolean>
  /** The machine's clock, in milliseconds. */
  readonly now: () => number
}

/** What asking takes at most: a look at the record and the request itself, as adapters do it. */
export const longest_ask_ms = 60_000

/** One attempt of a task: the provider's record is read first, and what it shows as done is not asked for again. */
export async function performTask(parts: PerformParts, leased: Leased): Promise<Attempted> {
  const { task } = leased
  const provider = await parts.payments.of(task, task.provider)
  if (provider === undefined) return again(task, 'credentials', `there are no credentials for ${task.provider}`, false)
  const record = await provider.query(task)
  if (record.kind !== 'payment' && record.kind !== 'not_found') return again(task, record.kind, record.detail, false)
  const found = record.kind === 'payment' ? record : null
  const step = stepOf(parts, task, found)
  if (step.kind === 'wait') return again(task, 'waiting', step.why, false)
  const known = found?.provider_reference ?? null
  if (step.kind === 'done') return { kind: 'ended', state: 'done', to: step.to, reference: null, known, error: null }
  if (step.kind === 'refused')
    return { kind: 'ended', state: 'refused', to: null, reference: null, known, error: step.why }
  if (parts.now() + longest_ask_ms > leased.leased_until.getTime()) return { kind: 'left' }
  if (step.what === 'refund' && found !== null && !(await parts.noteRefundedBefore(leased, found)))
    return { kind: 'left' }
  return outcomeOf(task, step, known, await ask(provider, { ...task, provider_reference: known }, step))
}

function stepOf({ now }: PerformParts, task: ClaimedTask, record: PaymentRecord | null): TaskStep {
  const refund_name = refundNameOf(task)
  return decideTask({ ...task, refund_name, age_ms: now() - task.created_at.getTime() }, record)
}

function refundNameOf({ refund_uuid, task_uuid }: ClaimedTask) {
  return refund_uuid ?? task_uuid
}

function ask(provider: PaymentProvider, task: ClaimedTask, step: Ask): Promise<PaymentDone | PaymentError> {
  const { program_id, payment_uuid, provider_reference, amount_halalas, reason } = task
  const asked = { program_id, payment_uuid, provider_reference }
  if (step.what === 'refund')
    return provider.refund({ ...asked, refund_uuid: refundNameOf(task), amount_halalas: step.amount_halalas, reason })
  return step.what === 'void' ? provider.void(asked) : provider.capture({ ...asked, amount_halalas })
}

function outcomeOf(task: ClaimedTask, step: Ask, known: string | null, outcome: PaymentDone | PaymentError): Attempted {
  if (outcome.kind === 'done')
    return { kind: 'ended', state: 'done', to: step.to, reference: outcome.reference, known, error: null }
  const { kind, detail } = outcome
  if (kind === 'unknown' || kind === 'credentials') return again(task, kind, detail, kind === 'unknown')
  // It will not be otherwise by asking again: a person has to look at it.
  if (!step.refusal_ends) return again(task, kind, detail, false)
  return { kind: 'ended', state: 'refused', to: null, reference: null, known, error: `${kind}: ${detail}` }
}

function again({ attempts }: ClaimedTask, kind: string, detail: string, in_doubt: boolean): Attempted {
  return { kind: 'again', wait_ms: waitBeforeTry(attempts + 1, in_doubt), error: `${kind}: ${detail}` }
}
