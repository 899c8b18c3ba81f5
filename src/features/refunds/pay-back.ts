import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import type {
  PaymentDone,
  PaymentError,
  PaymentOwner,
  PaymentProvider,
  PaymentProviders,
} from '../../providers/payment/port.ts'
import { type DueRefund, endProviderLeg, findDueRefund } from './queries.ts'

/**
 * Pays back what a refund has made due at a provider. The provider is asked first what it knows, so that a second try
 * after a lost answer pays nothing twice. A leg whose outcome is not known, and one whose provider cannot be called,
 * stays due.
 */
export async function payBack(
  db: Database,
  payments: PaymentProviders,
  { refund_uuid, ...owner }: PaymentOwner & { readonly refund_uuid: Uuid },
): Promise<void> {
  const due = await db.one(findDueRefund(owner.program_id, refund_uuid))
  const provider = due && (await payments.of(owner, due.provider))
  if (due === undefined || provider === undefined) return
  const outcome = await refundOnce(provider, due)
  if (outcome.kind === 'done') await db.run(endProviderLeg(due, 'done', outcome.reference))
  else if (isFinal(outcome)) await db.run(endProviderLeg(due, 'refused', null))
}

async function refundOnce(provider: PaymentProvider, due: DueRefund): Promise<PaymentDone | PaymentError> {
  const record = await provider.query(due)
  if (record.kind !== 'payment') return record
  if (record.refund_uuids?.includes(due.refund_uuid)) return { kind: 'done', reference: null }
  return provider.refund(due)
}

/** It will not be otherwise by asking again: a person has to look at it. */
function isFinal(error: PaymentError): boolean {
  return ['declined', 'refused', 'not_found', 'unsupported'].includes(error.kind)
}
