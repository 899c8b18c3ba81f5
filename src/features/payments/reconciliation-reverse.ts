import type { Database } from '../../db/pool.ts'
import { AUTO_REFUND_REASON } from '../../domain/events.ts'
import { decideAutoRefund, type Refund } from '../../domain/refund.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { changePayment, findPayment } from '../orders/payment-queries.ts'
import { refundFacts, writeRefund } from '../orders/refund-write.ts'
import { changeOrder } from '../orders/service.ts'
import type { ToReconcile } from './reconciliation-queries.ts'

/** `changed`: the payment is not as it was compared. `kept`: the order's state allows no reversal. */
export type Reversal = Refund | { readonly kind: 'changed' | 'kept' }

/**
 * Takes an order back in full whose payment its provider does not know: points of both legs, `fully_refunded`, the event,
 * all in one transaction, and nothing is sent to the provider. Decisions §12.
 */
export async function reverseOrder(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { program_id, merchant_id, order_uuid, payment_uuid, updated_at }: ToReconcile,
): Promise<Reversal> {
  const merchant = await loadMerchant(db, program_id, merchant_id)
  if (merchant === null) throw new Error('an order without a merchant')
  return changeOrder(db, merchant, order_uuid, async (tx, order) => {
    const payment = await tx.one(findPayment(program_id, payment_uuid))
    const same = payment?.updated_at.getTime() === updated_at.getTime()
    if (payment === undefined || !same || (payment.state !== 'paid' && payment.state !== 'authorized'))
      return { kind: 'changed' }
    const refund = decideAutoRefund(refundFacts(merchant, order, payment))
    if (refund.kind !== 'refund') return { kind: 'kept' }
    const now = clock.now()
    const writing = { refund_uuid: newUuid(), merchant, order, paid: payment, refund, reason: AUTO_REFUND_REASON }
    writeRefund(tx, writing, now)
    void tx.run(changePayment(payment, { state: 'failed', error: 'reversed', reconciled_at: now }, now))
    return refund
  })
}
