import type { PaymentProvider, PaymentProviderName, PaymentProviders } from '../../src/providers/payment/port.ts'

/** The same providers for every merchant. */
export function providersOf(
  providers: Readonly<Partial<Record<PaymentProviderName, PaymentProvider>>>,
): PaymentProviders {
  return { of: async (_, name) => providers[name] }
}

const never = () => Promise.reject(new Error('not to be asked'))

/** A provider that answers what a test says, and fails what the test does not expect. */
export function providerThat(answers: Partial<PaymentProvider>): PaymentProvider {
  return {
    name: 'paytabs',
    page_origins: [],
    create: never,
    capture: never,
    void: never,
    refund: never,
    query: never,
    isGenuine: () => false,
    ...answers,
  }
}
