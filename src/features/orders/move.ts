import { audit } from '../../db/audit.ts'
import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import { postFacts } from '../../db/posting.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { bookedLater } from '../../domain/booking.ts'
import { pointsOfMoneyPart } from '../../domain/earning.ts'
import { DEFAULT_CANCEL_REASON } from '../../domain/events.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { usablePoints } from '../../domain/ledger.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { decideTransition, orderType, type PointsMovement, type Transition } from '../../domain/order.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { movePoints, type PointsMove } from '../../domain/redemption.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { withEarningCustomer } from './earning-customer.ts'
import { enqueueOrderEvents, type OrderEvent } from './events.ts'
import { recordCollected } from './money-queries.ts'
import type { LockedOrder, Order } from './order.ts'
import { cancelPayment, queueTaskForAuthorized } from './payment-tasks.ts'
import { type OrderChanges, updateOrder, writeHold } from './queries.ts'
import { changeOrder } from './service.ts'
import { endSession } from './session-queries.ts'

/** A move of an order that has not been paid yet. Only the hosted checkout sends `pay`. */
export type OrderMove =
  | { readonly action: 'authorize' | 'capture' | 'pay' }
  | { readonly action: 'complete'; readonly payment_method?: string | undefined }
  | { readonly action: 'cancel'; readonly reason?: string | undefined }

/**
 * Moves an order of this merchant and gives it as it is then. Refuses with `order_not_found`, what `decideTransition`
 * says, and `insufficient_points` where an expired hold cannot be made again. A refusal changes nothing.
 */
export type MoveOrder = (
  merchant: Merchant,
  order_uuid: Uuid,
  move: OrderMove,
  beforeCommit?: BeforeCommit<Order>,
  by?: Actor,
) => Promise<Order>

/** The order, its points and its events change in one transaction (docs/spec/orders.md#racing). */
export function createMoveOrder({ db, clock }: { readonly db: Database; readonly clock: Clock }): MoveOrder {
  return (merchant, order_uuid, move, beforeCommit, by) =>
    changeOrder(
      db,
      merchant,
      order_uuid,
      async (tx, found) => {
        const order = marksPaid(move) ? await withEarningCustomer(tx, merchant, found, clock) : found
        const now = clock.now()
        const moved = moveLocked(tx, { merchant, order, now }, move)
        recordMove(tx, by, move, { before: found, after: moved })
        await beforeCommit?.(tx, moved)
        return moved
      },
      { retryOn: (error) => isUniqueViolation(error, 'customer_phone_key') },
    )
}

function recordMove(
  tx: Transaction,
  by: Actor | undefined,
  { action }: OrderMove,
  { before, after }: { readonly before: LockedOrder; readonly after: LockedOrder },
): void {
  if (action === 'pay') return
  const { program_id, order_uuid } = after
  const state = (order: LockedOrder) => ({ order_status: order.order_status })
  const change = { before: state(before), after: state(after) }
  audit(tx, by, [{ program_id, action: `orders.${action}`, object: `order:${order_uuid}`, ...change }])
}

/** Whether a move of the API pays the order. Whoever sends `pay` has found the customer already. */
function marksPaid({ action }: OrderMove): boolean {
  return action === 'complete' || action === 'capture'
}

/** An order that this transaction has locked with its wallet, and the instant of the change. */
export interface Moving {
  readonly merchant: Merchant
  readonly order: LockedOrder
  readonly now: Date
}

/**
 * Moves a locked order in the caller's transaction: its row, its points, its events, the end of its checkout, and the tasks
 * for money that a provider has reserved or may still collect. Gives the order as it is then.
 * @throws DomainError what `decideTransition` says, and `insufficient_points` where an expired hold cannot be made again
 */
