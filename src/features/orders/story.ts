import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import { Refused } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Order } from './order.ts'
import { findOrders } from './queries.ts'

interface Asked {
  readonly program_id: number
  readonly merchant_id: number
  readonly order_uuid: Uuid
}

/** Gives an order of this merchant. Refused: `order_not_found`, for another merchant's order too (decisions §4). */
export type ReadOrder = (merchant: Merchant, order_uuid: Uuid) => Promise<Order>

/** Reads orders, many requests to a statement. */
export function createReadOrder(db: Database): ReadOrder {
  const read = coalesce<Asked, Order | undefined>(
    async (batch) => {
      const rows = await db.run(findOrders(batch[0]?.program_id ?? 0, batch))
      // Keyed by both: in one batch a merchant may ask for an order that another merchant owns.
      const found = new Map(rows.map((order) => [keyOf(order), order]))
      return batch.map((asked) => found.get(keyOf(asked)))
    },
    {
      max_batch: 200,
      concurrency: 2,
      total_concurrency: 6,
      lane: ({ program_id }) => program_id,
      hopeless: isDatabaseUnavailable,
    },
  )
  return async ({ program_id, merchant_id }, order_uuid) => {
    const order = await read({ program_id, merchant_id, order_uuid })
    if (order === undefined) throw new Refused({ kind: 'order_not_found' })
    return order
  }
}

function keyOf({ merchant_id, order_uuid }: { merchant_id: number; order_uuid: Uuid }): string {
  return `${merchant_id} ${order_uuid}`
}
