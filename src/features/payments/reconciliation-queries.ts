import { programsWith } from '../../db/programs.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import { first_uuid, type Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'

const findProgramsText = prepared<{ program_id: number }>(
  'reconciliation.programs',
  programsWith(
    `select from order_payment y where y.program_id = p.program_id and y.state in ('authorized', 'paid')
       and y.reconciled_at is null and y.updated_at <= $1`,
  ),
)

/** The programs with payments to compare. */
export function findProgramsToReconcile(before: Date): Statement<{ program_id: number }> {
  return findProgramsText(before)
}

/** A payment of a paid order, to compare with its provider's record. */
export interface ToReconcile {
  readonly program_id: number
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly order_number: string
  readonly reference_number: string
  readonly order_status: OrderState
  readonly payment_uuid: Uuid
  readonly provider: PaymentProviderName
  readonly provider_reference: string | null
  readonly amount_halalas: Halalas
  readonly updated_at: Date
  readonly refunds_halalas: Halalas
  readonly capture_due: boolean
  readonly provider_account: string | null
}

const toReconcileText = prepared<ToReconcile>(
  'reconciliation.payments',
  `select p.program_id, o.merchant_id, p.order_uuid, o.order_number, o.reference_number, o.order_status, p.payment_uuid,
     p.provider, p.provider_reference, p.provider_account, p.amount_halalas, p.updated_at,
     (select coalesce(sum(r.provider_halalas), 0)::bigint from order_refund r
      where r.program_id = $1 and r.order_uuid = p.order_uuid and r.payment_uuid = p.payment_uuid
        and (r.program_id, r.order_uuid) >= ($1, p.order_uuid)) as refunds_halalas,
     exists (select from payment_task t where t.program_id = $1 and t.payment_uuid = p.payment_uuid
       and t.kind = 'capture' and t.state = $6
       and (t.program_id, t.payment_uuid, t.kind) >= ($1, p.payment_uuid, 'capture')) as capture_due
   from order_payment p
   cross join lateral (
     select o.* from orders o
     where o.program_id = $1 and o.order_uuid = p.order_uuid and (o.program_id, o.order_uuid) >= ($1, p.order_uuid) limit 1
   ) o
   where p.program_id = $1 and p.state in ('authorized', 'paid') and p.reconciled_at is null and p.updated_at <= $2
     and o.order_status in ('approved', 'captured', 'partially_refunded') and o.paid_at <= $2
     and (p.updated_at, p.payment_uuid) > ($3, $4) and (p.program_id, p.updated_at) >= ($1, $3)
   order by p.updated_at, p.payment_uuid
   limit $5`,
)

/** The last payment that a run has read. */
export type Position = Pick<ToReconcile, 'updated_at' | 'payment_uuid'>

const start: Position = { updated_at: new Date(0), payment_uuid: first_uuid }

/** Payments of orders that were paid before an instant and have not been compared, the oldest first. */
export function findToReconcile(
  program_id: number,
  before: Date,
  after: Position = start,
  limit = 100,
): Statement<ToReconcile> {
  return toReconcileText(program_id, before, after.updated_at, after.payment_uuid, limit, 'due')
}
