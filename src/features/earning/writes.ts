import { type EntryRow, post, type TransferRow, type WalletRow } from '../../db/ledger.ts'
import { announce, type EventRow } from '../../db/outbox.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Earning, EarningDecision, EarningFacts, NewCustomer } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import { applyEntries, transferOf, type Wallet } from '../../domain/ledger.ts'
import { orderTable } from '../../domain/order.ts'
import { NO_POINTS } from '../../domain/points.ts'
import { newReferenceNumber, newUuid } from '../../lib/ids.ts'
import { insertInvitations } from '../customers/invitation-queries.ts'
import { insertCustomers, nameCustomers } from '../customers/queries.ts'
import { eventRows, snapshotOrder } from '../orders/events.ts'
import { insertOrders, type StoredRow } from '../orders/insert-queries.ts'
import { awardedOrder, type Earned } from './outcome.ts'
import { findWritten, insertPending, insertRatings } from './queries.ts'

interface Accepted {
  readonly earning: Earning
  readonly customer_id: Uuid
}

interface Award extends Accepted {
  readonly reference_number: string
}

/**
 * Sends everything that a decided batch writes, without waiting: customers, wallets, orders, transfers, entries and
 * events leave together with the COMMIT.
 * @returns what each accepted earning became, by its `order_uuid`; to be awaited after the commit
 */
export function writeEarnings(
  tx: Transaction,
  facts: EarningFacts,
  decided: { readonly decisions: readonly EarningDecision[]; readonly newCustomers: readonly NewCustomer[] },
): { readonly earned: Promise<Map<Uuid, Earned>> } {
  const { decisions, newCustomers } = decided
  const program_id = decisions[0]?.earning.merchant.program_id ?? 0
  const awards = accepted(decisions, 'award').map((award) => ({ ...award, reference_number: newReferenceNumber() }))
  const pending = accepted(decisions, 'pend')
  const before = decisions.flatMap((decision) => (decision.kind === 'written before' ? [decision.earning] : []))

  if (newCustomers.length > 0) {
    void tx.run(insertCustomers(program_id, facts.now, newCustomers))
    sendInvitations(tx, program_id, newCustomers, pending)
  }
  sendNames(tx, facts, [...awards, ...pending])
  const rows: Promise<readonly StoredRow[]>[] = []
  if (awards.length > 0) rows.push(tx.run(insertOrders(program_id, facts.now, awards)))
  sendPostings(tx, program_id, facts, awards, newCustomers)
  announce(
    tx,
    program_id,
    facts.now,
    awards.flatMap((award) => eventsOf(award, facts.now)),
  )
  if (pending.length > 0) rows.push(tx.run(insertPending(program_id, facts.now, pending)))
  sendRatings(tx, program_id, facts.now, [...awards, ...pending])
  if (before.length > 0) rows.push(tx.run(findWritten(program_id, before)))
  const result = outcomes(
    decisions.map(({ earning }) => earning),
    rows,
  )
  // The transaction reports what failed; here it only must not go unhandled.
  result.catch(() => undefined)
  return { earned: result }
}

function accepted(decisions: readonly EarningDecision[], kind: 'award' | 'pend'): Accepted[] {
  return decisions.flatMap((decision) => (decision.kind === kind ? [decision] : []))
}

function sendRatings(tx: Transaction, program_id: number, now: Date, earnings: readonly Accepted[]): void {
  const rated = earnings.flatMap(({ earning }) => (earning.audit === null ? [] : [earning]))
  if (rated.length > 0) void tx.run(insertRatings(program_id, now, rated))
}

/** Whoever is made because earnings wait is told by a message, which names the merchant of the first (decisions §3). */
function sendInvitations(
  tx: Transaction,
  program_id: number,
  newCustomers: readonly NewCustomer[],
  pending: readonly Accepted[],
): void {
  const invitations = newCustomers.flatMap(({ customer_id, status }) => {
    if (status !== 'invited') return []
    const first = pending.find((one) => one.customer_id === customer_id)
    if (first === undefined) throw new Error('an invited customer without an earning that waits')
    return [{ sms_uuid: newUuid(), customer_id, merchant_id: first.earning.merchant.merchant_id }]
  })
  if (invitations.length > 0) void tx.run(insertInvitations(program_id, invitations, new Date()))
}

