import type { Database } from '../../src/db/pool.ts'
import { createRunDueTasks, type TaskParts } from '../../src/features/payments/tasks.ts'
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

/** Tells providers what is due, as a worker does, at an instant of the machine's clock; gives how many attempts that took. */
export function performDue(
  db: Database,
  payments: PaymentProviders,
  { at_ms = Date.now(), ...parts }: { readonly at_ms?: number } & Partial<TaskParts> = {},
): Promise<number> {
  const clock = { now: () => new Date() }
  return createRunDueTasks({ db, clock, payments, now: () => at_ms, onError: rethrow, ...parts })()
}

function rethrow(error: unknown): never {
  throw error
}
