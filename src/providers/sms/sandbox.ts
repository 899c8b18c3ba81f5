import type { SmsSender } from './port.ts'

/** Sends nothing: a sandbox shows its codes on the page. docs/spec/customers.md#sandbox-codes */
export const sandboxSms: SmsSender = {
  name: 'sandbox',
  reaches_phones: false,
  send: () => Promise.resolve({ kind: 'sent', reference: null }),
}
