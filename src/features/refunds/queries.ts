import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'

interface OrderKey {
  readonly program_id: number
  readonly order_uuid: Uuid
}

/** Money that a provider has collected for an order. */
export interface PaidPayment {
  readonly payment_uuid: Uuid
  readonly amount_halalas: Halalas
}

const findPaidText = prepared<PaidPayment>(
  'refunds.paid',
  `select payment_uuid, amount_halalas from order_payment
   where program_id = $1 and order_uuid = $2 and state = 'paid'`,
)

/** What a provider has collected for an order, at most one payment; changes under the order's lock alone. */
export function findPaid({ program_id, order_uuid }: OrderKey): Statement<PaidPayment> {
  return findPaidText(program_id, order_uuid)
}

export interface RefundRow extends OrderKey {
  readonly refund_uuid: Uuid
  readonly refund_halalas: number
  readonly reversed_points: number
  readonly returned_points: number
  readonly provider_halalas: number
  readonly payment_uuid: Uuid | null
  readonly reason: string | null
}

/** Writes a refund; its money leg is due where a provider collected the money. */
export function insertRefund(refund: RefundRow, now: Date): CompiledQuery<unknown> {
  const provider_state = refund.provider_halalas === 0 ? 'none' : 'due'
  return builder
    .insertInto('order_refund')
    .values({ ...refund, provider_state, created_at: now })
    .compile()
}

/** Money to be paid back, with all that its provider is asked. */
export interface DueRefund extends OrderKey {
  readonly refund_uuid: Uuid
  readonly payment_uuid: Uuid
  readonly provider: PaymentProviderName
  readonly provider_reference: string | null
  readonly amount_halalas: Halalas
  readonly reason: string | null
}

/** The money leg of a refund, while it is due. */
export function findDueRefund(program_id: number, refund_uuid: Uuid): CompiledQuery<DueRefund> {
  return builder
    .selectFrom('order_refund as r')
    .innerJoin('order_payment as p', (join) =>
      join.onRef('p.program_id', '=', 'r.program_id').onRef('p.payment_uuid', '=', 'r.payment_uuid'),
    )
    .select([
      'r.program_id',
      'r.order_uuid',
      'r.refund_uuid',
      'p.payment_uuid',
      'p.provider',
      'p.provider_reference',
      'r.provider_halalas as amount_halalas',
      'r.reason',
    ])
    .where('r.program_id', '=', program_id)
    .where('r.refund_uuid', '=', refund_uuid)
    .where('r.provider_state', '=', 'due')
    .$castTo<DueRefund>()
    .compile()
}

/** Ends the money leg of a refund. */
export function endProviderLeg(
  { program_id, refund_uuid }: Pick<DueRefund, 'program_id' | 'refund_uuid'>,
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
