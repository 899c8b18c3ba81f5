import type { PaymentDone, PaymentProvider } from './port.ts'

const done: PaymentDone = { kind: 'done', reference: null }

/**
 * The merchant collects the money and gives it back. It tells us with `complete`, or with `authorize` and `capture`, so
 * nobody is called. docs/spec/payments.md#providers
 */
export const merchantPayments: PaymentProvider = {
  name: 'merchant',
  page_origins: [],
  create: () => Promise.resolve({ kind: 'collected_by_merchant' }),
  capture: () => Promise.resolve(done),
  void: () => Promise.resolve(done),
  refund: () => Promise.resolve(done),
  query: () => Promise.resolve({ kind: 'not_found', detail: 'the merchant collects the money itself' }),
  checkAccount: () => Promise.resolve({ kind: 'nobody_to_ask' }),
  isGenuine: () => false,
}
