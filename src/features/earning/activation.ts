import { audit } from '../../db/audit.ts'
import { isUniqueViolation } from '../../db/failure.ts'
import { enqueueEvents } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import { postToWallets } from '../../db/posting.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { bookedLater } from '../../domain/booking.ts'
import { orderTable } from '../../domain/order.ts'
import type { Phone } from '../../domain/phone.ts'
import { rateAt } from '../../domain/rates.ts'
import type { Clock } from '../../lib/clock.ts'
import { CliError } from '../../lib/errors.ts'
import { newReferenceNumber, newUuid } from '../../lib/ids.ts'
import { activateInvited, type LockedCustomer, lockCustomer } from '../customers/queries.ts'
import { lockBoundaries } from '../merchants/boundary-queries.ts'
import { eventRows, snapshotOrder } from '../orders/events.ts'
import { insertOrdersOfPending } from '../orders/write-queries.ts'
import { endPending, findPendingOf, type PendingRow } from './queries.ts'

/** The output of `nuqta customers activate`. */
export interface Activated {
  readonly phone: Phone
  readonly customer_status: 'active'
  readonly orders_created: number
}

export interface ActivateRequest {
  readonly program_id: number
  readonly phone: Phone
  /** The phone as it was typed, for messages. */
  readonly typed?: string
  readonly by?: Actor
}

/**
 * Activates a customer and turns each pending earning into an order with its event, for the points recorded when it was
 * sent. An active customer stays active. docs/spec/earning.md#activation
 * @throws CliError if no customer of this program has the phone
 */
export function activateCustomer(
  db: Database,
  clock: Clock,
  { program_id, phone, typed = phone, by }: ActivateRequest,
): Promise<Activated> {
  return db.transaction(
    async (tx) => {
      // Lock the wallet first: a pending earning checks the status again under the same lock (docs/decisions/0005).
      const customer = await tx.one(lockCustomer(program_id, phone))
      if (customer === undefined) throw new CliError(`No customer of this program has the phone ${typed}.`)
      const orders_created = await activate(tx, program_id, customer, clock.now())
      const [before, after] = [{ status: customer.status }, { status: 'active', orders_created }]
      const object = `customer:${customer.customer_id}` as const
      audit(tx, by, [{ program_id, action: 'customers.activate', object, before, after }])
      return { phone, customer_status: 'active', orders_created }
    },
    // A reference number is taken: draw all of them again.
    { retryOn: (error) => isUniqueViolation(error) },
  )
}

interface NewOrder extends PendingRow {
  readonly reference_number: string
  readonly booked_at: Date | null
}

/**
 * Activates a customer whose wallet is locked, and turns the pending earnings into orders, in the caller's transaction.
 * @returns the number of orders
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
  const boundaries = await tx.run(
    lockBoundaries(
      program_id,
      pending.map(({ merchant_id }) => merchant_id),
    ),
  )
  const closing = new Map(boundaries.map(({ merchant_id, closing_to }) => [merchant_id, closing_to]))
  const orders = pending.map((one): NewOrder => {
    const booked_at = bookedLater(now, closing.get(one.merchant_id) ?? null)
    return { ...one, reference_number: newReferenceNumber(), booked_at }
  })
  for (const { source } of orders) tx.counts({ what: 'orders', kind: source, amount: 1 })
  const written = orders.map(({ pending_uuid: order_uuid, reference_number, booked_at }) => {
    return { order_uuid, reference_number, booked_at }
  })
  void tx.run(insertOrdersOfPending(program_id, now, written))
  postAwards(tx, program_id, { orders, wallet: customer, now })
  void tx.run(
    endPending(
      program_id,
      customer.customer_id,
      written.map(({ order_uuid }) => order_uuid),
    ),
  )
  const events = orders.flatMap((order) => eventsOf(order, now))
  enqueueEvents(tx, program_id, now, events)
  return orders.length
}

function postAwards(
  tx: Transaction,
  program_id: number,
  {
    orders,
    wallet,
    now,
  }: { readonly orders: readonly NewOrder[]; readonly wallet: LockedCustomer; readonly now: Date },
): void {
  const facts = orders.map(
    ({ pending_uuid: order_uuid, total_points: points, merchant_account_id: merchant, ...order }) => ({
      fact: { kind: 'earn', cause: order_uuid, points, wallet: wallet.account_id, merchant } as const,
      transfer_id: newUuid(),
      order_uuid,
      value: rateAt(order.rates, now),
      booked_at: order.booked_at,
    }),
  )
  postToWallets(tx, { program_id, now, wallets: [wallet], facts })
}

function eventsOf(pending: NewOrder, now: Date) {
  const approved = { type: 1, order_status: 'approved', created_at: now, updated_at: now } as const
  const order = { ...pending, ...approved, order_uuid: pending.pending_uuid }
  const events = orderTable.new.award.events.map((name) => ({ name, extras: {} }))
  return eventRows(order, snapshotOrder(order), events)
}
