import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'
import { insertPayment, type NewPayment } from '../orders/payment-queries.ts'
import { page_lease_ms } from './page.ts'

/** How a merchant has remainders collected. */
export interface PaymentTerms {
  readonly payment_provider: PaymentProviderName
  readonly payment_flow: 'sale' | 'two_step'
}

/**
 * Writes a payment of a locked order's remainder in the caller's transaction, so that it is known before its provider is. The
 * caller holds its lease, and asks for its page once this has been committed.
 */
export function beginPayment(
  tx: Transaction,
  order: { readonly program_id: number; readonly order_uuid: Uuid; readonly remainder_halalas: Halalas },
  payment_uuid: Uuid,
  { payment_provider: provider, payment_flow }: PaymentTerms,
  now: Date,
): NewPayment {
  const { program_id, order_uuid, remainder_halalas: amount_halalas } = order
  const kind = payment_flow === 'two_step' ? 'auth' : 'sale'
  const payment = { program_id, payment_uuid, order_uuid, provider, amount_halalas, kind } as const
  void tx.run(insertPayment(payment, new Date(Date.now() + page_lease_ms), now))
  return payment
}
