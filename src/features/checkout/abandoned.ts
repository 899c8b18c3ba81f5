import type { Database } from '../../db/pool.ts'
import { decideAbandoned } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  type Candidate,
  deleteCheckouts,
  findAbandoned,
  findFacts,
  findMerchantsWithAbandoned,
  findOverflow,
  findPrograms,
  type Kind,
  keepCheckouts,
  lockNew,
  type Place,
  type Position,
  sumAbandoned,
  sumPromised,
  type Walk,
} from './abandoned-queries.ts'

/** What one round did: checkouts deleted, what they took, and those now kept for good. */
export interface AbandonedRound {
  deleted: number
  bytes: number
  kept: number
  /** How many of the deleted their merchants could still have completed: nothing else was left to make room by. */
  readonly promised: (Place & { readonly count: number })[]
}

/** Deletes, in all programs, checkouts that came to nothing, with their orders. */
export type PurgeAbandoned = () => Promise<AbandonedRound>

export interface AbandonedParts {
  readonly db: Database
  readonly clock: Clock
  /** How long after their expiry they are kept. */
  readonly checkout_retention_days: number
  /** What those of one merchant may take; above it the oldest go sooner. */
  readonly checkout_store_bytes: number
  /** Orders deleted in one transaction. */
  readonly batch?: number
  /** Transactions for one merchant and kind in one round. */
  readonly most_batches?: number
  /** The machine's clock, which nobody moves. */
  readonly machine_ms?: () => number
}

const day_ms = 86_400_000
const measured_afresh_ms = 3_600_000
const default_batch = 500
const default_most_batches = 40
/** What has to wait for something is not looked at again before. */
const waits_ms = 600_000
const epoch = new Date(0)

const last_uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid

/**
 * As one of any number of workers: whoever holds an order, be it its customer or another worker, is passed over.
 *
 * What merchants' checkouts take is measured whole at first and once an hour; in between only what has expired since is
 * added, so that a round costs what has come since the last one. Such a measure can be too high and never too low.
 */
export function createPurgeAbandoned(parts: AbandonedParts): PurgeAbandoned {
  const { db, clock, checkout_retention_days } = parts
  const measures = new Map<number, Measure>()
  const walker = createWalker(parts)
  return async () => {
    const round: AbandonedRound = { deleted: 0, bytes: 0, kept: 0, promised: [] }
    const failed: unknown[] = []
    // What fails in one program keeps no other one from being cleared.
    for (const { program_id } of await db.run(findPrograms()))
      await clear(program_id, round).catch((error: unknown) => failed.push(error))
    if (failed.length > 0) throw failed[0]
    return round
  }

  async function clear(program_id: number, round: AbandonedRound): Promise<void> {
    const now = clock.now()
    const over = new Date(now.getTime() - checkout_retention_days * day_ms)
    const merchants = await db.run(findMerchantsWithAbandoned(program_id, now))
    for (const { merchant_id, oldest } of merchants)
      if (oldest <= over)
        await walker({ program_id, merchant_id }, 'other', { expires_at: over, session_uuid: last_uuid }, round)
    const measure = await measureProgram(db, program_id, merchants, measures.get(program_id), now)
    measures.set(program_id, measure)
    for (const [merchant_id, bytes] of measure.bytes)
      measure.bytes.set(
        merchant_id,
        await makeRoom({ ...parts, walker }, { program_id, merchant_id }, bytes, now, round),
      )
  }
}

/**
 * Deletes what a merchant's checkouts take above what they may, those last whose page promises that they are reserved; gives
 * what all take then, at most.
 */
async function makeRoom(
  { db, checkout_store_bytes, walker }: AbandonedParts & { readonly walker: Walker },
  place: Place,
  bytes: number,
  now: Date,
  round: AbandonedRound,
): Promise<number> {
  if (bytes <= checkout_store_bytes) return bytes
  const promised_bytes = (await db.one(sumPromised(place, now)))?.bytes ?? 0
  const room = { promised: checkout_store_bytes, other: Math.max(0, checkout_store_bytes - promised_bytes) }
  let freed: number | undefined
  for (const kind of ['other', 'promised'] as const) {
    if (kind === 'promised' && promised_bytes <= checkout_store_bytes) continue
    const overflow = await db.one(findOverflow(place, kind, room[kind], now))
    if (overflow !== undefined) freed = (freed ?? 0) + (await walker(place, kind, overflow, round))
  }
  return freed === undefined ? measureMerchant(db, place, now) : bytes - freed
}

