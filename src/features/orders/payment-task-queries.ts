import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { claimable, type Leased, leasedQueue, leasedRow } from '../../db/leased-queue.ts'
import { programsWith } from '../../db/programs.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { PaymentState, PaymentTaskKind } from '../../domain/payment.ts'
import { hour_ms } from '../../domain/spans.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'

/** A request to a payment provider, which a worker sends. */
export interface TaskRow {
  readonly program_id: number
  readonly task_uuid: Uuid
  readonly payment_uuid: Uuid
  readonly order_uuid: Uuid
  readonly kind: PaymentTaskKind
  readonly refund_uuid: Uuid | null
  readonly amount_halalas: Halalas
}

const insertTaskText = prepared<never>(
  'payments.queue',
  `insert into payment_task as t
     (program_id, task_uuid, payment_uuid, order_uuid, kind, refund_uuid, amount_halalas, state, attempts, due_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, 'due', 0, $8, $8)
   on conflict (program_id, payment_uuid, kind) where kind <> 'refund' do update
     set state = 'due', ended_at = null, attempts = 0, due_at = excluded.due_at, leased_until = null, error = null,
       refunded_before_halalas = null, created_at = excluded.created_at
     where t.state <> 'due'`,
)

/** Writes a task that is due now. One of the same kind that has ended becomes due again; one that is due stays. */
export function insertTask(task: TaskRow, now: Date): Statement<never> {
  const { program_id, task_uuid, payment_uuid, order_uuid, kind, refund_uuid, amount_halalas } = task
  return insertTaskText(program_id, task_uuid, payment_uuid, order_uuid, kind, refund_uuid, amount_halalas, now)
}

const queueForAuthorizedText = prepared<never>(
  'payments.queue_for_authorized',
  `insert into payment_task
     (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, state, attempts, due_at, created_at)
   select $1::bigint, $3, p.payment_uuid, p.order_uuid, $4, p.amount_halalas, 'due', 0, $5, $5
   from order_payment p
   where p.program_id = $1 and p.order_uuid = $2 and p.state = 'authorized'
     and (p.program_id, p.order_uuid) >= ($1, $2)
   on conflict (program_id, payment_uuid, kind) where kind <> 'refund' do nothing`,
)

/** Writes a task for the authorised payment of an order, which has at most one; writes nothing where there is none. */
export function queueForAuthorized(
  { program_id, order_uuid, task_uuid, kind }: Pick<TaskRow, 'program_id' | 'order_uuid' | 'task_uuid' | 'kind'>,
  now: Date,
): Statement<never> {
  return queueForAuthorizedText(program_id, order_uuid, task_uuid, kind, now)
}

/** The queue of tasks. `refused`: the provider refused for good. */
export const taskQueue = leasedQueue<'task_uuid', 'done' | 'refused'>({
  name: 'payments',
  table: 'payment_task',
  key: 'task_uuid',
  required: 'payment_uuid, order_uuid, kind, refund_uuid, amount_halalas',
  reference: 'provider_reference',
  longest_ms: 2 * hour_ms,
})

/** A task that a worker has claimed, with all that the request to its provider needs. */
export interface ClaimedTask extends TaskRow {
  readonly attempts: number
  readonly created_at: Date
  readonly refunded_before_halalas: Halalas | null
  readonly merchant_id: number
  readonly provider: PaymentProviderName
  readonly provider_reference: string | null
  /** The account that had the provider's record; null while nobody has seen one. */
  readonly provider_account: string | null
  readonly payment_state: PaymentState
  /** When the payment's capture was performed; null where it was not, or needs none. */
  readonly captured_at: Date | null
  readonly reason: string | null
}

