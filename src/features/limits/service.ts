import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { DomainError } from '../../domain/failures.ts'
import {
  admittedAt,
  type Limit,
  longestOf,
  retryAfterSeconds,
  type Tally,
  withOne,
  withoutOne,
} from '../../domain/limit.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { after } from '../../domain/spans.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'
import {
  type CounterRow,
  deleteCounter,
  deleteEndedCounters,
  findCounter,
  findEndedCounters,
  insertCounter,
  lockCounter,
  updateCounter,
  updateTallies,
} from './queries.ts'

/** A limit and what it counts. `whom` is stored only as an HMAC. */
export interface Counted {
  readonly limit: Limit
  readonly whom: Belonging
}

/** A limit that refuses. */
export interface LimitRefusal {
  readonly limit: Limit
  /** When it admits again, by the machine's clock. */
  readonly retry_at: Date
}

/** One count. It can be taken back. */
export interface Count {
  readonly limit: Limit
  readonly key_hash: Buffer
  readonly counted_at: Date
  /** The total of the limit, this count included. */
  readonly total: number
}

export type Admission =
  | { readonly admitted: true; readonly counts: readonly Count[] }
  | ({ readonly admitted: false } & LimitRefusal)

/** Limits of the whole deployment, over all programs and processes. docs/decisions/0022-limits.md */
export interface Limits {
  /**
   * Counts one of each, or none if a limit refuses. A refusal leaves no count, but its temporary counts may refuse
   * others for a moment. Never call it inside a transaction: it would hold two connections.
   */
  admit(asked: readonly Counted[]): Promise<Admission>
  /** The limit that refuses longest; null if all admit one more. Counts nothing. */
  refusal(asked: readonly Counted[]): Promise<LimitRefusal | null>
  /** The tallies of each, in the same order. */
  tallies(asked: readonly Counted[]): Promise<readonly (readonly Tally[])[]>
  /** Takes counts back. */
  takeBack(counts: readonly Count[]): Promise<void>
  /** The clock of the limits. */
  now(): Date
  /** Whether that clock can be moved: it is not the machine's. */
  readonly clock_moves: boolean
}

export interface LimitParts {
  readonly db: Database
  readonly secrets: SecretBox
  /** The clock of the limits: the machine's by default; a sandbox can have another. */
  readonly clock?: { now(): Date }
  /** The machine's clock. */
  readonly now?: () => Date
}

export function createLimits(parts: LimitParts): Limits {
  const { now: machine = () => new Date() } = parts
  const now = () => parts.clock?.now() ?? machine()
  const limits: Limits = {
    now,
    clock_moves: parts.clock !== undefined,
    tallies: (asked) => readTallies(parts, asked),
    async refusal(asked) {
      const found = await readTallies(parts, asked)
      return latest(asked.map(({ limit }, index) => refusalOf(limit, found[index] ?? [], { now, machine })))
    },
    async admit(asked) {
      // Most refusals end here: reading takes no lock and writes no row.
      const refused = await limits.refusal(asked)
      if (refused !== null) return { admitted: false, ...refused }
      const counts: Count[] = []
      for (const one of asked) {
        const counted = await countOne(parts, one, { now, machine })
        if ('counted_at' in counted) counts.push(counted)
        else {
          await limits.takeBack(counts)
          return { admitted: false, ...counted }
        }
      }
      return { admitted: true, counts }
    },
    async takeBack(counts) {
      for (const { key_hash, counted_at } of counts)
        await parts.db.transaction((tx) => takeOut(tx, key_hash, counted_at))
    },
  }
  return limits
}

interface Clocks {
  readonly now: () => Date
  readonly machine: () => Date
}

/** While the secret key is being changed, counts made under the former key count too. */
function hashesOf(secrets: SecretBox, { limit, whom }: Counted): readonly [Buffer, ...Buffer[]] {
  return secrets.derivations(['limit', limit.name, ...whom])
}

