import { coalesce } from '../../db/coalesce.ts'
import { CommitUnknown, isDatabaseUnavailable, isUniqueViolation } from '../../db/failure.ts'
import { type EventRow, enqueueEvents } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import { postToWallets } from '../../db/posting.ts'
import type { Transaction } from '../../db/transaction.ts'
import { bookedLater } from '../../domain/booking.ts'
import {
  type AcceptedEarning,
  acceptedIn,
  type DecidedBatch,
  decideEarnings,
  type Earning,
  type EarningDecision,
  type EarningFacts,
  type KnownCustomer,
} from '../../domain/earning.ts'
import { DomainError, type Failure } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { EMPTY_WALLET } from '../../domain/ledger.ts'
import { orderTable } from '../../domain/order.ts'
import { NO_POINTS } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import type { Clock } from '../../lib/clock.ts'
import { newReferenceNumber, newUuid } from '../../lib/ids.ts'
import { insertInvitations } from '../customers/invitation-queries.ts'
import { insertCustomers, nameCustomers } from '../customers/queries.ts'
import { eventRows, snapshotOrder } from '../orders/events.ts'
import type { Order } from '../orders/order.ts'
import { sumWaiting } from '../orders/queries.ts'
import { awardedOrder, insertOrders, type StoredRow } from '../orders/write-queries.ts'
import {
  type FoundCustomer,
  findRepeats,
  findWritten,
  insertPending,
  insertRatings,
  lockBatch,
  lockInvited,
} from './queries.ts'

/** The result of an accepted earning. */
export type Earned =
  | { readonly kind: 'order'; readonly order: Order }
  /**
   * It waits until its customer activates the account. `id` is its public integer.
   * docs/spec/earning.md#pending-activation
   */
  | { readonly kind: 'pending'; readonly id: number; readonly earning: Earning }

/**
 * Awards points. Fails with `earning_in_progress`, `order_number_repeated` or `validation` (the order number is taken,
 * the wallet is full, or too many earnings wait for the customer); then nothing is written. docs/spec/earning.md#earn
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
      const facts = await readFacts(tx, batch, clock, lock_window_s)
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

interface Facts extends EarningFacts {
  /** The end of each locked merchant's closed periods. */
  readonly closing: ReadonlyMap<number, Date | null>
}