const claimText = prepared<ClaimedTask>(
  'payments.claim',
  `select q.program_id, q.task_uuid, q.payment_uuid, q.order_uuid, q.kind, q.refund_uuid, q.amount_halalas, q.attempts,
     q.created_at, q.refunded_before_halalas, o.merchant_id, p.provider, p.provider_reference, p.provider_account,
     p.state as payment_state, c.ended_at as captured_at, r.reason
   from payment_task q
   cross join lateral (
     select p.* from order_payment p
     where p.program_id = $1 and p.payment_uuid = q.payment_uuid and (p.program_id, p.payment_uuid) >= ($1, q.payment_uuid)
     limit 1
   ) p
   cross join lateral (
     select o.merchant_id from orders o
     where o.program_id = $1 and o.order_uuid = q.order_uuid and (o.program_id, o.order_uuid) >= ($1, q.order_uuid) limit 1
   ) o
   left join lateral (
     select r.reason from order_refund r
     where r.program_id = $1 and r.refund_uuid = q.refund_uuid and (r.program_id, r.refund_uuid) >= ($1, q.refund_uuid)
     limit 1
   ) r on true
   left join lateral (
     select c.ended_at from payment_task c
     where c.program_id = $1 and c.payment_uuid = q.payment_uuid and c.kind = 'capture' and c.state = $6
       and (c.program_id, c.payment_uuid, c.kind) >= ($1, q.payment_uuid, 'capture')
     limit 1
   ) c on true
   left join lateral (
     select f.task_uuid from payment_task f
     where f.program_id = $1 and f.payment_uuid = q.payment_uuid and f.state = $4
       and (f.program_id, f.payment_uuid) >= ($1, q.payment_uuid)
       and (f.kind <> 'capture', f.task_uuid) < (q.kind <> 'capture', q.task_uuid)
     limit 1
   ) earlier on true
   where ${claimable} and (q.program_id, q.due_at) >= ($1, '-infinity')
     and (q.kind = 'give_back') = $5 and earlier.task_uuid is null
   order by q.due_at limit $3 for no key update of q skip locked`,
)

/**
 * Locks due tasks, the oldest first: either those that give back, or all others. A payment has one task under way at a time,
 * its capture first.
 */
export function claimTasks(
  program_id: number,
  now: Date,
  { limit, giving_back }: { readonly limit: number; readonly giving_back: boolean },
): Statement<ClaimedTask> {
  return claimText(program_id, now, limit, 'due', giving_back, 'done')
}

const recordText = prepared<{ task_uuid: Uuid }>(
  'payments.refunded_before',
  `update payment_task set refunded_before_halalas = $5
   where ${leasedRow('task_uuid')} returning task_uuid`,
)

/** Records what was refunded before this task asks for more. Gives nothing when another worker has the lease by now. */
export function recordRefundedBefore(
  { program_id, task_uuid, leased_until }: Leased<Pick<TaskRow, 'program_id' | 'task_uuid'>>,
  refunded_halalas: Halalas,
): Statement<{ task_uuid: Uuid }> {
  return recordText(program_id, task_uuid, leased_until, 'due', refunded_halalas)
}

/** The programs with refunds that have not been requested yet. */
export function findProgramsToRefund(): Statement<{ program_id: number }> {
  return {
    text: programsWith(
      `select from payment_task t where t.program_id = p.program_id and t.state = 'due' and t.kind = 'refund'
         and t.refunded_before_halalas is null`,
    ),
    values: [],
  }
}

/** Marks the refunds of a program that wait as requested, after the earlier refunds of the same payments. */
export function takeRefundsAsRequested(program_id: number): Statement<never> {
  return {
    text: `update payment_task t set refunded_before_halalas = (
        select coalesce(sum(e.amount_halalas), 0) from payment_task e
        where e.program_id = $1 and e.payment_uuid = t.payment_uuid and e.kind = 'refund' and e.state <> 'refused'
          and e.task_uuid < t.task_uuid)
      where t.program_id = $1 and t.kind = 'refund' and t.state = 'due' and t.refunded_before_halalas is null`,
    values: [program_id],
  }
}

