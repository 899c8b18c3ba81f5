import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import { failureReasons, most_payments, type PaymentState } from '../../domain/payment.ts'
import type { PaymentMethod } from '../../domain/payment-method.ts'
import { after } from '../../domain/spans.ts'
import { latestEnd } from '../../lib/clock.ts'
import { type PaymentProviderName, paymentErrors } from '../../providers/payment/port.ts'
import type { OrderKey } from './order.ts'

/**
 * Why a payment failed: what its provider said, or one of ours. `unavailable`: this deployment cannot call the provider.
 * `expired`, `changed`: it was cancelled with the checkout or by the customer. `order moved`: the merchant moved the order.
 * `amount`: the amount was not the one asked for. `reversed`: the provider's record did not show it afterwards.
 */
const ownProblems = ['unavailable', 'expired', 'changed', 'amount', 'order moved', 'reversed'] as const
export const paymentProblems = [...paymentErrors, ...failureReasons, ...ownProblems] as const

export type PaymentProblem = (typeof paymentProblems)[number]

/** A payment of what points do not pay. Its `state` changes only under its order's lock; its page and lease also without. */
export interface PaymentRow {
  readonly program_id: number
  readonly payment_uuid: Uuid
  readonly order_uuid: Uuid
  readonly provider: PaymentProviderName
  readonly provider_reference: string | null
  readonly amount_halalas: Halalas
  readonly kind: 'sale' | 'auth'
  readonly state: PaymentState
  readonly page_url: string | null
  readonly error: PaymentProblem | null
  /** Null while nothing is paid, and where the provider does not say it. */
  readonly paid_with: PaymentMethod | null
  readonly updated_at: Date
}

export type PaymentKey = Pick<PaymentRow, 'program_id' | 'payment_uuid'>

function selectPayments() {
  return builder
    .selectFrom('order_payment as p')
    .select([
      'p.program_id',
      'p.payment_uuid',
      'p.order_uuid',
      'p.provider',
      'p.provider_reference',
      'p.amount_halalas',
      'p.kind',
      'p.state',
      'p.page_url',
      'p.error',
      'p.paid_with',
      'p.updated_at',
    ])
}

const paymentsText = prepared<PaymentRow>(
  'payments.of_order',
  `select p.* from (
     select p.* from (
       select p.program_id, p.payment_uuid, p.order_uuid, p.provider, p.provider_reference, p.amount_halalas, p.kind, p.state,
         p.page_url, p.error, p.paid_with, p.updated_at
       from order_payment p
       where p.program_id = $1 and p.order_uuid = $2 and (p.program_id, p.order_uuid) >= ($1, $2)
       offset 0
     ) p order by p.payment_uuid desc limit $3
   ) p order by p.payment_uuid`,
)

/** The payments of an order, the oldest first: at most `most_payments`. A new one begins only when the last has failed. */
export function findPayments(program_id: number, order_uuid: Uuid): Statement<PaymentRow> {
  return paymentsText(program_id, order_uuid, most_payments)
}

/** A payment with its merchant. */
export type OwnedPayment = PaymentRow & { readonly merchant_id: number }

/** A payment by its id. */
export function findPayment(program_id: number, payment_uuid: Uuid): CompiledQuery<OwnedPayment> {
  return selectPayments()
    .innerJoin('orders as o', (join) =>
      join.onRef('o.program_id', '=', 'p.program_id').onRef('o.order_uuid', '=', 'p.order_uuid'),
    )
    .select('o.merchant_id')
    .where('p.program_id', '=', program_id)
    .where('p.payment_uuid', '=', payment_uuid)
    .$castTo<OwnedPayment>()
    .compile()
}

export type NewPayment = Pick<
  PaymentRow,
  'program_id' | 'payment_uuid' | 'order_uuid' | 'provider' | 'amount_halalas' | 'kind'
>

/** Writes a payment and leases it to the caller, who asks the provider for its page after the commit. */
export function insertPayment(payment: NewPayment, leased_until: Date, now: Date): CompiledQuery<unknown> {
  return builder
    .insertInto('order_payment')
    .values({ ...payment, state: 'created', leased_until, created_at: now, updated_at: now })
    .compile()
}

const leaseText = prepared<{ payment_uuid: Uuid }>(
  'payments.lease_page',
  `update order_payment set leased_until = $4
   where program_id = $1 and payment_uuid = $2 and state = $5 and page_url is null
     and (program_id, payment_uuid) >= ($1, $2)
     and (leased_until is null or leased_until <= $3 or leased_until > $6)
   returning payment_uuid`,
)

/**
 * Leases a payment that has no page yet for a time, by the machine's clock. Gives nothing when another process has the lease; one
 * that ends later than any lease is nobody's.
 */
