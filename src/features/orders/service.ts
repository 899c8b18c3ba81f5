import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable } from '../../db/failure.ts'
import { findLastQueued } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction, TransactionOptions } from '../../db/transaction.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { NO_POINTS } from '../../domain/points.ts'
import { lockOrderBoundary } from '../merchants/boundary-queries.ts'
import type { LockedOrder, Order } from './order.ts'
import {
  findOpenHold,
  findOrders,
  type LockedWallet,
  type LockedWalletNow,
  lockOrder,
  lockWalletOf,
  type OrderOfMerchant,
  sumWaiting,
} from './queries.ts'

/** Gives an order of this merchant. Refuses others with `order_not_found` (docs/spec/api.md#foreign-ids). */
export type ReadOrder = (merchant: Merchant, order_uuid: Uuid) => Promise<Order>

/** Reads the orders of many requests with one statement. */
export function createReadOrder(db: Database): ReadOrder {
  const read = coalesce<OrderOfMerchant, Order | undefined>(
    async (batch) => {
      const rows = await db.run(findOrders(batch[0]?.program_id ?? 0, batch))
      // In one batch, a merchant may ask for another merchant's order: the key needs both.
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

/** A locked order. No wallet is locked yet. */
export type OrderAlone = Omit<LockedOrder, 'wallet' | 'hold'>

/**
 * Locks an order of a merchant until the transaction ends.
 * @throws DomainError `order_not_found`
 */
export async function lockOrderAlone(tx: Transaction, asked: OrderOfMerchant): Promise<OrderAlone> {
  // Sent together; the others run once the first holds the order.
  const [order, boundary, queued] = await Promise.all([
    tx.one(lockOrder(asked)),
    tx.one(lockOrderBoundary(asked)),
    tx.one(findLastQueued(asked.program_id, asked.order_uuid)),
  ])
  if (order === undefined || boundary === undefined) throw new DomainError({ kind: 'order_not_found' })
  return { ...order, ...boundary, last_queued: queued?.delivery_id ?? null }
}

/**
 * Locks an order of a merchant and the wallet of its customer, until the transaction ends.
 * @throws DomainError `order_not_found`
 */
export async function lockOrderAndWallet(tx: Transaction, asked: OrderOfMerchant): Promise<LockedOrder> {
  // Sent together too.
  const [order, locked, hold] = await Promise.all([
    lockOrderAlone(tx, asked),
    tx.one(lockWalletOf(asked)),
    tx.one(findOpenHold(asked)),
  ])
  const found = await unlessMerged(tx, asked, locked)
  const wallet = found === undefined ? null : await withWaiting(tx, asked.program_id, found)
  return { ...order, wallet, hold: hold ?? null }
}

/** The most merges that one request follows while it waits for a wallet. */
const most_merges = 10

/** Gives the wallet that the order's points go to by now, locked. */
async function unlessMerged(
  tx: Transaction,
  asked: OrderOfMerchant,
  first: LockedWalletNow | undefined,
): Promise<LockedWallet | undefined> {
  let found = first
  for (let merges = 0; found?.merged === true; merges += 1) {
    if (merges === most_merges) throw new Error('a wallet is merged again and again')
    found = await tx.one(lockWalletOf(asked))
  }
  if (found === undefined) return undefined
  const { merged: _, ...wallet } = found
  return wallet
}

/** Adds to a locked wallet the points that wait for its customer. */
export async function withWaiting(
  tx: Transaction,
  program_id: number,
  { invited, ...wallet }: LockedWallet,
): Promise<NonNullable<LockedOrder['wallet']>> {
  const sum = invited ? await tx.one(sumWaiting(program_id, [wallet.account_id])) : undefined
  return { ...wallet, waiting: sum?.points ?? NO_POINTS }
}

/**
 * Runs `work` in one transaction that has locked an order of this merchant and the wallet of its customer. Changes of one
 * order run one after the other. When `work` throws, nothing changes.
 * @throws DomainError `order_not_found`
 */
export function changeOrder<T>(
  db: Database,
  { program_id, merchant_id }: Merchant,
  order_uuid: Uuid,
  work: (tx: Transaction, order: LockedOrder) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const asked = { program_id, merchant_id, order_uuid }
  return db.transaction(async (tx) => work(tx, await lockOrderAndWallet(tx, asked)), options)
}
