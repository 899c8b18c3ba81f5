import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/pool.ts'
import { maxAttempts } from '../../domain/delivery.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { type Attempt, interruptedResult, prepareAttempt, type RetryPolicy } from './attempt.ts'
import { type ClaimedDelivery, claimDue, dueSettings } from './delivery-queries.ts'
import type { Claim, ClaimResult, Reservation } from './fair-queue.ts'
import type { Result } from './result-writer.ts'
import { secretBelongsTo } from './service.ts'

/** The attempts that a claim gave for one webhook. */
export interface ClaimedQueue {
  readonly reservation: Reservation
  readonly attempts: readonly Attempt[]
  readonly result: ClaimResult
}

export interface ClaimedAttempts {
  readonly queues: readonly ClaimedQueue[]
  /** Results of interrupted attempts, and of deliveries that cannot be sent. Still to be written. */
  readonly results: readonly Result[]
  /** The number of interrupted attempts: their leases had expired. */
  readonly interrupted: number
}

export interface ClaimParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly retries: RetryPolicy
  readonly lease_ms: number
}

/** Leases due deliveries and counts their attempts, in one round trip. */
export function createClaim(parts: ClaimParts): (claim: Claim) => Promise<ClaimedAttempts> {
  const { db, secrets, retries, lease_ms } = parts
  const openSecret = cacheSecrets(secrets)
  const max_attempts = maxAttempts(retries.retry_delays_s)
  return async ({ program_id, reservations }) => {
    const now_ms = retries.now()
    const lease = { now: new Date(now_ms), until: new Date(now_ms + lease_ms), max_attempts }
    const { rows } = await db.transaction(async (tx) => ({ rows: tx.run(claimDue(program_id, reservations, lease)) }), {
      settings: dueSettings,
    })
    const claimed = await rows
    const interrupted = claimed.flatMap((one) => interruptedResult(one, lease_ms, retries))
    const prepared = claimed.flatMap((one) => prepareAttempt(one, openSecret, retries))
    const attempts = prepared.flatMap((one) => ('request' in one ? [one] : []))
    const unsent = prepared.flatMap((one) => ('result' in one ? [one.result] : []))
    const queues = groupByQueue(reservations, claimed, attempts)
    return { queues, results: [...interrupted, ...unsent], interrupted: interrupted.length }
  }
}

function groupByQueue(
  reservations: readonly Reservation[],
  claimed: readonly ClaimedDelivery[],
  attempts: readonly Attempt[],
): ClaimedQueue[] {
  const claimedOf = Map.groupBy(claimed, ({ webhook_uuid }) => webhook_uuid)
  const attemptsOf = Map.groupBy(attempts, ({ delivery }) => delivery.webhook_uuid)
  return reservations.map((reservation) => {
    const { webhook_uuid, slots } = reservation
    const own = attemptsOf.get(webhook_uuid) ?? []
    const full = claimedOf.get(webhook_uuid)?.length === slots
    return { reservation, attempts: own, result: { count: own.length, full, followed: own.some(isFollowed) } }
  })
}

function isFollowed({ delivery }: Attempt): boolean {
  return delivery.followed
}

const max_secrets = 5_000

/** Caches opened secrets: opening one takes a busy worker as long as sending a delivery. */
function cacheSecrets(secrets: SecretBox): (delivery: ClaimedDelivery, sealed: Buffer) => string {
  const known = new LRUCache<string, { readonly sealed: Buffer; readonly secret: string }>({ max: max_secrets })
  return (delivery, sealed) => {
    const found = known.get(delivery.webhook_uuid)
    if (found?.sealed.equals(sealed) === true) return found.secret
    const secret = secrets.open(sealed, secretBelongsTo(delivery, delivery.webhook_uuid))
    known.set(delivery.webhook_uuid, { sealed, secret })
    return secret
  }
}
