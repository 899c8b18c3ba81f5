import { enqueueEvents } from '../../db/outbox.ts'
import { postFacts } from '../../db/posting.ts'
import type { Transaction } from '../../db/transaction.ts'
import { pointsOfMoneyPart } from '../../domain/earning.ts'
import { DEFAULT_CANCEL_REASON, eventPayload } from '../../domain/events.ts'
import { DomainError } from '../../domain/failures.ts'
import { movePoints, type PointsMove } from '../../domain/hold.ts'
import { availablePoints } from '../../domain/ledger.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { decideTransition, type PointsMovement, type Transition } from '../../domain/order.ts'
import { asPoints, type Points, pointsRoom } from '../../domain/points.ts'
import { newUuid } from '../../lib/ids.ts'
import { type LockedOrder, snapshotChanged } from './order.ts'
import { letPaymentGo } from './payment-cancel.ts'
import { tellAuthorized } from './payment-task.ts'
import { type OrderChanges, updateOrder } from './queries.ts'
import { endSession } from './session-queries.ts'
import { writeHold } from './transition-queries.ts'

/** The moves of an order that has not been paid yet, with what each may bring. `pay` is the hosted checkout's. */
export type OrderMove =
  | { readonly action: 'authorize' | 'capture' | 'pay' }
  | { readonly action: 'complete'; readonly payment_method?: string | undefined }
  | { readonly action: 'cancel'; readonly reason?: string | undefined }

/** An order that the caller has locked with its wallet, as it is about to change, and the instant of the change. */
export interface Moving {
  readonly merchant: Merchant
  readonly order: LockedOrder
  readonly now: Date
}

/**
 * Moves a locked order in the caller's transaction: its row, its points, its events, the end of its checkout, and what a
 * provider is to be told of money that it collects or has reserved. Gives it as it is then. Decisions §6 and §7.
 * @throws Refused what `decideTransition` says, and `insufficient_points` where an expired hold cannot be made again
 */
export function moveLocked(tx: Transaction, { merchant, order, now }: Moving, move: OrderMove): LockedOrder {
  const type = order.type === 1 ? 'earning' : 'replacing'
  const transition = decideTransition({ type, state: order.order_status }, move.action)
  if (transition.kind !== 'transition') throw new DomainError(transition)
  const { points: movement } = transition
  if (movement === 'earn' || movement === 'give back')
    throw new Error(`${transition.action} is not a move of this kind`)
  const points = moveHeld(tx, { merchant, order, now }, movement)
  const changes = changesOf(move, transition, points, now)
  void tx.run(updateOrder(order, changes, now))
  const moved = { ...order, ...changes, updated_at: now }
  announceMove(tx, moved, transition, now)
  if (order.order_status === 'new') {
    // Its checkout is over, whoever moved it, and money that still comes for it goes back (decisions §6).
    void tx.run(endSession(order.program_id, order.order_uuid, now))
    letPaymentGo(tx, order, 'order moved', now)
  } else {
    tellAuthorized(tx, order, move.action === 'cancel' ? 'void' : 'capture')
  }
  return moved
}

/**
 * Moves the held points of a locked order alone: the transfers, and what became of the hold on which they rest. With no
 * hold open, `keep held` makes one of the order's `total_points`.
 * @throws Refused `insufficient_points`
 */
export function moveHeld(
  tx: Transaction,
  { merchant, order, now }: Moving,
  movement: Exclude<PointsMovement, 'earn' | 'give back'>,
): PointsMove {
  const { wallet } = order
  const held = {
    order_uuid: order.order_uuid,
    merchant: merchant.account_id,
    wallet: wallet && { account_id: wallet.account_id, available: availablePoints(wallet) },
    chosen_points: order.total_points,
    hold: order.hold,
    money_part_points: earnedByMoney(merchant, order),
  }
  const points = movePoints(held, movement, newUuid())
  if (points.kind !== 'points move') throw new DomainError(points)
  writePoints(tx, order, points, now)
  return points
}

/** A paid order is never refused: of what its money part earns, the wallet takes what it has room for. */
function earnedByMoney(
  merchant: Merchant,
  { wallet, total_halalas, redeemed_halalas, total_points }: LockedOrder,
): Points {
  const points = pointsOfMoneyPart(merchant, total_halalas, redeemed_halalas)
  if (wallet === null) return points
  // The points of the order leave the wallet first.
  const posted = asPoints(wallet.posted - total_points)
  return asPoints(Math.min(points, pointsRoom({ posted, waiting: wallet.waiting })))
}

/** What the order's row becomes: when it was authorised or paid, with what, or why it was cancelled. */
function changesOf(move: OrderMove, { to }: Transition, { earned_points }: PointsMove, now: Date): OrderChanges {
  const order_status = to
  switch (move.action) {
    case 'authorize':
      return { order_status, authorized_at: now }
    case 'capture':
    case 'pay':
      return { order_status, paid_at: now, earned_points }
    case 'complete':
      return { order_status, paid_at: now, earned_points, payment_method: move.payment_method ?? null }
    case 'cancel':
      return { order_status, reason: move.reason ?? DEFAULT_CANCEL_REASON }
  }
}

/** Sends the transfers, and what became of the hold on which they rest. */
function writePoints(tx: Transaction, order: LockedOrder, { facts, hold }: PointsMove, now: Date): void {
  const { program_id, order_uuid, wallet } = order
  if (wallet === null) return
  const { transfers } = postFacts(tx, { program_id, now, order_uuid, wallet, facts, newId: newUuid })
  if (hold === null) return
  const transferOf = (kinds: readonly string[]) =>
    [...transfers].find(([{ kind, cause }]) => cause === hold.hold_id && kinds.includes(kind))?.[1]
  const hold_transfer_id = transferOf(['hold'])
  const end_transfer_id = transferOf(['post', 'release'])
  const row = { ...hold, program_id, order_uuid, account_id: wallet.account_id, hold_transfer_id, end_transfer_id }
  void tx.run(writeHold(row, now))
}

function announceMove(
  tx: Transaction,
  order: LockedOrder & Pick<OrderChanges, 'reason'>,
  { events }: Transition,
  now: Date,
): void {
  const snapshot = snapshotChanged(order)
  const { program_id, merchant_id, order_uuid, reason = DEFAULT_CANCEL_REASON } = order
  const rows = events.map((name) => {
    // What other events need besides is their own story's.
    if (name === 'refunded' || name === 'auto_refunded') throw new Error(`${name} is not an event of a move`)
    const payload = name === 'cancelled' ? eventPayload(name, snapshot, { reason }) : eventPayload(name, snapshot, {})
    return { event_id: newUuid(), merchant_id, order_uuid, name, payload: JSON.stringify(payload) }
  })
  enqueueEvents(tx, program_id, now, rows)
}
