import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'

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
   where program_id = $1 and order_uuid = $2 and state in ('paid', 'authorized')
     and (program_id, order_uuid) between ($1, $2) and ($1, $2)`,
)

/**
 * What a provider has collected for a captured or approved order, at most one payment; changes under the order's lock alone.
 * One that is `authorized` still is being captured, and what is to be paid back of it waits for that.
 */
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
