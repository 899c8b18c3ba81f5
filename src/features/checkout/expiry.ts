import type { Database } from '../../db/pool.ts'
import { mayStillWait } from '../../domain/checkout.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Clock } from '../../lib/clock.ts'
import { inParallel } from '../../lib/in-parallel.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { moveHeldPoints } from '../orders/move.ts'
import { lockOrderAndWallet } from '../orders/service.ts'
import { findSessionOf, updateSession } from '../orders/session-queries.ts'
import { Silence } from '../payments/ask-sparingly.ts'
import type { AskProvider } from '../payments/settle.ts'
import { undoConfirmation } from './change.ts'
import { claimOrder, type DueCheckout, findDue, findProgramsDue, type Position } from './expiry-queries.ts'

/** What one round did: checkouts released, checkouts found paid, and those left for the next round. */
export interface ExpiryRound {
  released: number
  paid: number
  left: number
}

/**
 * Releases the confirmed checkouts of all programs that were not paid in time. Never throws because of a provider. Ends between
 * two checkouts once the process is stopping.
 */
export type ReleaseExpired = (stopping?: AbortSignal) => Promise<ExpiryRound>

export interface ExpiryParts {
  readonly db: Database
  readonly clock: Clock
  readonly askProvider: AskProvider
  /** Called when one checkout fails. The next round tries it again. */
  readonly onError?: (error: unknown) => void
}

/** Providers asked at once. */
const at_once = 8

/**
 * Asks the provider about a payment under way first: one that was made wins. Where the merchant collects, the order keeps
 * its chosen points, so that `complete` can hold them again. Any number of workers may run (docs/spec/checkout.md#expiry).
 */
export function createReleaseExpired(parts: ExpiryParts): ReleaseExpired {
  const { db, clock } = parts
  return async (stopping) => {
    const round: ExpiryRound = { released: 0, paid: 0, left: 0 }
    for (const { program_id } of await db.run(findProgramsDue(clock.now()))) {
      const merchants = new Map<number, Merchant>()
      const silence = new Silence<number>()
      let after: Position | undefined
      do {
        const due = await db.run(findDue(program_id, clock.now(), after))
        await loadMerchants(db, merchants, due)
        const work = (one: DueCheckout) => release({ ...parts, silence }, merchants.get(one.merchant_id), one, round)
        await inParallel(at_once, due.values(), work, stopping)
        if (stopping?.aborted === true) return round
        after = due.at(-1)
      } while (after !== undefined)
    }
    return round
  }
}

async function loadMerchants(
  db: Database,
  merchants: Map<number, Merchant>,
  due: readonly DueCheckout[],
): Promise<void> {
  for (const { program_id, merchant_id } of due) {
    if (merchants.has(merchant_id)) continue
    const merchant = await loadMerchant(db, program_id, merchant_id)
    if (merchant !== null) merchants.set(merchant_id, merchant)
  }
}

interface RoundParts extends ExpiryParts {
  /** The merchants whose provider does not answer. */
  readonly silence: Silence<number>
}

async function release(
  parts: RoundParts,
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
  { db, clock, askProvider, silence }: RoundParts,
  merchant: Merchant,
  due: DueCheckout,
): Promise<keyof ExpiryRound> {
  const { program_id, merchant_id, payment_uuid, release_at: due_at } = due
  // Checkouts of others wait behind these queries.
  if (payment_uuid !== null && silence.includes(merchant_id) && mayStillWait(due_at, clock.now())) return 'left'
  const asked = payment_uuid === null ? null : await askProvider(program_id, payment_uuid)
  const unsure = asked?.payment.state === 'created' && asked.answer === 'nothing'
  if (asked !== null) silence.note(merchant_id, { answered: !unsure })
  if (asked?.payment.state === 'paid' || asked?.payment.state === 'authorized') return 'paid'
  if (unsure && mayStillWait(due_at, clock.now())) return 'left'
  return db.transaction(async (tx) => {
    if ((await tx.one(claimOrder(due))) === undefined) return 'left'
    const order = await lockOrderAndWallet(tx, due)
    const session = await tx.one(findSessionOf(due.program_id, due.order_uuid))
    const now = clock.now()
    // It may have been paid, cancelled or changed since it was found.
    const release_at = session?.release_at ?? null
    if (session === undefined || release_at === null || release_at.getTime() > now.getTime()) return 'left'
    if (session.collector === 'provider') undoConfirmation(tx, { merchant, order, now }, session, 'expired')
    else {
      moveHeldPoints(tx, { merchant, order, now }, 'release held')
      void tx.run(updateSession(session, { release_at: null }, now))
    }
    return 'released'
  })
}
