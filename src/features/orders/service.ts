import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction, TransactionOptions } from '../../db/transaction.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { NO_POINTS } from '../../domain/points.ts'
import type { LockedOrder, Order } from './order.ts'
import { findOpenHold, findOrders, type LockedWallet, lockOrder, lockWalletOf, sumWaiting } from './queries.ts'

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
      partition: ({ program_id }) => program_id,
      isFatal: isDatabaseUnavailable,
    },
  )
  return async ({ program_id, merchant_id }, order_uuid) => {
    const order = await read({ program_id, merchant_id, order_uuid })
    if (order === undefined) throw new DomainError({ kind: 'order_not_found' })
    return order
  }
}

function keyOf({ merchant_id, order_uuid }: { merchant_id: number; order_uuid: Uuid }): string {
  return `${merchant_id} ${order_uuid}`
}

/**
 * Locks an order of a merchant and the wallet of its customer, until the transaction ends.
 * @throws Refused `order_not_found`
 */
export async function lockWhole(tx: Transaction, asked: Asked): Promise<LockedOrder> {
  // Sent together; the second and third run once the first holds the order.
  const [orders, wallets, holds] = await Promise.all([
    tx.run(lockOrder(asked)),
    tx.run(lockWalletOf(asked)),
    tx.run(findOpenHold(asked)),
  ])
  const [order] = orders
  if (order === undefined) throw new DomainError({ kind: 'order_not_found' })
  const [wallet] = wallets
  const waiting = wallet === undefined ? null : await withWaiting(tx, asked.program_id, wallet)
  return { ...order, wallet: waiting, hold: holds[0] ?? null }
}

/** Adds to a locked wallet what waits for its customer. */
export async function withWaiting(
  tx: Transaction,
  program_id: number,
  { invited, ...wallet }: LockedWallet,
): Promise<NonNullable<LockedOrder['wallet']>> {
  const sum = invited ? await tx.one(sumWaiting(program_id, [wallet.account_id])) : undefined
  return { ...wallet, waiting: sum?.points ?? NO_POINTS }
}

/**
 * Runs `work` on an order of this merchant, in one transaction that holds the order and the wallet of its customer. Two
 * changes of one order follow each other; what `work` throws leaves everything as it was.
 * @throws Refused `order_not_found`
 */
export function changeOrder<T>(
  db: Database,
  { program_id, merchant_id }: Merchant,
  order_uuid: Uuid,
  work: (tx: Transaction, order: LockedOrder) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const asked = { program_id, merchant_id, order_uuid }
  return db.transaction(async (tx) => work(tx, await lockWhole(tx, asked)), options)
}