/** What the abandoned checkouts of a program's merchants take that had expired `until` then, in bytes. */
interface Measure {
  readonly bytes: Map<number, number>
  readonly until: Date
  /** By the machine's clock, which nobody moves. */
  readonly afresh_ms: number
}

async function measureProgram(
  db: Database,
  program_id: number,
  merchants: readonly { readonly merchant_id: number }[],
  last: Measure | undefined,
  now: Date,
): Promise<Measure> {
  const usable = last !== undefined && now >= last.until && Date.now() < last.afresh_ms + measured_afresh_ms
  const bytes = new Map<number, number>()
  if (!usable) {
    for (const { merchant_id } of merchants)
      bytes.set(merchant_id, await measureMerchant(db, { program_id, merchant_id }, now))
    return { bytes, until: now, afresh_ms: Date.now() }
  }
  const ids = merchants.map(({ merchant_id }) => merchant_id)
  for (const added of await db.run(sumAbandoned(program_id, ids, { after: last.until, until: now })))
    bytes.set(added.merchant_id, (last.bytes.get(added.merchant_id) ?? 0) + added.bytes)
  return { bytes, until: now, afresh_ms: last.afresh_ms }
}

async function measureMerchant(db: Database, { program_id, merchant_id }: Place, until: Date): Promise<number> {
  return (await db.one(sumAbandoned(program_id, [merchant_id], { after: epoch, until })))?.bytes ?? 0
}

/** Deletes a merchant's checkouts of a kind up to one of them, the oldest first; gives how many bytes are free then. */
type Walker = (place: Place, kind: Kind, upTo: Position, round: AbandonedRound) => Promise<number>

/**
 * A walk ends after so many batches, and the next round goes on where it ended: what it has passed and left is waiting for
 * something, and is looked at again after ten minutes.
 */
function createWalker(parts: AbandonedParts): Walker {
  const { db, clock, batch = default_batch, most_batches = default_most_batches, machine_ms = Date.now } = parts
  const passed = new Map<string, { after?: Position; readonly until_ms: number }>()
  return async (place, kind, upTo, round) => {
    for (const [key, { until_ms }] of passed) if (machine_ms() >= until_ms) passed.delete(key)
    const key = `${place.program_id} ${place.merchant_id} ${kind}`
    const last = passed.get(key) ?? { until_ms: machine_ms() + waits_ms }
    passed.set(key, last)
    let freed = 0
    for (let count = 0; count < most_batches; count += 1) {
      const walk = { kind, now: clock.now(), after: last.after, upTo }
      const candidates = await db.run(findAbandoned(place, walk, batch))
      const end = candidates.at(-1)
      if (end === undefined) break
      const done = await purgeBatch(db, place, candidates, walk)
      last.after = end
      freed += done.bytes
      round.deleted += done.deleted
      round.bytes += done.bytes
      round.kept += done.kept
      if (kind === 'promised' && done.deleted > 0) round.promised.push({ ...place, count: done.deleted })
    }
    return freed
  }
}

/** Under the locks of the orders: what was found to be abandoned may have been confirmed or changed since. */
function purgeBatch(
  db: Database,
  { program_id }: Place,
  candidates: readonly Candidate[],
  walk: Pick<Walk, 'kind' | 'now'>,
): Promise<Pick<AbandonedRound, 'deleted' | 'bytes' | 'kept'>> {
  return db.transaction(async (tx) => {
    const uuids = candidates.map(({ order_uuid }) => order_uuid)
    const locked = (await tx.run(lockNew(program_id, uuids))).map(({ order_uuid }) => order_uuid)
    const facts = await tx.run(findFacts(program_id, locked, walk))
    const kept = facts.filter((one) => decideAbandoned(one) === 'keep').map(({ order_uuid }) => order_uuid)
    const doomed = facts.filter((one) => decideAbandoned(one) === 'delete')
    if (kept.length > 0) void tx.run(keepCheckouts(program_id, kept, walk.now))
    if (doomed.length > 0) for (const statement of deleteCheckouts(program_id, doomed)) void tx.run(statement)
    const bytes = doomed.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0)
    return { deleted: doomed.length, bytes, kept: kept.length }
  })
}
