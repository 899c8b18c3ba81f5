import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'

/** The end of a merchant's closed periods; null before the first. */
export interface Boundary {
  readonly merchant_id: number
  readonly closing_to: Date | null
}

const lockBoundariesText = prepared<Boundary>(
  'boundary.lock',
  `select l.merchant_id, l.closing_to from ${rowsOfLists('$2::bigint[]', 'k(merchant_id)')}
   cross join lateral (
     select l.merchant_id, l.closing_to from earning_lock l
     where l.program_id = $1 and l.merchant_id = k.merchant_id and (l.program_id, l.merchant_id) >= ($1, k.merchant_id)
     for key share
   ) l`,
)

/**
 * Reads the boundaries of merchants and keeps them until the transaction ends: a close waits for it. Earnings, which lock
 * the same rows, do not. Read it in every transaction that writes entries of a merchant.
 */
export function lockBoundaries(program_id: number, merchant_ids: readonly number[]): Statement<Boundary> {
  return lockBoundariesText(
    program_id,
    [...new Set(merchant_ids)].sort((a, b) => a - b),
  )
}

/** Whether an order `o` has a refund of this instant or later: then a period that ends there does not know it. */
export const refundedFrom = (instant: string): string => `exists (
       select from order_refund r where r.program_id = $1 and r.order_uuid = o.order_uuid
         and (r.program_id, r.order_uuid) >= ($1, o.order_uuid) and r.created_at >= ${instant}
     )`

/**
 * Whether a settlement contains the order `o`, which counts before its merchant's boundary. A settlement contains all orders
 * of its period but those that were refunded in full by its end. docs/spec/settlement.md#settlement-status
 */
export const inSettlement = `(o.order_status <> 'fully_refunded' or o.refunded_late or ${refundedFrom(`(
       select coalesce(s.until_at, s.created_at) from settlement s
       where s.program_id = $1 and s.merchant_id = o.merchant_id and (s.program_id, s.merchant_id) >= ($1, o.merchant_id)
         and coalesce(s.until_at, s.created_at) > coalesce(o.booked_at, o.paid_at)
       order by s.program_id, s.merchant_id, coalesce(s.until_at, s.created_at) limit 1
     )`)})`

/** The boundary of an order's merchant, and on which side of it the order is. */
export interface OrderBoundary {
  /** The end of closed periods, or the time at which the order counts if that is later: none of its entries count before. */
  readonly closing_to: Date | null
  /** A settlement contains the order: one that was refunded in full by its end is in none. */
  readonly settled: boolean
  /** The order counts in a closed period, which is settled or about to be. */
  readonly closed: boolean
}

const lockOrderBoundaryText = prepared<OrderBoundary>(
  'boundary.lock_of_order',
  `select greatest(l.closing_to, case when isfinite(o.booked_at) then o.booked_at end) as closing_to,
     (o.booked_at < l.settled_to and o.counts) is true as settled, (o.booked_at < l.closing_to) is true as closed
   from earning_lock l
   cross join lateral (
     select coalesce(o.booked_at, o.paid_at) as booked_at, ${inSettlement} as counts
     from orders o
     where o.program_id = $1 and o.order_uuid = $2 and o.merchant_id is not distinct from $3
       and (o.program_id, o.order_uuid) >= ($1, $2) limit 1
   ) o
   where l.program_id = $1 and l.merchant_id = $3 and (l.program_id, l.merchant_id) >= ($1, $3)
   for key share of l`,
)

/** Like `lockBoundaries`, for a locked order. */
export function lockOrderBoundary(order: MerchantKey & { readonly order_uuid: Uuid }): Statement<OrderBoundary> {
  return lockOrderBoundaryText(order.program_id, order.order_uuid, order.merchant_id)
}

/** A merchant's account with its boundaries. */
export interface AccountPeriod {
  readonly merchant_id: number
  readonly account_id: Uuid
  readonly closing_to: Date | null
  readonly settled_to: Date | null
  /** Net points of everything before `settled_to`, as a text: it may exceed a bigint. */
  readonly settled_points: string
}

/** The accounts of a program's merchants after `after`, by their numbers; of one merchant if `only` is given. */
export function findAccounts(
  program_id: number,
  { only, after, limit }: { readonly only: number | null; readonly after: number; readonly limit: number },
): Statement<AccountPeriod> {
  return {
    text: `select l.merchant_id, m.account_id, l.closing_to, l.settled_to, l.settled_points::text as settled_points
      from earning_lock l join merchant m on m.program_id = l.program_id and m.merchant_id = l.merchant_id
      where l.program_id = $1 and l.merchant_id > $2 and ($3::bigint is null or l.merchant_id = $3)
      order by l.merchant_id limit $4`,
    values: [program_id, after, only, limit],
  }
}

const waiting = { wait: 'for update', skip: 'for update skip locked' } as const

/**
 * Locks those of these merchants whose period can be closed at `until`: the last one is settled, and ends before. `skip` passes
 * over those in use. Nobody else reads or moves their boundaries until the transaction ends.
 */
export function lockToClose(
  program_id: number,
  merchant_ids: readonly number[],
  until: Date,
  lock: keyof typeof waiting,
): Statement<{ readonly merchant_id: number }> {
  return {
    text: `select l.merchant_id from unnest($2::bigint[]) as k(merchant_id)
      cross join lateral (
        select l.merchant_id from earning_lock l
        where l.program_id = $1 and l.merchant_id = k.merchant_id and l.closing_to is not distinct from l.settled_to
          and (l.closing_to is null or l.closing_to < $3)
        ${waiting[lock]}
      ) l`,
    values: [program_id, merchant_ids, until],
  }
}

/** Closes the periods of locked merchants: nothing before `until` changes any more. */
export function raiseBoundaries(program_id: number, merchant_ids: readonly number[], until: Date): Statement<never> {
  return {
    text: 'update earning_lock set closing_to = $3 where program_id = $1 and merchant_id = any($2::bigint[])',
    values: [program_id, merchant_ids, until],
  }
}

/** Locks a merchant's boundaries against everybody who reads or moves them. */
export function lockToSettle(program_id: number, merchant_id: number): Statement<never> {
  return {
    text: 'select from earning_lock where program_id = $1 and merchant_id = $2 for update',
    values: [program_id, merchant_id],
  }
}

/** Settles a closed period of a merchant. Gives no row if it is settled already. */
export function moveSettled(
  { program_id, merchant_id }: MerchantKey,
  period: { readonly from: Date | null; readonly until: Date; readonly net_points: bigint },
): Statement<{ readonly merchant_id: number }> {
  return {
    text: `update earning_lock set settled_to = $4, settled_points = settled_points + $5::numeric
      where program_id = $1 and merchant_id = $2 and settled_to is not distinct from $3 and closing_to = $4
      returning merchant_id`,
    values: [program_id, merchant_id, period.from, period.until, String(period.net_points)],
  }
}