export function leasePayment(
  { program_id, payment_uuid }: PaymentKey,
  now: Date,
  lease_ms: number,
): Statement<{ payment_uuid: Uuid }> {
  const until = after(now, lease_ms)
  return leaseText(program_id, payment_uuid, now, until, 'created', latestEnd(now.getTime(), lease_ms))
}

/** Ends a lease before its time, so that the next caller need not wait. */
export function endLease({ program_id, payment_uuid }: PaymentKey): CompiledQuery<unknown> {
  return builder
    .updateTable('order_payment')
    .set({ leased_until: null })
    .where('program_id', '=', program_id)
    .where('payment_uuid', '=', payment_uuid)
    .compile()
}

/** Saves the page of a payment. Gives nothing when the payment was cancelled meanwhile: nobody may be sent there. */
export function writePage(
  { program_id, payment_uuid }: PaymentKey,
  page: { readonly provider_reference: string; readonly page_url: string },
): CompiledQuery<{ payment_uuid: Uuid }> {
  return builder
    .updateTable('order_payment')
    .set({ ...page, leased_until: null })
    .where('program_id', '=', program_id)
    .where('payment_uuid', '=', payment_uuid)
    .where('state', '=', 'created')
    .returning('payment_uuid')
    .$castTo<{ payment_uuid: Uuid }>()
    .compile()
}

export interface PaymentChanges {
  readonly state: PaymentState
  readonly error?: PaymentProblem | null
  readonly provider_reference?: string
  readonly paid_with?: PaymentMethod | null
  readonly reconciled_at?: Date
  /** The account that had the provider's record. */
  readonly provider_account?: string
  readonly own_account?: boolean
}

/** Changes a payment. The caller has locked its order. */
export function changePayment(
  { program_id, payment_uuid }: PaymentKey,
  changes: PaymentChanges,
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .updateTable('order_payment')
    .set({ ...changes, leased_until: null, updated_at: now })
    .where('program_id', '=', program_id)
    .where('payment_uuid', '=', payment_uuid)
    .compile()
}

const queueGiveBackText = prepared<never>(
  'payments.queue_give_back',
  `insert into payment_task
     (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, state, attempts, due_at, created_at)
   select $1::bigint, $3, p.payment_uuid, p.order_uuid, 'give_back', p.amount_halalas, 'due', 0, $4, $4
   from order_payment p
   where p.program_id = $1 and p.order_uuid = $2 and p.state = 'created'
     and (p.program_id, p.order_uuid) >= ($1, $2)`,
)

const failCreatedText = prepared<never>(
  'payments.fail_created',
  `update order_payment set state = 'failed', error = $3, leased_until = null, updated_at = $4
   where program_id = $1 and order_uuid = $2 and state = 'created'
     and (program_id, order_uuid) >= ($1, $2)`,
)

/** Two statements, in this order, for the payment under way of an order: queue that it is given back, and fail it. */
export function cancelCreated(
  { program_id, order_uuid }: OrderKey,
  task: { readonly task_uuid: Uuid; readonly due_at: Date },
  failed: { readonly error: PaymentProblem; readonly now: Date },
): readonly Statement<never>[] {
  return [
    queueGiveBackText(program_id, order_uuid, task.task_uuid, task.due_at),
    failCreatedText(program_id, order_uuid, failed.error, failed.now),
  ]
}

const markText = prepared<never>(
  'reconciliation.mark',
  `update order_payment set reconciled_at = $3
   where program_id = $1 and payment_uuid = $2 and state = any($4::text[])
     and (program_id, payment_uuid) >= ($1, $2)`,
)

/** Marks a payment whose provider's record agrees, so that it is not compared again. */
export function markReconciled({ program_id, payment_uuid }: PaymentKey, now: Date): Statement<never> {
  return markText(program_id, payment_uuid, now, ['authorized', 'paid'])
}

const markRefundedText = prepared<never>(
  'reconciliation.pass_over',
  `update order_payment p set reconciled_at = $3 from orders o
   where p.program_id = $1 and p.state in ('authorized', 'paid') and p.reconciled_at is null and p.updated_at <= $2
     and o.program_id = $1 and o.order_uuid = p.order_uuid and o.order_status = 'fully_refunded'`,
)

/** Marks the payments of fully refunded orders, which need no comparison. */
export function markRefundedReconciled(program_id: number, before: Date, now: Date): Statement<never> {
  return markRefundedText(program_id, before, now)
}

/** Deletes the payments of locked orders. Their tasks are deleted first. */
export function deletePayments(program_id: number, orders: readonly Uuid[]): Statement<unknown> {
  return {
    text: `delete from order_payment where program_id = $1 and order_uuid = any($2::uuid[]) returning 1`,
    values: [program_id, orders],
  }
}
