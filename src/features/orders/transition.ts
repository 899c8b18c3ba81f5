import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Clock } from '../../lib/clock.ts'
import { withEarner } from './earner.ts'
import { moveLocked, type OrderMove } from './move.ts'
import type { Order } from './order.ts'
import { changeOrder } from './service.ts'

/**
 * Moves an order of this merchant and gives it as it is then. Refused: `order_not_found`, what `decideTransition` says,
 * and `insufficient_points` where an expired hold cannot be made again. Then nothing has changed.
 */
export type MoveOrder = (
  merchant: Merchant,
  order_uuid: Uuid,
  move: OrderMove,
  beforeCommit?: BeforeCommit<Order>,
) => Promise<Order>

/** Decisions §6 and §7: the order, its points and its events change together. */
export function createMoveOrder({ db, clock }: { readonly db: Database; readonly clock: Clock }): MoveOrder {
  return (merchant, order_uuid, move, beforeCommit) =>
    changeOrder(
      db,
      merchant,
      order_uuid,
      async (tx, found) => {
        const now = clock.now()
        const order = pays(move) ? await withEarner(tx, merchant, found, now) : found
        const moved = moveLocked(tx, { merchant, order, now }, move)
        await beforeCommit?.(tx, moved)
        return moved
      },
      { retryOn: (error) => isUniqueViolation(error, 'customer_phone_key') },
    )
}

function pays({ action }: OrderMove): boolean {
  return action === 'complete' || action === 'capture'
}
