import { type EventRow, enqueueEvents } from '../../db/outbox.ts'
import { postToWallets } from '../../db/posting.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Earning, EarningDecision, EarningFacts, NewCustomer } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import { orderTable } from '../../domain/order.ts'
import { NO_POINTS } from '../../domain/points.ts'
import { newReferenceNumber, newUuid } from '../../lib/ids.ts'
import { insertInvitations } from '../customers/invitation-queries.ts'
import { insertCustomers, nameCustomers } from '../customers/queries.ts'
import { eventRows, snapshotOrder } from '../orders/events.ts'
import type { Order, ProductLine } from '../orders/order.ts'
import { insertOrders, type StoredRow } from '../orders/write-queries.ts'
import { findWritten, insertPending, insertRatings } from './queries.ts'

/** The result of an accepted earning. */
export type Earned =
  | { readonly kind: 'order'; readonly order: Order }
  /**
   * It waits until its customer activates the account. `id` is its public integer.
   * docs/spec/earning.md#pending-activation
   */
  | { readonly kind: 'pending'; readonly id: number; readonly earning: Earning }

interface Accepted {
  readonly earning: Earning
  readonly customer_id: Uuid
}

interface Award extends Accepted {
  readonly reference_number: string
}

/**
 * Sends every write of a decided batch without waiting: customers, wallets, orders, transfers, entries and events leave
 * together with the COMMIT.
 * @returns the result of each accepted earning by its `order_uuid`; await it after the commit
 */
export function writeEarnings(
  tx: Transaction,
  facts: EarningFacts,
  decided: { readonly decisions: readonly EarningDecision[]; readonly newCustomers: readonly NewCustomer[] },
): { readonly earned: Promise<Map<Uuid, Earned>> } {
  const { decisions, newCustomers } = decided
  const { now } = facts
  const program_id = decisions[0]?.earning.merchant.program_id ?? 0
  const awards = accepted(decisions, 'award').map((award) => ({ ...award, reference_number: newReferenceNumber() }))
  const pending = accepted(decisions, 'pend')
  const before = decisions.flatMap((decision) => (decision.kind === 'written_before' ? [decision.earning] : []))

  if (newCustomers.length > 0) {
    void tx.run(insertCustomers(program_id, now, newCustomers))
    sendInvitations(tx, program_id, newCustomers, pending)
  }
  sendNames(tx, program_id, facts, [...awards, ...pending])
  const rows: Promise<readonly StoredRow[]>[] = []
  if (awards.length > 0) rows.push(tx.run(insertOrders(program_id, now, awards)))
  for (const { earning } of awards) tx.counts({ what: 'orders', kind: earning.source, amount: 1 })
  postAwards(tx, program_id, facts, awards, newCustomers)
  enqueueEvents(
    tx,
    program_id,
    now,
    awards.flatMap((award) => eventsOf(award, now)),
  )
  if (pending.length > 0) rows.push(tx.run(insertPending(program_id, now, pending)))
  sendRatings(tx, program_id, now, [...awards, ...pending])
  if (before.length > 0) rows.push(tx.run(findWritten(program_id, before)))
  const earned = earnedOf(
    decisions.map(({ earning }) => earning),
    rows,
  )
  // The transaction reports a failure; here it only must not be an unhandled rejection.
  earned.catch(() => undefined)
  return { earned }
}

function accepted(decisions: readonly EarningDecision[], kind: 'award' | 'pend'): Accepted[] {
  return decisions.flatMap((decision) => (decision.kind === kind ? [decision] : []))
}

function sendRatings(tx: Transaction, program_id: number, now: Date, earnings: readonly Accepted[]): void {
  const rated = earnings.flatMap(({ earning }) => (earning.audit === null ? [] : [earning]))
  if (rated.length > 0) void tx.run(insertRatings(program_id, now, rated))
}

/**
 * Invites each new customer with a pending earning, in the name of the first one's merchant.
 * docs/spec/customers.md#invitations
 */
function sendInvitations(
  tx: Transaction,
  program_id: number,
  newCustomers: readonly NewCustomer[],
  pending: readonly Accepted[],
): void {
  const invitations = newCustomers.flatMap(({ customer_id, status }) => {
    if (status !== 'invited') return []
    const first = pending.find((one) => one.customer_id === customer_id)
    if (first === undefined) throw new Error('an invited customer has no pending earning')
    return [{ sms_uuid: newUuid(), customer_id, merchant_id: first.earning.merchant.merchant_id }]
  })
  if (invitations.length > 0) void tx.run(insertInvitations(program_id, invitations, new Date()))
}

/** Names customers without a name, from the first earning that has one. A name is never replaced. */
function sendNames(tx: Transaction, program_id: number, facts: EarningFacts, earnings: readonly Accepted[]): void {
  const names = new Map<Uuid, string>()
  for (const { earning, customer_id } of earnings) {
    if (earning.name !== null && facts.customers.get(earning.phone)?.named === false && !names.has(customer_id))
      names.set(customer_id, earning.name)
  }
  const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length > 0)
    void tx.run(
      nameCustomers(
        program_id,
        sorted.map(([id]) => id),
        sorted.map(([, name]) => name),
      ),
    )
}

/** Posts one transfer per award and creates the wallets of new customers. */
function postAwards(
  tx: Transaction,
  program_id: number,
  facts: EarningFacts,
  awards: readonly Award[],
  newCustomers: readonly NewCustomer[],
): void {
  postToWallets(tx, {
    program_id,
    now: facts.now,
    wallets: [...facts.customers.values()].map(({ customer_id, ...wallet }) => ({
      ...wallet,
      account_id: customer_id,
    })),
    newWallets: newCustomers.map(({ customer_id }) => ({ ...emptyWallet, account_id: customer_id })),
    facts: awards.map(({ earning: { order_uuid, transfer_id, points, merchant }, customer_id }) => ({
      fact: { kind: 'earn', cause: order_uuid, points, wallet: customer_id, merchant: merchant.account_id },
      transfer_id,
      order_uuid,
    })),
  })
}

const emptyWallet = { posted: NO_POINTS, held: NO_POINTS, version: 0 }

function eventsOf({ earning, reference_number }: Award, now: Date): EventRow[] {
  const { event_id } = earning
  // The payload does not contain the integer id, which the database assigns.
  const order = awardedOrder(earning, { id: 0, reference_number, created_at: now })
  const events = orderTable.new.award.events.map((name) => ({ name, extras: {} }))
  return eventRows(order, snapshotOrder(order), events, () => event_id)
}

/** The result of each accepted earning, from the rows that were written for it. */
async function earnedOf(
  earnings: readonly Earning[],
  rows: readonly Promise<readonly StoredRow[]>[],
): Promise<Map<Uuid, Earned>> {
  const byUuid = new Map(earnings.map((earning) => [earning.order_uuid, earning]))
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

/** The order of an awarded earning. */
function awardedOrder(
  earning: Earning,
  stored: { readonly id: number; readonly reference_number: string; readonly created_at: Date },
): Order {
  return {
    id: stored.id,
    order_uuid: earning.order_uuid,
    merchant_id: earning.merchant.merchant_id,
    type: 1,
    source: earning.source,
    reference_number: stored.reference_number,
    order_number: earning.order_number,
    order_status: 'approved',
    total_halalas: earning.total_halalas,
    total_points: earning.points,
    metadata: parseJson<object>(earning.metadata),
    items: parseJson<ProductLine[]>(earning.items),
    shipping_status: 'new',
    label_ar: null,
    label_en: null,
    settlement_id: null,
    created_at: stored.created_at,
    updated_at: stored.created_at,
  }
}

function parseJson<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
