import type { PaymentError, PaymentProvider, PaymentProviderName } from './port.ts'

/**
 * A provider whose credentials cannot be opened. Every call is answered as if the provider did not accept them, so that payments
 * wait as with a provider that is away.
 */
export function unopenedPayments(name: PaymentProviderName, detail: string): PaymentProvider {
  const refuse = (): Promise<PaymentError> => Promise.resolve({ kind: 'credentials', detail })
  return {
    name,
    page_origins: [],
    create: refuse,
    capture: refuse,
    void: refuse,
    refund: refuse,
    query: refuse,
    checkAccount: refuse,
    isGenuine: () => false,
  }
}
