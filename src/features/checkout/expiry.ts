import type { Database } from '../../db/pool.ts'
import { mayStillWait } from '../../domain/checkout.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Clock } from '../../lib/clock.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { moveHeld } from '../orders/move.ts'
import { lockWhole } from '../orders/service.ts'
import { findSessionOf, updateSession } from '../orders/session-queries.ts'
import type { AskProvider } from '../payments/settle.ts'
import { claimOrder, type DueCheckout, findDue, findProgramsDue, type Place } from './expiry-queries.ts'
import { undoConfirmation } from './release.ts'

/** What one round did: checkouts let go, payments found to have been made, and those left to the next round. */
export interface ExpiryRound {
  released: number
  paid: number
  left: number
}

/** Lets go, in all programs, what customers confirmed and nobody has paid in time. Never throws for what a provider does. */
export type ReleaseExpired = () => Promise<ExpiryRound>

export interface ExpiryParts {
  readonly db: Database
  readonly clock: Clock
  readonly askProvider: AskProvider
  /** Told of what went wrong with one checkout; it is tried again in the next round. */
  readonly onError?: (error: unknown) => void
}

/** Providers asked at once. */
const at_once = 8

/**
 * Decisions §6, as one of any number of workers: a payment under way is asked for first, and one that was made wins; then
 * points are free again. Where the merchant collects, what was chosen stays, so that `complete` can hold it again.
 */
export function createReleaseExpired(parts: ExpiryParts): ReleaseExpired {
  const { db, clock } = parts
  return async () => {
    const round: ExpiryRound = { released: 0, paid: 0, left: 0 }
    for (const { program_id } of await db.run(findProgramsDue(clock.now()))) {
      const merchants = new Map<number, Merchant>()
      let after: Place | undefined
      do {
        const due = await db.run(findDue(program_id, clock.now(), after))
        await remember(db, merchants, due)
        await inTurns(due, (one) => release(parts, merchants.get(one.merchant_id), one, round))
        after = due.at(-1)
      } while (after !== undefined)
    }
    return round
  }
}

async function remember(db: Database, merchants: Map<number, Merchant>, due: readonly DueCheckout[]): Promise<void> {
  for (const { program_id, merchant_id } of due) {
    if (merchants.has(merchant_id)) continue
    const merchant = await loadMerchant(db, program_id, merchant_id)
    if (merchant !== null) merchants.set(merchant_id, merchant)
  }
}

/** A few at a time, in their order. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const turns = Array.from({ length: Math.min(at_once, all.length) }, async () => {
    for (const one of rest) await work(one)
  })
  await Promise.all(turns)
}

async function release(
  parts: ExpiryParts,
  merchant: Merchant | undefined,
  due: DueCheckout,
  round: ExpiryRound,
): Promise<void> {
  try {
    if (merchant === undefined) throw new Error('a checkout without a merchant')
    round[await releaseOne(parts, merchant, due)] += 1
  } catch (error) {
    round.left += 1
    parts.onError?.(error)
  }
}

async function releaseOne(
  { db, clock, askProvider }: ExpiryParts,
  merchant: Merchant,
  due: DueCheckout,
): Promise<keyof ExpiryRound> {
  const asked = due.payment_uuid === null ? null : await askProvider(due.program_id, due.payment_uuid)
  if (asked?.payment.state === 'paid' || asked?.payment.state === 'authorized') return 'paid'
  const unsure = asked?.payment.state === 'created' && asked.answer === 'nothing'
  if (unsure && mayStillWait(due.release_at, clock.now())) return 'left'
  return db.transaction(async (tx) => {
    if ((await tx.one(claimOrder(due))) === undefined) return 'left'
    const order = await lockWhole(tx, due)
    const session = await tx.one(findSessionOf(due.program_id, due.order_uuid))
    const now = clock.now()
    // Paid, cancelled or chosen anew since it was found.
    const release_at = session?.release_at ?? null
    if (session === undefined || release_at === null || release_at.getTime() > now.getTime()) return 'left'
    if (session.collector === 'provider') undoConfirmation(tx, { merchant, order, now }, session, 'expired')
    else {
      moveHeld(tx, { merchant, order, now }, 'release held')
      void tx.run(updateSession(session, { release_at: null }, now))
    }
    return 'released'
  })
}
