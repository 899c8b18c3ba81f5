import type { PaymentDone, PaymentProvider, PaymentProviders } from './port.ts'

const done: PaymentDone = { kind: 'done', reference: null }

/**
 * The merchant collects the money and gives it back (decisions §6): it tells us with `complete`, or `authorize` and
 * `capture`, and nobody is called.
 */
export const merchantPayments: PaymentProvider = {
  name: 'merchant',
  page_origins: [],
  create: () => Promise.resolve({ kind: 'collected_by_merchant' }),
  capture: () => Promise.resolve(done),
  void: () => Promise.resolve(done),
  refund: () => Promise.resolve(done),
  query: () => Promise.resolve({ kind: 'not_found', detail: 'the merchant collects the money itself' }),
  isGenuine: () => false,
}

/** Where no provider is called. */
export const onlyMerchants: PaymentProviders = {
  of: (_, name) => Promise.resolve(name === 'merchant' ? merchantPayments : undefined),
}