/** A name that came with an earning fills a name that is missing (never replaces one): of several, the first. */
function sendNames(tx: Transaction, facts: EarningFacts, earnings: readonly Accepted[]): void {
  const names = new Map<Uuid, string>()
  for (const { earning, customer_id } of earnings) {
    if (earning.name !== null && facts.customers.get(earning.phone)?.named === false && !names.has(customer_id))
      names.set(customer_id, earning.name)
  }
  const program_id = earnings[0]?.earning.merchant.program_id ?? 0
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

/** Posts one transfer per award; several awards of one customer follow each other through the wallet. */
function sendPostings(
  tx: Transaction,
  program_id: number,
  facts: EarningFacts,
  awards: readonly Award[],
  newCustomers: readonly NewCustomer[],
): void {
  const known = new Map([...facts.customers.values()].map((customer) => [customer.customer_id, customer]))
  const after = new Map<Uuid, Wallet>(
    newCustomers.map(({ customer_id }) => [customer_id, { posted: NO_POINTS, held: NO_POINTS, version: 0 }]),
  )
  const transfers: TransferRow[] = []
  const entries: EntryRow[] = []
  for (const { earning, customer_id } of awards) {
    const { order_uuid, transfer_id, points, merchant } = earning
    const fact = {
      kind: 'earn',
      cause: order_uuid,
      points,
      wallet: customer_id,
      merchant: merchant.account_id,
    } as const
    const transfer = transferOf(fact)
    const wallet = after.get(customer_id) ?? known.get(customer_id)
    if (transfer === null) continue
    if (wallet === undefined) throw new Error('an award without a wallet')
    const applied = applyEntries(wallet, transfer.entries)
    after.set(customer_id, applied.wallet)
    transfers.push({ transfer_id, kind: transfer.kind, reference: transfer.reference, order_uuid, reason: null })
    applied.entries.forEach(({ account, bucket, amount, balance_after, account_version }, line) => {
      const { account_id } = account
      entries.push({ transfer_id, line, account_id, bucket, amount, balance_after, account_version })
    })
  }
  const made = new Set(newCustomers.map(({ customer_id }) => customer_id))
  const wallets = [...after].map(([account_id, wallet]): WalletRow => ({ account_id, ...wallet }))
  post(tx, {
    program_id,
    now: facts.now,
    transfers,
    entries,
    wallets: wallets.filter(({ account_id }) => !made.has(account_id)),
    newWallets: wallets.filter(({ account_id }) => made.has(account_id)),
  })
}

function eventsOf({ earning, reference_number }: Award, now: Date): EventRow[] {
  const { event_id } = earning
  // The payload does not tell the integer id, which the database gives as it writes.
  const order = awardedOrder(earning, { id: 0, reference_number, created_at: now })
  const events = orderTable.new.award.events.map((name) => ({ name, extras: {} }))
  return eventRows(order, snapshotOrder(order), events, () => event_id)
}

/** What each accepted earning became, from the rows that now stand for it. */
async function outcomes(
  earnings: readonly Earning[],
  rows: readonly Promise<readonly StoredRow[]>[],
): Promise<Map<Uuid, Earned>> {
  const byUuid = new Map(earnings.map((earning) => [earning.order_uuid, earning]))
  const stored = (await Promise.all(rows)).flat()
  return new Map(
    stored.map(({ request_uuid, id, reference_number, created_at, total_points }): [Uuid, Earned] => {
      const asked = byUuid.get(request_uuid)
      if (asked === undefined) throw new Error('a row of no earning of this batch')
      // What an earlier try has written was awarded at the rate of then.
      const earning = total_points === undefined ? asked : { ...asked, points: total_points }
      if (typeof reference_number !== 'string') return [request_uuid, { kind: 'pending', id, earning }]
      return [request_uuid, { kind: 'order', order: awardedOrder(earning, { id, reference_number, created_at }) }]
    }),
  )
}
