import type { Database } from '../../db/pool.ts'
import { minute_ms } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import type { JobBook } from '../../lib/job-book.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import { createReconcile, type Finding } from '../payments/reconciliation.ts'
import { createAskProvider, type SettleParts } from '../payments/settle.ts'
import { type AbandonedParts, type AbandonedRound, createPurgeAbandoned } from './abandoned.ts'
import { createReleaseExpired } from './expiry.ts'

const expiry_pause_ms = 5_000
const reconcile_pause_ms = 5 * minute_ms
const abandoned_pause_ms = 30_000

export interface CheckoutJobsParts extends AbandonedParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  readonly log: Log
  readonly reconcile_grace_s: number
  readonly jobs?: JobBook
}

/**
 * Starts the background jobs of the checkout: release expired checkouts, compare payments with their providers' records,
 * and delete abandoned checkouts. Any number of processes may run them.
 * @returns a function that stops them
 */
export function startCheckoutJobs({ reconcile_grace_s, jobs, ...parts }: CheckoutJobsParts): () => Promise<void> {
  const { log } = parts
  const askProvider = createAskProvider({ ...parts, onOddPayment: logOddPayment(log) })
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'an expired checkout could not be released and is tried again')
  const stops = [
    startWorkerLoop({
      work: createReleaseExpired({ ...parts, askProvider, onError }),
      pause_ms: expiry_pause_ms,
      record: jobs?.of('expiry'),
      onFailure: (error) => log.warn({ err: error }, 'expired checkouts could not be read and are tried again'),
    }),
    startWorkerLoop({
      work: reconciling(createReconcile({ ...parts, grace_s: reconcile_grace_s }), log),
      pause_ms: reconcile_pause_ms,
      // After each round the providers are asked again for all that does not agree.
      failure_pause_ms: reconcile_pause_ms,
      record: jobs?.of('reconciliation'),
      onFailure: (error) => log.warn({ err: error }, 'payments could not be compared and are tried again'),
    }),
    startWorkerLoop({
      work: purging(createPurgeAbandoned(parts), log),
      pause_ms: abandoned_pause_ms,
      record: jobs?.of('abandoned checkouts'),
      onFailure: (error) => log.warn({ err: error }, 'abandoned checkouts could not be deleted and are tried again'),
    }),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function purging(
  purgeAbandoned: ReturnType<typeof createPurgeAbandoned>,
  log: Log,
): (stopping: AbortSignal) => Promise<void> {
  return async (stopping) => {
    logPurged(log, await purgeAbandoned(stopping))
  }
}

/** Logs what a round has deleted, and by merchant how many orders it deleted that could still have been completed. */
export function logPurged(log: Log, { deleted, bytes, promised }: AbandonedRound): void {
  if (deleted > 0) log.info({ deleted, bytes }, 'abandoned checkouts were deleted')
  const counts = new Map<number, (typeof promised)[number]>()
  for (const one of promised)
    counts.set(one.merchant_id, { ...one, count: one.count + (counts.get(one.merchant_id)?.count ?? 0) })
  for (const one of counts.values())
    log.warn(one, 'confirmed orders were deleted for lack of room: raise NUQTA_CHECKOUT_STORE_MB')
}

/** Logs a payment that goes back because its amount is not the one asked for. */
export function logOddPayment(log: Log): NonNullable<SettleParts['onOddPayment']> {
  return ({ program_id, payment_uuid, provider }) =>
    log.warn({ program_id, payment_uuid, provider }, 'a payment has another amount than asked for: it goes back')
}

/** Logs each finding once, not in every run for as long as it stands. */
function reconciling(
  reconcile: ReturnType<typeof createReconcile>,
  log: Log,
): (stopping: AbortSignal) => Promise<void> {
  let logged = new Set<string>()
  return async (stopping) => {
    const found = new Set<string>()
    await reconcile((finding) => {
      const key = `${finding.payment_uuid} ${finding.finding} ${finding.action}`
      found.add(key)
      if (!logged.has(key)) logFinding(log, finding)
    }, stopping)
    logged = found
  }
}

function logFinding(log: Log, { detail, ...finding }: Finding): void {
  // Not as `detail`, which the log hides because database errors put rows there.
  const text =
    finding.action === 'reversed'
      ? 'an order was reversed: its provider does not know the payment'
      : 'a payment needs a look'
  log.warn({ ...finding, provider_says: detail }, text)
}