/** Records that the provider has paid a refund back, or refused to. */
export function endProviderRefund(
  program_id: number,
  refund_uuid: Uuid,
  provider_state: 'done' | 'refused',
  provider_refund_reference: string | null,
): CompiledQuery<unknown> {
  return builder
    .updateTable('order_refund')
    .set({ provider_state, provider_refund_reference })
    .where('program_id', '=', program_id)
    .where('refund_uuid', '=', refund_uuid)
    .where('provider_state', '=', 'due')
    .compile()
}

const movePaymentText = prepared<never>(
  'payments.move',
  `update order_payment set state = $3, provider_reference = coalesce(provider_reference, $4), updated_at = $5
   where program_id = $1 and payment_uuid = $2 and state <> $3
     and (program_id, payment_uuid) >= ($1, $2)`,
)

/** Changes the state of a payment whose order is locked. `provider_reference` is written only where it is missing. */
export function movePayment(
  { program_id, payment_uuid }: Pick<TaskRow, 'program_id' | 'payment_uuid'>,
  state: PaymentState,
  provider_reference: string | null,
  now: Date,
): Statement<never> {
  return movePaymentText(program_id, payment_uuid, state, provider_reference, now)
}

/**
 * SQL: a task that waits only for its customer. The page of an abandoned payment is still open, and its provider cannot end
 * it: the last attempt failed, though the provider answered and we had credentials.
 */
const waitsForPage = `kind = 'give_back' and error is not null and error not like 'unknown: %' and error not like 'credentials: %'`

/**
 * Counts the due tasks of all programs. `oldest_ms`: when the oldest due one was created, in Unix time, of those
 * that a provider should have done by now.
 */
export function countTasks(): Statement<{ tasks: number; oldest_ms: number | null }> {
  return {
    text: `select count(*) as tasks,
        (extract(epoch from min(created_at) filter (where not (${waitsForPage}))) * 1000)::bigint as oldest_ms
      from payment_task where state = 'due'`,
    values: [],
  }
}

/** A payment that a provider reports, with its merchant. */
export interface ReportedPayment {
  readonly program_id: number
  readonly merchant_id: number
  readonly payment_uuid: Uuid
  readonly provider: PaymentProviderName
  readonly state: PaymentState
}

const reportedColumns = `p.program_id, o.merchant_id, p.payment_uuid, p.provider, p.state
   from order_payment p
   cross join lateral (
     select o.merchant_id from orders o
     where o.program_id = $1 and o.order_uuid = p.order_uuid and (o.program_id, o.order_uuid) >= ($1, p.order_uuid) limit 1
   ) o`

const findReportedText = prepared<ReportedPayment>(
  'payments.reported',
  `select ${reportedColumns} where p.program_id = $1 and p.payment_uuid = $2
     and (p.program_id, p.payment_uuid) >= ($1, $2)`,
)

/** The payment of this id. */
export function findReported(program_id: number, payment_uuid: Uuid): Statement<ReportedPayment> {
  return findReportedText(program_id, payment_uuid)
}

const findByReferenceText = prepared<ReportedPayment>(
  'payments.reported_by_reference',
  `select ${reportedColumns} where p.program_id = $1 and p.provider_reference = $2 and p.provider = $3
     and (p.program_id, p.provider_reference) >= ($1, $2)`,
)

/** The payment that a provider knows by this reference. */
export function findReportedByReference(
  program_id: number,
  provider: PaymentProviderName,
  provider_reference: string,
): Statement<ReportedPayment> {
  return findByReferenceText(program_id, provider_reference, provider)
}

/** Deletes the payment tasks of locked orders. */
export function deletePaymentTasks(program_id: number, orders: readonly Uuid[]): Statement<unknown> {
  return {
    text: `delete from payment_task where program_id = $1 and payment_uuid in (
        select payment_uuid from order_payment where program_id = $1 and order_uuid = any($2::uuid[])
      ) returning 1`,
    values: [program_id, orders],
  }
}