const talliesIn = (tx: Transaction) => async (key_hash: Buffer) => talliesOf(await tx.one(findCounter(key_hash)))

/** One statement for each counter, sent together on one connection. */
function readTallies({ db, secrets }: LimitParts, asked: readonly Counted[]): Promise<(readonly Tally[])[]> {
  return db.transaction((tx) =>
    Promise.all(asked.map(async (one) => (await Promise.all(hashesOf(secrets, one).map(talliesIn(tx)))).flat())),
  )
}

/** Uses one transaction per counter, so that counters cannot deadlock. */
async function countOne({ db, secrets }: LimitParts, counted: Counted, clocks: Clocks): Promise<Count | LimitRefusal> {
  const { limit } = counted
  const [key_hash, ...former] = hashesOf(secrets, counted)
  for (;;) {
    const done = await db.transaction(async (tx): Promise<Count | LimitRefusal | null> => {
      const row = await tx.one(lockCounter(key_hash))
      const before = (await Promise.all(former.map(talliesIn(tx)))).flat()
      const refused = refusalOf(limit, [...talliesOf(row), ...before], clocks)
      if (refused !== null) return refused
      // Read the clock after the lock, which may have taken a while.
      const { tallies, counted_at } = withOne(limit, talliesOf(row), clocks.now())
      const count = { key_hash, tallies, kept_until: keptUntil(limit, clocks) }
      if (row !== undefined) void tx.run(updateCounter(count))
      else if ((await tx.one(insertCounter(count))) === undefined) return null
      const total = tallies.reduce((sum, { count }) => sum + count, 0)
      return { limit, key_hash, counted_at, total }
    })
    if (done !== null) return done
  }
}

/** A little longer than any tally of the limit counts. */
function keptUntil(limit: Limit, { machine }: Clocks): Date {
  return after(machine(), 1.1 * longestOf(limit))
}

async function takeOut(tx: Transaction, key_hash: Buffer, counted_at: Date): Promise<void> {
  const row = await tx.one(lockCounter(key_hash))
  if (row === undefined) return
  const left = withoutOne(talliesOf(row), counted_at)
  void tx.run(left.length === 0 ? deleteCounter(key_hash) : updateTallies(key_hash, left))
}

function refusalOf(limit: Limit, tallies: readonly Tally[], { now, machine }: Clocks): LimitRefusal | null {
  const at = now()
  const free_at = admittedAt(limit, tallies, at)
  if (free_at === null) return null
  return { limit, retry_at: new Date(machine().getTime() + free_at.getTime() - at.getTime()) }
}

function latest(refusals: readonly (LimitRefusal | null)[]): LimitRefusal | null {
  return refusals.reduce(
    (last, one) => (last === null || (one !== null && one.retry_at > last.retry_at) ? one : last),
    null,
  )
}

function talliesOf(row: CounterRow | undefined): Tally[] {
  return row === undefined ? [] : row.times.map((at, index) => ({ at, count: row.counts[index] ?? 0 }))
}

/** Purges counters that count nothing at `now` by the machine's clock, in batches; gives their number. */
export async function purgeCounters(db: Database, now: Date, batch = 5_000): Promise<number> {
  let purged = 0
  for (;;) {
    const ended = await db.run(findEndedCounters(now, batch))
    if (ended.length > 0) {
      const hashes = ended.map(({ key_hash }) => key_hash)
      purged += (await db.run(deleteEndedCounters(hashes, now))).length
    }
    if (ended.length < batch) return purged
  }
}

/**
 * Counts a test that a merchant's staff asks for.
 * @throws DomainError `too_many_tests`
 */
export async function admitTest(limits: Limits, limit: Limit, { program_id, merchant_id }: MerchantKey): Promise<void> {
  const admission = await limits.admit([{ limit, whom: [program_id, merchant_id] }])
  if (admission.admitted) return
  throw new DomainError({ kind: 'too_many_tests', retry_after_s: retryAfterSeconds(admission.retry_at, limits.now()) })
}
