import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import { Refused } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Halalas } from '../../domain/money.ts'
import { decideRefund } from '../../domain/refund.ts'
import { newUuid } from '../../entropy.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import type { Order } from '../orders/order.ts'
import { changeOrder } from '../orders/story.ts'
import { payBack } from './pay-back.ts'
import { findPaid } from './queries.ts'
import { refundFacts, writeRefund } from './write.ts'

export interface AskedRefund {
  /** Null for all that is left. */
  readonly amount_halalas: Halalas | null
  readonly reason: string | null
}

/** Refunds an order of this merchant and gives it as it is then. Refused: `order_not_found`, and what `decideRefund` says. */
export type RefundOrder = (
  merchant: Merchant,
  order_uuid: Uuid,
  asked: AskedRefund,
  beforeCommit?: BeforeCommit<Order>,
) => Promise<Order>

export interface RefundOptions {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
}

/**
 * Decisions §8. Points of both legs, the order and the event change together; money that a provider collected is paid
 * back after the commit, and stays due until the provider has said that it was.
 */
export function createRefundOrder({ db, clock, payments }: RefundOptions): RefundOrder {
  return async (merchant, order_uuid, asked, beforeCommit) => {
    const refund_uuid = newUuid()
    const { order, due } = await changeOrder(db, merchant, order_uuid, async (tx, before) => {
      const now = clock.now()
      const paid = await tx.one(findPaid(before))
      const refund = decideRefund(refundFacts(merchant, before, paid), asked.amount_halalas, now.getTime())
      if (refund.kind !== 'refund') throw new Refused(refund)
      const { reason } = asked
      const refunded = writeRefund(tx, { refund_uuid, merchant, order: before, paid, refund, reason }, now)
      await beforeCommit?.(tx, refunded)
      return { order: refunded, due: refund.provider_refund_halalas > 0 }
    })
    const { program_id, merchant_id } = merchant
    if (due) await payBack(db, payments, { program_id, merchant_id, refund_uuid })
    return order
  }
}
