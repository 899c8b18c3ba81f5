import { coalesce } from '../../db/coalesce.ts'
import { CommitUnknown, isDatabaseUnavailable, isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import {
  decideEarnings,
  type Earning,
  type EarningDecision,
  type EarningFacts,
  type KnownCustomer,
} from '../../domain/earning.ts'
import { DomainError, type Failure } from '../../domain/failures.ts'
import { NO_POINTS } from '../../domain/points.ts'
import type { Clock } from '../../lib/clock.ts'
import { sumWaiting } from '../orders/queries.ts'
import { type FoundCustomer, findRepeats, lockCustomers, lockInvited, lockMerchants } from './queries.ts'
import { type Earned, writeEarnings } from './writes.ts'

export type { Earned }

/**
 * Awards points. Fails with `earning_in_progress`, `order_number_repeated` or `validation` (the order number is taken,
 * or the wallet is full); then nothing is written. docs/spec/earning.md#earn
 */
export type Earn = (earning: Earning) => Promise<Earned>

export interface EarnOptions {
  readonly db: Database
  readonly clock: Clock
  readonly lock_window_s: number
  readonly observe?: (batch_size: number) => void
}

/**
 * A merchant has one earning at a time: a set ensures it within this process, a locked row across processes. One
 * transaction takes the earnings of many merchants of one program. ARCHITECTURE.md describes the path.
 */
export function createEarn({ db, clock, lock_window_s, observe }: EarnOptions): Earn {
  const inFlight = new Set<number>()
  const enqueue = coalesce((batch: readonly Earning[]) => earnBatch(db, batch, clock, lock_window_s), {
    max_batch: 100,
    concurrency: 2,
    total_concurrency: 6,
    partition: ({ merchant }) => merchant.program_id,
    isFatal: isDatabaseUnavailable,
    ...(observe === undefined ? {} : { observe }),
  })
  return async (earning) => {
    const { merchant_id } = earning.merchant
    if (inFlight.has(merchant_id)) throw new DomainError({ kind: 'earning_in_progress' })
    inFlight.add(merchant_id)
    try {
      const outcome = await enqueue(earning)
      if (outcome.kind === 'refused') throw new DomainError(outcome.failure)
      return outcome
    } finally {
      inFlight.delete(merchant_id)
    }
  }
}

type Outcome = Earned | { readonly kind: 'refused'; readonly failure: Failure }

/** Decides and writes one batch in one transaction; gives one outcome per earning. */
async function earnBatch(
  db: Database,
  batch: readonly Earning[],
  clock: Clock,
  lock_window_s: number,
): Promise<readonly Outcome[]> {
  const { decisions, earned } = await db.transaction(
    async (tx) => {
      const facts = await readFacts(tx, batch, clock.now(), lock_window_s)
      const decided = decideEarnings(batch, facts)
      if (tx.may_be_committed) assertSettled(decided.decisions)
      return { decisions: decided.decisions, ...writeEarnings(tx, facts, decided) }
    },
    // Another process created the same customer or drew the same reference number: read and decide again.
    { repeatable: true, retryOn: (error) => error instanceof StaleCustomer || isUniqueViolation(error) },
  )
  const outcomes = await earned
  return decisions.map((decision) => {
    if (decision.kind === 'refuse') return { kind: 'refused', failure: decision.failure }
    const outcome = outcomes.get(decision.earning.order_uuid)
    if (outcome === undefined) throw new Error('an accepted earning was not written')
    return outcome
  })
}

async function readFacts(
  tx: Transaction,
  batch: readonly Earning[],
  now: Date,
  lock_window_s: number,
): Promise<EarningFacts> {
  const program_id = batch[0]?.merchant.program_id ?? 0
  const [locked, customers, repeats] = await Promise.all([
    tx.run(lockMerchants(program_id, batch)),
    tx.run(lockCustomers(program_id, batch)),
    tx.run(findRepeats(program_id, batch)),
  ])
  return {
    locked: new Set(locked.map(({ merchant_id }) => merchant_id)),
    customers: new Map((await withWaiting(tx, program_id, customers)).map((customer) => [customer.phone, customer])),
    repeats,
    now,
    lock_window_s,
  }
}

/**
 * After a try whose commit is unknown, a held lock may be that try's own, about to commit. Answering
 * `earning_in_progress` would promise that nothing was written, so try again until the lock is free or the row is
 * there.
 */
function assertSettled(decisions: readonly EarningDecision[]): void {
  const isLocked = (one: EarningDecision) => one.kind === 'refuse' && one.failure.kind === 'earning_in_progress'
  if (decisions.some(isLocked)) throw new CommitUnknown('a merchant is still locked')
}

/** A customer was activated before their wallet was locked. */
class StaleCustomer extends Error {}

/**
 * Adds the pending points of invited customers. Locks their rows, so that no activation runs until the transaction
 * ends: it would miss the pending earnings that this batch adds.
 */
async function withWaiting(
  tx: Transaction,
  program_id: number,
  customers: readonly FoundCustomer[],
): Promise<readonly KnownCustomer[]> {
  const ids = customers.filter(({ status }) => status === 'invited').map(({ customer_id }) => customer_id)
  if (ids.length === 0) return customers.map((customer) => ({ ...customer, waiting: NO_POINTS }))
  const [invited, sums] = await Promise.all([tx.run(lockInvited(program_id, ids)), tx.run(sumWaiting(program_id, ids))])
  if (invited.length !== ids.length) throw new StaleCustomer('a customer was activated meanwhile')
  const waiting = new Map(sums.map(({ customer_id, points }) => [customer_id, points]))
  return customers.map((customer) => ({ ...customer, waiting: waiting.get(customer.customer_id) ?? NO_POINTS }))
}
