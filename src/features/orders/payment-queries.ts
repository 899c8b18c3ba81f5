import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import { most_payments, type PaymentState } from '../../domain/payment.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'
import type { PaymentProblem } from '../checkout/view.ts'

/** A payment of the remainder. Its state changes under its order's lock alone; its page and its lease do not. */
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
  readonly updated_at: Date
}

export type PaymentKey = Pick<PaymentRow, 'program_id' | 'payment_uuid'>
type OrderKey = Pick<PaymentRow, 'program_id' | 'order_uuid'>

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
      'p.updated_at',
    ])
}

const paymentsText = prepared<PaymentRow>(
  'remainder.payments',
  `select p.* from (
     select p.* from (
       select p.program_id, p.payment_uuid, p.order_uuid, p.provider, p.provider_reference, p.amount_halalas, p.kind, p.state,
         p.page_url, p.error, p.updated_at
       from order_payment p
       where p.program_id = $1 and p.order_uuid = $2 and (p.program_id, p.order_uuid) >= ($1, $2)
       offset 0
     ) p order by p.payment_uuid desc limit $3
   ) p order by p.payment_uuid`,
)

/**
 * The payments of an order, the oldest first: one after the other, for a new one begins when the last has failed. They are
 * bounded by the rule for how many begin.
 */
export function findPayments(program_id: number, order_uuid: Uuid): Statement<PaymentRow> {
  return paymentsText(program_id, order_uuid, most_payments)
}

/** A payment, with the merchant it is for. */
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

/** Writes a payment that is about to be asked for: whoever writes it holds its lease. */
export function insertPayment(payment: NewPayment, leased_until: Date, now: Date): CompiledQuery<unknown> {
  return builder
    .insertInto('order_payment')
    .values({ ...payment, state: 'created', leased_until, created_at: now, updated_at: now })
    .compile()
}

const leaseText = prepared<{ payment_uuid: Uuid }>(
  'remainder.lease',
  `update order_payment set leased_until = $4
   where program_id = $1 and payment_uuid = $2 and state = $5 and page_url is null
     and (program_id, payment_uuid) >= ($1, $2)
     and (leased_until is null or leased_until <= $3)
   returning payment_uuid`,
)

/** Takes the lease of a payment that has no page yet, by the machine's clock; gives nothing when another has it. */
export function leasePayment(
  { program_id, payment_uuid }: PaymentKey,
  now: Date,
  until: Date,
): Statement<{ payment_uuid: Uuid }> {
  return leaseText(program_id, payment_uuid, now, until, 'created')
}

/** Ends a lease, so that the next who asks need not wait for its end. */
export function endLease({ program_id, payment_uuid }: PaymentKey): CompiledQuery<unknown> {
  return builder
    .updateTable('order_payment')
    .set({ leased_until: null })
    .where('program_id', '=', program_id)
    .where('payment_uuid', '=', payment_uuid)
    .compile()
}

/** Keeps the page of a payment; gives nothing when the payment has been let go meanwhile, so that nobody is sent there. */
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
  readonly reconciled_at?: Date
}

/** Changes a payment, under its order's lock. */
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

const queueGivingBackText = prepared<never>(
  'remainder.queue_giving_back',
  `insert into payment_task
     (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, state, attempts, due_at, created_at)
   select $1::bigint, $3, p.payment_uuid, p.order_uuid, 'give_back', p.amount_halalas, 'due', 0, $4, $4
   from order_payment p
   where p.program_id = $1 and p.order_uuid = $2 and p.state = 'created'
     and (p.program_id, p.order_uuid) between ($1, $2) and ($1, $2)`,
)

const failCreatedText = prepared<never>(
  'remainder.fail_created',
  `update order_payment set state = 'failed', error = $3, leased_until = null, updated_at = $4
   where program_id = $1 and order_uuid = $2 and state = 'created'
     and (program_id, order_uuid) between ($1, $2) and ($1, $2)`,
)

/** Two statements, in this order: what is under way for an order is to be given back, and has failed. */
export function giveBackCreated(
  { program_id, order_uuid }: OrderKey,
  task: { readonly task_uuid: Uuid; readonly due_at: Date },
  failed: { readonly error: PaymentProblem; readonly now: Date },
): readonly Statement<never>[] {
  return [
    queueGivingBackText(program_id, order_uuid, task.task_uuid, task.due_at),
    failCreatedText(program_id, order_uuid, failed.error, failed.now),
  ]
}

const markText = prepared<never>(
  'reconciliation.mark',
  `update order_payment set reconciled_at = $3
   where program_id = $1 and payment_uuid = $2 and state = any($4::text[])
     and (program_id, payment_uuid) >= ($1, $2)`,
)

/** Notes that a payment's record bears it out: it is not compared again. */
export function markReconciled({ program_id, payment_uuid }: PaymentKey, now: Date): Statement<never> {
  return markText(program_id, payment_uuid, now, ['authorized', 'paid'])
}

const passOverText = prepared<never>(
  'reconciliation.pass_over',
  `update order_payment p set reconciled_at = $3 from orders o
   where p.program_id = $1 and p.state in ('authorized', 'paid') and p.reconciled_at is null and p.updated_at <= $2
     and o.program_id = $1 and o.order_uuid = p.order_uuid and o.order_status = 'fully_refunded'`,
)

/** Notes that there is nothing left to compare of orders that were refunded in full. */
export function passOverRefunded(program_id: number, before: Date, now: Date): Statement<never> {
  return passOverText(program_id, before, now)
}
