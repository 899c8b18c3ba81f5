import { newUuid } from '../../lib/ids.ts'
import { failure } from './http.ts'
import type { PaymentAccountChecked, PaymentError, PaymentRef } from './port.ts'

type Found = { readonly kind: 'cart' } | { readonly kind: 'invoice' }

/**
 * Checks credentials by asking for the payment of a new uuid. "There is none" is an answer that only an account gets;
 * everything else says what is wrong.
 */
export async function askForNone(
  read: (ref: PaymentRef) => Promise<PaymentError | Found>,
): Promise<PaymentAccountChecked> {
  const answer = await read({ program_id: 0, payment_uuid: newUuid(), provider_reference: null })
  if (answer.kind === 'not_found') return { kind: 'accepted' }
  if (answer.kind === 'cart' || answer.kind === 'invoice')
    return failure('unknown', 'the provider gave a payment that nobody made')
  return answer
}