async function readFacts(
  tx: Transaction,
  batch: readonly Earning[],
  clock: Clock,
  lock_window_s: number,
): Promise<Facts> {
  const program_id = batch[0]?.merchant.program_id ?? 0
  const [rows, repeats] = await Promise.all([
    tx.run(lockBatch(program_id, batch)),
    tx.run(findRepeats(program_id, batch)),
  ])
  const locked = rows.filter((row) => row.merchant_id !== null)
  const customers = await withWaiting(
    tx,
    program_id,
    rows.filter((row) => row.customer_id !== null),
  )
  return {
    locked: new Set(locked.map(({ merchant_id }) => merchant_id)),
    closing: new Map(locked.map(({ merchant_id, closing_to }) => [merchant_id, closing_to])),
    customers: new Map(customers.map((customer) => [customer.phone, customer])),
    repeats,
    // Read the clock after the locks, which may have taken a while.
    now: clock.now(),
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
  if (ids.length === 0) return customers.map((customer) => ({ ...customer, waiting: NO_POINTS, waiting_earnings: 0 }))
  const [invited, sums] = await Promise.all([tx.run(lockInvited(program_id, ids)), tx.run(sumWaiting(program_id, ids))])
  if (invited.length !== ids.length) throw new StaleCustomer('a customer was activated meanwhile')
  const sumOf = new Map(sums.map((sum) => [sum.customer_id, sum]))
  return customers.map((customer) => {
    const { points = NO_POINTS, earnings = 0 } = sumOf.get(customer.customer_id) ?? {}
    return { ...customer, waiting: points, waiting_earnings: earnings }
  })
}

interface Award extends AcceptedEarning {
  readonly reference_number: string
  readonly booked_at: Date | null
}

/**
 * Sends every write of a decided batch without waiting: customers, wallets, orders, transfers, entries and events leave
 * together with the COMMIT.
 * @returns the result of each accepted earning by its `order_uuid`; await it after the commit
 */
function writeEarnings(
  tx: Transaction,
  facts: Facts,
  decided: DecidedBatch,
): { readonly earned: Promise<Map<Uuid, Earned>> } {
  const { decisions, newCustomers } = decided
  const { now } = facts
  const program_id = decisions[0]?.earning.merchant.program_id ?? 0
  const awards = acceptedIn(decisions, 'award').map((award) => {
    const booked_at = bookedLater(now, facts.closing.get(award.earning.merchant.merchant_id) ?? null)
    return { ...award, reference_number: newReferenceNumber(), booked_at }
  })
  const pending = acceptedIn(decisions, 'pend')
  const before = decisions.flatMap((decision) => (decision.kind === 'written_before' ? [decision.earning] : []))
  const rated = [...awards, ...pending].map(({ earning }) => earning).filter(({ audit }) => audit !== null)

  writeCustomers(tx, program_id, now, decided)
  const rows: Promise<readonly StoredRow[]>[] = []
  if (awards.length > 0) rows.push(tx.run(insertOrders(program_id, now, awards)))
  for (const { earning } of awards) tx.counts({ what: 'orders', kind: earning.source, amount: 1 })
  postAwards(tx, program_id, facts, awards, newCustomers)
  const events = awards.flatMap((award) => eventsOf(award, now))
  enqueueEvents(tx, program_id, now, events)
  if (pending.length > 0) rows.push(tx.run(insertPending(program_id, now, pending)))
  if (rated.length > 0) void tx.run(insertRatings(program_id, now, rated))
  if (before.length > 0) rows.push(tx.run(findWritten(program_id, before)))
  const earned = earnedOf(decisions, rows)
  // The transaction reports a failure; here it only must not be an unhandled rejection.
  earned.catch(() => undefined)
  return { earned }
}

function writeCustomers(
  tx: Transaction,
  program_id: number,
  now: Date,
  { newCustomers, names, invitations }: DecidedBatch,
): void {
  if (newCustomers.length > 0) void tx.run(insertCustomers(program_id, now, newCustomers))
  if (invitations.length > 0) {
    const messages = invitations.map((invitation) => ({ ...invitation, sms_uuid: newUuid() }))
    void tx.run(insertInvitations(program_id, messages, new Date()))
  }
  if (names.length > 0) void tx.run(nameCustomers(program_id, names))
}

/** Posts one transfer per award and creates the wallets of new customers. */
function postAwards(
  tx: Transaction,
  program_id: number,
  facts: EarningFacts,
  awards: readonly Award[],
  newCustomers: DecidedBatch['newCustomers'],
): void {
  postToWallets(tx, {
    program_id,
    now: facts.now,
    wallets: [...facts.customers.values()].map(({ customer_id, ...wallet }) => ({
      ...wallet,
      account_id: customer_id,
    })),
    newWallets: newCustomers.map(({ customer_id }) => ({ ...EMPTY_WALLET, account_id: customer_id })),
    facts: awards.map(({ earning: { order_uuid, transfer_id, points, merchant }, customer_id, booked_at }) => ({
      fact: { kind: 'earn', cause: order_uuid, points, wallet: customer_id, merchant: merchant.account_id },
      transfer_id,
      order_uuid,
      value: rateAt(merchant.program.rates, facts.now),
      booked_at,
    })),
  })
}

function eventsOf({ earning, reference_number }: Award, now: Date): EventRow[] {
  const { event_id } = earning
  // The payload does not contain the integer id, which the database assigns.
  const order = awardedOrder(earning, { id: 0, reference_number, created_at: now })
  const events = orderTable.new.award.events.map((name) => ({ name, extras: {} }))
  return eventRows(order, snapshotOrder(order), events, () => event_id)
}

/** The result of each accepted earning, from the rows that were written for it. */
async function earnedOf(
  decisions: readonly EarningDecision[],
  rows: readonly Promise<readonly StoredRow[]>[],
): Promise<Map<Uuid, Earned>> {
  const byUuid = new Map(decisions.map(({ earning }) => [earning.order_uuid, earning]))
  const stored = (await Promise.all(rows)).flat()
  return new Map(
    stored.map(({ request_uuid, id, reference_number, created_at, total_points }): [Uuid, Earned] => {
      const requested = byUuid.get(request_uuid)
      if (requested === undefined) throw new Error('a row belongs to no earning of this batch')
      // A row of an earlier try keeps the points of that moment's rate.
      const earning = total_points === undefined ? requested : { ...requested, points: total_points }
      if (typeof reference_number !== 'string') return [request_uuid, { kind: 'pending', id, earning }]
      return [request_uuid, { kind: 'order', order: awardedOrder(earning, { id, reference_number, created_at }) }]
    }),
  )
}
