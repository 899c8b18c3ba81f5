import { createPaymentProviders } from '../../src/app/ports.ts'
import type { ServiceParts } from '../../src/app/services.ts'
import type { Database } from '../../src/db/pool.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { createReleaseExpired, type ExpiryParts, type ExpiryRound } from '../../src/features/checkout/expiry.ts'
import { createLimits } from '../../src/features/limits/service.ts'
import {
  createLimitPayments,
  type PaymentClient,
  unproven_payments_per_hour,
} from '../../src/features/payments/limit.ts'
import { createReconcile, type Finding, type ReconcileParts } from '../../src/features/payments/reconciliation.ts'
import { createAskProvider, type SettleParts } from '../../src/features/payments/settle.ts'
import { createRunDueTasks, type TaskParts } from '../../src/features/payments/tasks.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { merchantPayments } from '../../src/providers/payment/merchant.ts'
import type { PaymentProvider, PaymentProviderName, PaymentProviders } from '../../src/providers/payment/port.ts'
import { secret_key } from './secret-key.ts'

/** The providers of a deployment without credentials. A sandbox has the sandbox provider, with its books in `db`. */
export function paymentsOn(
  db: Database,
  clock: Clock,
  { secret_key, ...place }: Pick<ServiceParts, 'secret_key' | 'environment' | 'public_url'>,
): PaymentProviders {
  const none = { url: undefined, account: undefined }
  const { environment, public_url } = place
  const secrets = createSecretBox(secret_key)
  const settings = { paytabs: none, moyasar: none }
  return createPaymentProviders({ db, clock, secrets, environment, public_url, settings })
}

/** The same providers for every merchant. */
export function providersOf(
  providers: Readonly<Partial<Record<PaymentProviderName, PaymentProvider>>>,
): PaymentProviders {
  return { of: async (_, name) => providers[name] }
}

/** Merchants collect the money themselves. */
export const onlyMerchants = providersOf({ merchant: merchantPayments })

const never = () => Promise.reject(new Error('not to be asked'))

/** A provider with the answers of a test. Any other call fails. */
export function providerThat(answers: Partial<PaymentProvider>): PaymentProvider {
  return {
    name: 'paytabs',
    page_origins: [],
    create: never,
    capture: never,
    void: never,
    refund: never,
    query: never,
    checkAccount: never,
    isGenuine: () => false,
    ...answers,
  }
}

/** Performs the payment tasks that are due at `at_ms`, as a worker does. Returns the number of attempts. */
export function performDue(
  db: Database,
  payments: PaymentProviders,
  { at_ms = Date.now(), ...parts }: { readonly at_ms?: number } & Partial<TaskParts> = {},
): Promise<number> {
  const clock = { now: () => new Date() }
  return createRunDueTasks({ db, clock, payments, now: () => at_ms, onError: rethrow, ...parts })()
}

/** Releases the checkouts that were not paid in time, as a worker does in one round. */
export function releaseExpired(parts: SettleParts & Pick<ExpiryParts, 'onError'>): Promise<ExpiryRound> {
  return createReleaseExpired({ ...parts, askProvider: createAskProvider(parts) })()
}

/** Compares payments with their providers an hour after they were made, as a worker does. Returns the findings. */
export async function reconcilePayments(parts: Omit<ReconcileParts, 'grace_s'>): Promise<Finding[]> {
  const findings: Finding[] = []
  await createReconcile({ ...parts, grace_s: 3_600 })((finding) => findings.push(finding))
  return findings
}

function rethrow(error: unknown): never {
  throw error
}

export interface Due {
  readonly program_id: number
  readonly order_uuid: Uuid
  readonly payment_uuid: Uuid
}

/** A payment, its tasks and its refunds: `payment: 'paid', tasks: ['capture done'], legs: []`. */
export async function duePayments(db: Database, { program_id, order_uuid, payment_uuid }: Due) {
  const [payment] = await db.run<{ state: string }>({
    text: 'select state from order_payment where program_id = $1 and payment_uuid = $2',
    values: [program_id, payment_uuid],
  })
  const tasks = await db.run<{ what: string }>({
    text: `select kind || ' ' || state as what from payment_task where program_id = $1 and payment_uuid = $2
      order by task_uuid`,
    values: [program_id, payment_uuid],
  })
  const legs = await db.run<{ provider_state: string }>({
    text: 'select provider_state from order_refund where program_id = $1 and order_uuid = $2 order by refund_uuid',
    values: [program_id, order_uuid],
  })
  return {
    payment: payment?.state,
    tasks: tasks.map(({ what }) => what),
    legs: legs.map(({ provider_state }) => provider_state),
  }
}

/** Counts as many payments without a code as an address may begin at a merchant within an hour, all but `left`. */
export async function usePayments(db: Database, of: PaymentClient, left: number): Promise<void> {
  const count = createLimitPayments(createLimits({ db, secrets: createSecretBox(secret_key) }))
  const attempt = async (counted: boolean) => ({ kind: counted ? 'to pay' : 'not counted', leased: counted })
  for (let times = left; times < unproven_payments_per_hour; times += 1) {
    const { kind } = await count(of, attempt)
    if (kind !== 'to pay') throw new Error(`a payment was not counted: ${kind}`)
  }
}
