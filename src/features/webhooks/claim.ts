import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/pool.ts'
import { maxAttempts } from '../../domain/delivery.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { type Attempt, attemptOf, interruptionOf, type Retrying } from './attempt.ts'
import { type Claimed, takeDue } from './delivery-queries.ts'
import type { Claim, Room, Yield } from './fair-queue.ts'
import type { Result } from './result-writer.ts'
import { secretBelongsTo } from './service.ts'

/** What a claim gave of one lane. */
export interface Share {
  readonly room: Room
  readonly attempts: readonly Attempt[]
  readonly given: Yield
}

export interface Taken {
  readonly shares: readonly Share[]
  /** Attempts of leases that had run out, and what cannot be sent: still to be written. */
  readonly results: readonly Result[]
  /** Leases that had run out. */
  readonly interrupted: number
}

export interface ClaimParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly retrying: Retrying
  readonly lease_ms: number
}

/** Takes deliveries that are due, for a lease, and counts their attempts: one round trip. */
export function createTake({ db, secrets, retrying, lease_ms }: ClaimParts): (claim: Claim) => Promise<Taken> {
  const openSecret = rememberSecrets(secrets)
  const max_attempts = maxAttempts(retrying.retry_delays_s)
  return async ({ program_id, lanes }) => {
    const now_ms = retrying.now()
    const lease = { now: new Date(now_ms), until: new Date(now_ms + lease_ms), max_attempts }
    const { rows } = await db.transaction(async (tx) => ({ rows: tx.run(takeDue(program_id, lanes, lease)) }))
    const taken = await rows
    const interrupted = taken.flatMap((one) => interruptionOf(one, lease_ms, retrying))
    const due = taken.flatMap((one) => attemptOf(one, openSecret, retrying))
    const attempts = due.flatMap((one) => ('request' in one ? [one] : []))
    const unsent = due.flatMap((one) => ('result' in one ? [one.result] : []))
    const shares = shareOut(lanes, taken, attempts)
    return { shares, results: [...interrupted, ...unsent], interrupted: interrupted.length }
  }
}

function shareOut(rooms: Claim['lanes'], taken: readonly Claimed[], attempts: readonly Attempt[]): Share[] {
  const all = Map.groupBy(taken, ({ webhook_uuid }) => webhook_uuid)
  const byLane = Map.groupBy(attempts, ({ delivery }) => delivery.webhook_uuid)
  return rooms.map((room) => {
    const own = byLane.get(room.webhook_uuid) ?? []
    const full = all.get(room.webhook_uuid)?.length === room.room
    return { room, attempts: own, given: { count: own.length, full, followed: own.some(isFollowed) } }
  })
}

function isFollowed({ delivery }: Attempt): boolean {
  return delivery.followed
}

const max_secrets = 5_000

/** Opening costs as much as a busy worker's sending, and a secret stays the same for long. */
function rememberSecrets(secrets: SecretBox): (delivery: Claimed, sealed: Buffer) => string {
  const known = new LRUCache<string, { readonly sealed: Buffer; readonly secret: string }>({ max: max_secrets })
  return (delivery, sealed) => {
    const found = known.get(delivery.webhook_uuid)
    if (found?.sealed.equals(sealed) === true) return found.secret
    const secret = secrets.open(sealed, secretBelongsTo(delivery, delivery.webhook_uuid))
    known.set(delivery.webhook_uuid, { sealed, secret })
    return secret
  }
}
