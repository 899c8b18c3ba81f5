import type { Database } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import { createReconcile, type Finding } from '../payments/reconciliation.ts'
import { createAskProvider, type SettleParts } from '../payments/settle.ts'
import { type AbandonedParts, type AbandonedRound, createPurgeAbandoned } from './abandoned.ts'
import { createReleaseExpired } from './expiry.ts'

const expiry_pause_ms = 5_000
const reconcile_pause_ms = 300_000
const abandoned_pause_ms = 30_000

export interface CheckoutJobsParts extends AbandonedParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  readonly log: Log
  readonly reconcile_grace_s: number
}

/**
 * What goes on by itself once checkouts are open: points are let go in time, payments are compared with their providers'
 * records, and checkouts that came to nothing are deleted. Any number of processes may run it.
 * @returns what ends it
 */
export function startCheckoutJobs({ reconcile_grace_s, ...parts }: CheckoutJobsParts): () => Promise<void> {
  const { log } = parts
  const askProvider = createAskProvider({ ...parts, onOddPayment: logOddPayment(log) })
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'a checkout could not be let go and is tried again')
  const ending = [
    startWorkerLoop({
      work: createReleaseExpired({ ...parts, askProvider, onError }),
      pause_ms: expiry_pause_ms,
      onFailure: (error) => log.warn({ err: error }, 'expired checkouts could not be read and are tried again'),
    }),
    startWorkerLoop({
      work: reconciling(createReconcile({ ...parts, grace_s: reconcile_grace_s }), log),
      pause_ms: reconcile_pause_ms,
      onFailure: (error) => log.warn({ err: error }, 'payments could not be compared and are tried again'),
    }),
    startWorkerLoop({
      work: forgetting(createPurgeAbandoned(parts), log),
      pause_ms: abandoned_pause_ms,
      onFailure: (error) => log.warn({ err: error }, 'abandoned checkouts could not be deleted and are tried again'),
    }),
  ]
  return async () => {
    await Promise.all(ending.map((end) => end()))
  }
}

function forgetting(purgeAbandoned: ReturnType<typeof createPurgeAbandoned>, log: Log): () => Promise<void> {
  return async () => {
    logPurged(log, await purgeAbandoned())
  }
}

/** Tells the operator's log what a round has deleted, and by merchant what was deleted though it could still be completed. */
export function logPurged(log: Log, { deleted, bytes, promised }: AbandonedRound): void {
  if (deleted > 0) log.info({ deleted, bytes }, 'checkouts that came to nothing are deleted')
  const counts = new Map<number, (typeof promised)[number]>()
  for (const one of promised)
    counts.set(one.merchant_id, { ...one, count: one.count + (counts.get(one.merchant_id)?.count ?? 0) })
  for (const one of counts.values())
    log.warn(one, 'orders that customers had confirmed are deleted for want of room: NUQTA_CHECKOUT_STORE_MB')
}

/** Tells the operator's log of money that goes back because it is not what was asked for. */
export function logOddPayment(log: Log): NonNullable<SettleParts['onOddPayment']> {
  return ({ program_id, payment_uuid, provider }) =>
    log.warn({ program_id, payment_uuid, provider }, 'a payment is not of the amount asked for: it goes back')
}

/** Tells each finding once, not at every run for as long as it stands. */
function reconciling(reconcile: ReturnType<typeof createReconcile>, log: Log): () => Promise<void> {
  let told = new Set<string>()
  return async () => {
    const found = new Set<string>()
    await reconcile((finding) => {
      const key = `${finding.payment_uuid} ${finding.finding} ${finding.action}`
      found.add(key)
      if (!told.has(key)) tell(log, finding)
    })
    told = found
  }
}

function tell(log: Log, { detail, ...finding }: Finding): void {
  // Not as `detail`, which no log shows: database errors tell rows in it.
  const text =
    finding.action === 'reversed' ? 'an order was taken back: its payment is not there' : 'a payment to look at'
  log.warn({ ...finding, provider_says: detail }, text)
}
