import type { PaymentDone, PaymentProvider } from './port.ts'

const done: PaymentDone = { kind: 'done', reference: null }

/**
 * The merchant collects the money and gives it back (decisions §6): it tells us with `complete`, or `authorize` and
 * `capture`, and nobody is called.
 */
export const merchantPayments: PaymentProvider = {
  name: 'merchant',
  create: () => Promise.resolve({ kind: 'collected by merchant' }),
  capture: () => Promise.resolve(done),
  void: () => Promise.resolve(done),
  refund: () => Promise.resolve(done),
  query: () => Promise.resolve({ kind: 'not_found', detail: 'the merchant collects the money itself' }),
}