export function moveLocked(tx: Transaction, { merchant, order, now }: Moving, move: OrderMove): LockedOrder {
  const transition = decideTransition({ type: orderType(order.type), state: order.order_status }, move.action)
  if (transition.kind !== 'transition') throw new DomainError(transition)
  const { points: movement } = transition
  if (movement === 'earn' || movement === 'give back') throw new Error(`${transition.action} is no OrderMove`)
  const points = moveHeldPoints(tx, { merchant, order, now }, movement)
  const booked_at = bookedLater(now, order.closing_to)
  const spent = movement === 'settle' && order.total_points > 0
  // What was chosen by an older version records no value yet.
  const valued = spent ? { micro_sar_per_point: chosenValue(order, rateAt(merchant.program.rates, now)) } : {}
  const changes = { ...changesOf(move, transition, points, { now, booked_at }), ...valued }
  void tx.run(updateOrder(order, changes, now))
  const collects = move.action === 'pay' || move.action === 'capture'
  if (collects && order.total_halalas > order.redeemed_halalas)
    void tx.run(recordCollected(order, { money_uuid: newUuid(), booked_at }, now))
  const moved = { ...order, ...changes, updated_at: now }
  enqueueOrderEvents(tx, moved, eventsOf(transition, changes.reason))
  if (order.order_status === 'new') {
    // Every move ends the checkout; money that still comes for it goes back (docs/spec/checkout.md#ended-by-api).
    void tx.run(endSession(order.program_id, order.order_uuid, now))
    cancelPayment(tx, order, 'order moved', now)
  } else {
    queueTaskForAuthorized(tx, order, move.action === 'cancel' ? 'void' : 'capture')
  }
  return moved
}

/**
 * Moves only the held points of a locked order: the transfers and the hold's row. Without an open hold, `keep held` makes
 * one of the order's `total_points`, unless the wallet is blocked (docs/spec/customers.md#block).
 * @throws DomainError `insufficient_points`
 */
export function moveHeldPoints(
  tx: Transaction,
  { merchant, order, now }: Moving,
  movement: Exclude<PointsMovement, 'earn' | 'give back'>,
): PointsMove {
  const { wallet } = order
  const held = {
    order_uuid: order.order_uuid,
    merchant: merchant.account_id,
    wallet: wallet && { account_id: wallet.account_id, available: usablePoints(wallet) },
    chosen_points: order.total_points,
    hold: order.hold,
    money_part_points: pointsOfMoneyPart(merchant, { ...order, redeemed_points: order.total_points }, wallet),
  }
  const points = movePoints(held, movement, newUuid())
  if (points.kind !== 'points move') throw new DomainError(points)
  const value = rateAt(merchant.program.rates, now)
  writePoints(tx, order, points, { now, value })
  return points
}

function changesOf(
  move: OrderMove,
  { to }: Transition,
  { earned_points }: PointsMove,
  { now, booked_at }: { readonly now: Date; readonly booked_at: Date | null },
): OrderChanges {
  const order_status = to
  switch (move.action) {
    case 'authorize':
      return { order_status, authorized_at: now }
    case 'capture':
    case 'pay':
      return { order_status, paid_at: now, booked_at, earned_points }
    case 'complete':
      return { order_status, paid_at: now, booked_at, earned_points, payment_method: move.payment_method ?? null }
    case 'cancel':
      return { order_status, reason: move.reason ?? DEFAULT_CANCEL_REASON }
  }
}

/** Points that the customer chose keep the value of that moment. */
function chosenValue({ micro_sar_per_point }: LockedOrder, value: MicroSarPerPoint): MicroSarPerPoint {
  return micro_sar_per_point ?? value
}

/** Posts the transfers, and writes the hold's row with the transfers that made and ended it. */
function writePoints(
  tx: Transaction,
  order: LockedOrder,
  { facts, hold }: PointsMove,
  { now, value }: { readonly now: Date; readonly value: MicroSarPerPoint },
): void {
  const { program_id, order_uuid, wallet } = order
  if (wallet === null) return
  const chosen = chosenValue(order, value)
  const values = { hold: chosen, post: chosen, release: chosen, earn: value }
  const booked_at = bookedLater(now, order.closing_to)
  const posting = { program_id, now, order_uuid, wallet, facts, values, booked_at }
  const { transfers } = postFacts(tx, { ...posting, newId: newUuid })
  if (hold === null) return
  const transferOf = (kinds: readonly string[]) =>
    [...transfers].find(([{ kind, cause }]) => cause === hold.hold_id && kinds.includes(kind))?.[1]
  const hold_transfer_id = transferOf(['hold'])
  const end_transfer_id = transferOf(['post', 'release'])
  const row = { ...hold, program_id, order_uuid, account_id: wallet.account_id, hold_transfer_id, end_transfer_id }
  void tx.run(writeHold(row, now))
}

function eventsOf({ events }: Transition, reason = DEFAULT_CANCEL_REASON): OrderEvent[] {
  return events.map((name) => {
    if (name === 'refunded' || name === 'auto_refunded') throw new Error(`${name} is no event of an OrderMove`)
    return name === 'cancelled' ? { name, extras: { reason } } : { name, extras: {} }
  })
}
