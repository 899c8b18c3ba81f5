import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { SandboxPayment } from '../../domain/sandbox-payment.ts'
import type { PaymentRequest, RefundRequest } from '../../providers/payment/port.ts'

/** A payment of the sandbox's provider, with what its page shows. */
export interface SandboxRow extends SandboxPayment {
  readonly description: string
  readonly return_url: string
}

interface Key {
  readonly program_id: number
  readonly payment_uuid: Uuid
}

const columns = `kind, state, card, amount_halalas, refunded_halalas, settles_at, vanishes_at, description, return_url`

const findText = prepared<SandboxRow>(
  'sandbox.find',
  `select ${columns} from sandbox_payment where program_id = $1 and payment_uuid = $2`,
)

const lockText = prepared<SandboxRow>(
  'sandbox.lock',
  `select ${columns} from sandbox_payment where program_id = $1 and payment_uuid = $2 for no key update`,
)

/** A payment of the sandbox. */
export function findSandboxPayment({ program_id, payment_uuid }: Key): Statement<SandboxRow> {
  return findText(program_id, payment_uuid)
}

/** The same, locked until the transaction ends. */
export function lockSandboxPayment({ program_id, payment_uuid }: Key): Statement<SandboxRow> {
  return lockText(program_id, payment_uuid)
}

/** Inserts a payment, unless it exists. */
export function insertSandboxPayment(request: PaymentRequest, now: Date): CompiledQuery<unknown> {
  const { program_id, payment_uuid, kind, amount_halalas, description, return_url, callback_url } = request
  return builder
    .insertInto('sandbox_payment')
    .values({
      ...{ program_id, payment_uuid, kind, amount_halalas, description, return_url, callback_url },
      ...{ state: 'pending', created_at: now, updated_at: now },
    })
    .onConflict((conflict) => conflict.columns(['program_id', 'payment_uuid']).doNothing())
    .compile()
}

/** Changes a locked payment. */
export function updateSandboxPayment(
  { program_id, payment_uuid }: Key,
  changes: Partial<SandboxPayment>,
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .updateTable('sandbox_payment')
    .set({ ...changes, updated_at: now })
    .where('program_id', '=', program_id)
    .where('payment_uuid', '=', payment_uuid)
    .compile()
}

/** The refunds of a payment. */
export function findSandboxRefunds({ program_id, payment_uuid }: Key): CompiledQuery<{ refund_uuid: Uuid }> {
  return builder
    .selectFrom('sandbox_refund')
    .select('refund_uuid')
    .where('program_id', '=', program_id)
    .where('payment_uuid', '=', payment_uuid)
    .orderBy('refund_uuid')
    .$castTo<{ refund_uuid: Uuid }>()
    .compile()
}

/** Inserts a refund of a locked payment. */
export function insertSandboxRefund(request: RefundRequest, now: Date): CompiledQuery<unknown> {
  const { program_id, payment_uuid, refund_uuid, amount_halalas } = request
  return builder
    .insertInto('sandbox_refund')
    .values({ program_id, refund_uuid, payment_uuid, amount_halalas, created_at: now })
    .compile()
}

/** Deletes the sandbox's payments of locked orders. */
export function deleteSandboxPayments(program_id: number, orders: readonly Uuid[]): Statement<unknown> {
  return {
    text: `delete from sandbox_payment where program_id = $1 and payment_uuid in (
        select payment_uuid from order_payment where program_id = $1 and order_uuid = any($2::uuid[])
      ) returning 1`,
    values: [program_id, orders],
  }
}
