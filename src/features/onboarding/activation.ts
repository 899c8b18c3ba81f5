import { isUniqueViolation } from '../../db/failure.ts'
import { announce } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import { postFacts } from '../../db/posting.ts'
import type { Transaction } from '../../db/transaction.ts'
import { orderTable } from '../../domain/order.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Clock } from '../../lib/clock.ts'
import { CliError } from '../../lib/errors.ts'
import { newReferenceNumber, newUuid } from '../../lib/ids.ts'
import { activateInvited, type LockedCustomer, lockCustomer } from '../customers/queries.ts'
import { endPending, findPendingOf, type PendingRow } from '../earning/queries.ts'
import { eventRows, snapshotOrder } from '../orders/events.ts'
import { insertOrdersOfPending } from '../orders/insert-queries.ts'

/** What `customers activate` gives. */
export interface Activated {
  readonly phone: Phone
  readonly customer_status: 'active'
  readonly orders_created: number
}

/**
 * Makes a customer active and each earning that waited an order, at the points recorded when it was sent, with its
 * event (decisions §3). A customer who is active already stays so.
 * @throws CliError when nobody of this program has the phone
 */
export function activateCustomer(
  db: Database,
  clock: Clock,
  { program_id, phone, typed = phone }: { readonly program_id: number; readonly phone: Phone; readonly typed?: string },
): Promise<Activated> {
  return db.transaction(
    async (tx) => {
      // The wallet first: an earning that would wait asks again for the status once it holds it (docs/decisions/0005).
      const customer = await tx.one(lockCustomer(program_id, phone))
      if (customer === undefined) throw new CliError(`No customer of this program has the phone ${typed}.`)
      const orders_created = await activate(tx, program_id, customer, clock.now())
      return { phone, customer_status: 'active', orders_created }
    },
    // A reference number that another order has: all are drawn anew.
    { retryOn: (error) => isUniqueViolation(error) },
  )
}

interface NewOrder extends PendingRow {
  readonly reference_number: string
}

/**
 * Makes a customer whose wallet is locked active, and orders with events of what waited, in the transaction of the caller.
 * @returns how many orders
 */
export async function activate(
  tx: Transaction,
  program_id: number,
  customer: LockedCustomer,
  now: Date,
): Promise<number> {
  void tx.run(activateInvited(program_id, customer.customer_id, now))
  const pending = await tx.run(findPendingOf(program_id, customer.customer_id))
  if (pending.length === 0) return 0
  const orders = pending.map((one): NewOrder => ({ ...one, reference_number: newReferenceNumber() }))
  const written = orders.map(({ pending_uuid, reference_number }) => ({ order_uuid: pending_uuid, reference_number }))
  void tx.run(insertOrdersOfPending(program_id, now, written))
  let wallet = customer
  for (const order of orders) wallet = { ...wallet, ...postAward(tx, program_id, { order, wallet, now }) }
  void tx.run(
    endPending(
      program_id,
      written.map(({ order_uuid }) => order_uuid),
    ),
  )
  const events = orders.flatMap((order) => eventsOf(order, now))
  announce(tx, program_id, now, events)
  return orders.length
}

function postAward(
  tx: Transaction,
  program_id: number,
  { order, wallet, now }: { readonly order: NewOrder; readonly wallet: LockedCustomer; readonly now: Date },
) {
  const { pending_uuid: order_uuid, total_points: points, merchant_account_id: merchant } = order
  const fact = { kind: 'earn', cause: order_uuid, points, wallet: wallet.account_id, merchant } as const
  return postFacts(tx, { program_id, now, order_uuid, wallet, facts: [fact], newId: newUuid }).wallet
}

function eventsOf(pending: NewOrder, now: Date) {
  const approved = { type: 1, order_status: 'approved', created_at: now, updated_at: now } as const
  const order = { ...pending, ...approved, order_uuid: pending.pending_uuid }
  const events = orderTable.new.award.events.map((name) => ({ name, extras: {} }))
  return eventRows(order, snapshotOrder(order), events)
}
