import type { Database } from '../../db/pool.ts'
import type { SecretBox } from '../../secrets.ts'
import { secretBelongsTo } from '../webhooks/story.ts'
import { type Attempt, attemptOf, interruptionOf, type Retrying } from './attempt.ts'
import type { Claim, Room, Yield } from './lanes.ts'
import { type Claimed, leaseTaken, takeDue } from './queries.ts'
import { writeResults } from './results.ts'

/** What a claim gave of one lane. */
export interface Share {
  readonly room: Room
  readonly attempts: readonly Attempt[]
  readonly given: Yield
}

export interface Taken {
  readonly shares: readonly Share[]
  /** Leases of others that had run out. */
  readonly interrupted: number
}

export interface ClaimParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly retrying: Retrying
  readonly lease_ms: number
}

/** Takes deliveries that are due, for a lease, and counts their attempts. What cannot be sent any more ends here. */
export function createTake({ db, secrets, retrying, lease_ms }: ClaimParts): (claim: Claim) => Promise<Taken> {
  const openSecret = rememberSecrets(secrets)
  return ({ program_id, lanes }) =>
    db.transaction(async (tx) => {
      const now_ms = retrying.now()
      const taken = await tx.run(takeDue(program_id, lanes, new Date(now_ms)))
      const interrupted = taken.flatMap((one) => interruptionOf(one, lease_ms, retrying))
      const due = taken.flatMap((one) => attemptOf(one, openSecret, retrying))
      const attempts = due.flatMap((one) => ('request' in one ? [one] : []))
      const over = due.flatMap((one) => ('result' in one ? [one.result] : []))
      const keys = attempts.map(({ delivery }) => delivery)
      if (keys.length > 0) void tx.run(leaseTaken(program_id, keys, new Date(now_ms + lease_ms)))
      writeResults(tx, { program_id, results: [...interrupted, ...over], now: new Date(now_ms) })
      return { shares: shareOut(lanes, taken, attempts), interrupted: interrupted.length }
    })
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

const remembered = 5_000

/** Opening costs as much as a busy worker's sending, and a secret stays the same for long. */
function rememberSecrets(secrets: SecretBox): (delivery: Claimed, sealed: Buffer) => string {
  const known = new Map<string, { readonly sealed: Buffer; readonly secret: string }>()
  return (delivery, sealed) => {
    const found = known.get(delivery.webhook_uuid)
    if (found?.sealed.equals(sealed) === true) return found.secret
    const secret = secrets.open(sealed, secretBelongsTo(delivery, delivery.webhook_uuid))
    if (known.size >= remembered) known.clear()
    known.set(delivery.webhook_uuid, { sealed, secret })
    return secret
  }
}
