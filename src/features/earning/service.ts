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
import { DomainError } from '../../domain/failures.ts'
import { NO_POINTS } from '../../domain/points.ts'
import type { Clock } from '../../lib/clock.ts'
import { sumWaiting } from '../orders/queries.ts'
import type { Earned, Outcome } from './outcome.ts'
import { type FoundCustomer, findRepeats, lockCustomers, lockInvited, lockMerchants } from './queries.ts'
import { writeEarnings } from './writes.ts'

/**
 * Awards points. Refused: `earning_in_progress`, `order_number_repeated`, `validation` (taken, or a wallet that is full);
 * then nothing is written.
 */
export type Earn = (earning: Earning) => Promise<Earned>

export interface EarnOptions {
  readonly db: Database
  readonly clock: Clock
  readonly lock_window_s: number
  readonly observe?: (batch_size: number) => void
}

/**
 * The earning path (architecture, "The earning path"): one earning of a merchant at a time, in this process by a set
 * and across processes by a locked row; many merchants of one program to a transaction.
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

/** The earnings of one batch: each ends in exactly one outcome, and all that were accepted are committed. */
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
    // Another process made the same customer, or drew the same reference number: all is read and decided anew.
    { repeatable: true, retryOn: (error) => error instanceof StaleCustomer || isUniqueViolation(error) },
  )
  const outcomes = await earned
  return decisions.map((decision) => {
    if (decision.kind === 'refuse') return { kind: 'refused', failure: decision.failure }
    const outcome = outcomes.get(decision.earning.order_uuid)
    if (outcome === undefined) throw new Error('an accepted earning has not been written')
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
 * After a commit that is not known, a lock that is still held may be that try's own, about to be committed: only the lock,
 * or the row, tells. "Another earning is in progress" would be a promise that nothing was written.
 */
function assertSettled(decisions: readonly EarningDecision[]): void {
  const isLocked = (one: EarningDecision) => one.kind === 'refuse' && one.failure.kind === 'earning_in_progress'
  if (decisions.some(isLocked)) throw new CommitUnknown('a merchant is still locked')
}

/** A customer was activated between the reading and the locking of the wallet. */
class StaleCustomer extends Error {}

/**
 * Adds what waits for those who are invited. An activation turns every pending earning into an order, so none may be added
 * behind its back: they stay invited until the transaction ends.
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
