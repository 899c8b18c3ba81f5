import type { Database } from '../../db/pool.ts'
import { allPrograms } from '../../db/programs.ts'
import { decideAbandoned } from '../../domain/abandoned.ts'
import { last_uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { before, day_ms, hour_ms, minute_ms } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import { takeEveryStep } from '../../lib/errors.ts'
import { markCheckoutsKept } from '../orders/session-queries.ts'
import {
  type Candidate,
  deleteCheckouts,
  findAbandoned,
  findFacts,
  findMerchantsWithAbandoned,
  findOverflow,
  type Kind,
  lockNew,
  type Position,
  type Range,
  sumAbandoned,
  sumPromised,
} from './abandoned-queries.ts'

/** What one round did: checkouts deleted, their bytes, and checkouts now kept for good. */
export interface AbandonedRound {
  deleted: number
  bytes: number
  kept: number
  /** How many of them could still have been completed: deleting the others did not make enough room. */
  readonly promised: (MerchantKey & { readonly count: number })[]
}

/** A round under way. */
interface Round {
  readonly did: AbandonedRound
  readonly stopping: AbortSignal | undefined
}

/** Deletes the abandoned checkouts of all programs, with their orders. Ends between two transactions once it is `stopping`. */
export type PurgeAbandoned = (stopping?: AbortSignal) => Promise<AbandonedRound>

export interface AbandonedParts {
  readonly db: Database
  readonly clock: Clock
  /** How long after their expiry checkouts are kept. */
  readonly checkout_retention_days: number
  /** How many bytes one merchant's may take. Above it, the oldest are deleted sooner. */
  readonly checkout_store_bytes: number
  /** Orders deleted in one transaction. */
  readonly batch?: number
  /** Transactions for one merchant and kind in one round. */
  readonly most_batches?: number
  /** The machine's clock, not the sandbox's. */
  readonly machine_ms?: () => number
}

const remeasure_ms = hour_ms
const default_batch = 500
const default_most_batches = 40
/** How long checkouts that cannot be deleted yet are skipped. */
const skip_ms = 10 * minute_ms
const epoch = new Date(0)

/**
 * Deletes checkouts past the retention, and the oldest of merchants that use too much room (docs/spec/checkout.md#abandoned).
 * Any number of workers may run; each skips orders that another transaction has locked.
 *
 * The bytes of all checkouts are summed once an hour. In between, only what has expired since is added, so that a round costs
 * no more than what is new. The sum may be too high, but never too low.
 */
export function createPurgeAbandoned(parts: AbandonedParts): PurgeAbandoned {
  const { db, clock, checkout_retention_days } = parts
  const measures = new Map<number, Measure>()
  const purgeRange = createPurgeRange(parts)
  return async (stopping) => {
    const did: AbandonedRound = { deleted: 0, bytes: 0, kept: 0, promised: [] }
    const programs = await db.run(allPrograms())
    const steps = programs.map(
      ({ program_id }) =>
        () =>
          purgeProgram(program_id, { did, stopping }),
    )
    await takeEveryStep(steps, stopping)
    return did
  }

  async function purgeProgram(program_id: number, round: Round): Promise<void> {
    const now = clock.now()
    const over = before(now, checkout_retention_days * day_ms)
    const merchants = await db.run(findMerchantsWithAbandoned(program_id, now))
    for (const { merchant_id, oldest } of merchants)
      if (oldest <= over)
        await purgeRange({ program_id, merchant_id }, 'other', { expires_at: over, session_uuid: last_uuid }, round)
    if (round.stopping?.aborted === true) return
    const measure = await measureProgram(parts, program_id, merchants, measures.get(program_id), now)
    measures.set(program_id, measure)
    for (const [merchant_id, bytes] of measure.bytes)
      measure.bytes.set(
        merchant_id,
        await makeRoom({ ...parts, purgeRange }, { program_id, merchant_id }, bytes, now, round),
      )
  }
}

/** Deletes a merchant's checkouts until the rest fit, the promised ones last. Gives the bytes of the rest, or slightly more. */
async function makeRoom(
  { db, checkout_store_bytes, purgeRange }: AbandonedParts & { readonly purgeRange: PurgeRange },
  merchant: MerchantKey,
  bytes: number,
  now: Date,
  round: Round,
): Promise<number> {
  if (bytes <= checkout_store_bytes || round.stopping?.aborted === true) return bytes
  const promised_bytes = (await db.one(sumPromised(merchant, now)))?.bytes ?? 0
  const room = { promised: checkout_store_bytes, other: Math.max(0, checkout_store_bytes - promised_bytes) }
  let freed: number | undefined
  for (const kind of ['other', 'promised'] as const) {
    if (kind === 'promised' && promised_bytes <= checkout_store_bytes) continue
    const overflow = await db.one(findOverflow(merchant, kind, room[kind], now))
    if (overflow !== undefined) freed = (freed ?? 0) + (await purgeRange(merchant, kind, overflow, round))
  }
  return freed === undefined ? measureMerchant(db, merchant, now) : bytes - freed
}

/** The bytes, by merchant, of a program's abandoned checkouts that had expired by `until`. */
interface Measure {
  readonly bytes: Map<number, number>
  readonly until: Date
  /** When everything was last summed, by the machine's clock. */
  readonly summed_ms: number
}

async function measureProgram(
  { db, machine_ms = Date.now }: AbandonedParts,
  program_id: number,
  merchants: readonly { readonly merchant_id: number }[],
  last: Measure | undefined,
  now: Date,
): Promise<Measure> {
  const usable = last !== undefined && now >= last.until && machine_ms() < last.summed_ms + remeasure_ms
  const bytes = new Map<number, number>()
  if (!usable) {
    for (const { merchant_id } of merchants)
      bytes.set(merchant_id, await measureMerchant(db, { program_id, merchant_id }, now))
    return { bytes, until: now, summed_ms: machine_ms() }
  }
  const ids = merchants.map(({ merchant_id }) => merchant_id)
  for (const added of await db.run(sumAbandoned(program_id, ids, { after: last.until, until: now })))
    bytes.set(added.merchant_id, (last.bytes.get(added.merchant_id) ?? 0) + added.bytes)
  return { bytes, until: now, summed_ms: last.summed_ms }
}

async function measureMerchant(db: Database, { program_id, merchant_id }: MerchantKey, until: Date): Promise<number> {
  return (await db.one(sumAbandoned(program_id, [merchant_id], { after: epoch, until })))?.bytes ?? 0
}

/** Deletes a merchant's checkouts of a kind up to one of them, the oldest first. Gives how many bytes this freed. */
type PurgeRange = (merchant: MerchantKey, kind: Kind, upTo: Position, round: Round) => Promise<number>

/**
 * Stops after `most_batches`, and continues there in the next round. Checkouts that it passed but could not delete yet are
 * visited again after ten minutes.
 */
function createPurgeRange(parts: AbandonedParts): PurgeRange {
  const { db, clock, batch = default_batch, most_batches = default_most_batches, machine_ms = Date.now } = parts
  const passed = new Map<string, { after?: Position; readonly until_ms: number }>()
  return async (merchant, kind, upTo, { did, stopping }) => {
    for (const [key, { until_ms }] of passed) if (machine_ms() >= until_ms) passed.delete(key)
    const key = `${merchant.program_id} ${merchant.merchant_id} ${kind}`
    const last = passed.get(key) ?? { until_ms: machine_ms() + skip_ms }
    passed.set(key, last)
    let freed = 0
    for (let count = 0; count < most_batches && stopping?.aborted !== true; count += 1) {
      const range = { kind, now: clock.now(), after: last.after, upTo }
      const candidates = await db.run(findAbandoned(merchant, range, batch))
      const end = candidates.at(-1)
      if (end === undefined) break
      const done = await purgeBatch(db, merchant, candidates, range)
      last.after = end
      freed += done.bytes
      did.deleted += done.deleted
      did.bytes += done.bytes
      did.kept += done.kept
      if (kind === 'promised' && done.deleted > 0) did.promised.push({ ...merchant, count: done.deleted })
    }
    return freed
  }
}

/** Decides again under the orders' locks: a candidate may have been confirmed or changed since it was found. */
function purgeBatch(
  db: Database,
  { program_id }: MerchantKey,
  candidates: readonly Candidate[],
  range: Pick<Range, 'kind' | 'now'>,
): Promise<Pick<AbandonedRound, 'deleted' | 'bytes' | 'kept'>> {
  return db.transaction(async (tx) => {
    const uuids = candidates.map(({ order_uuid }) => order_uuid)
    const locked = (await tx.run(lockNew(program_id, uuids))).map(({ order_uuid }) => order_uuid)
    const facts = await tx.run(findFacts(program_id, locked, range))
    const kept = facts.filter((one) => decideAbandoned(one) === 'keep').map(({ order_uuid }) => order_uuid)
    const deleted = facts.filter((one) => decideAbandoned(one) === 'delete')
    if (kept.length > 0) void tx.run(markCheckoutsKept(program_id, kept, range.now))
    if (deleted.length > 0) for (const statement of deleteCheckouts(program_id, deleted)) void tx.run(statement)
    const bytes = deleted.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0)
    return { deleted: deleted.length, bytes, kept: kept.length }
  })
}
