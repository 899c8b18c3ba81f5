import { columnsOf, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

/** Deliveries under way, for an erasure: a receiver may answer what it got. */

/** A delivery that a worker has, or had when it lost the database. */
export interface LeasedDelivery {
  readonly delivery_id: Uuid
  readonly series: number
  /** The number of the attempt. */
  readonly attempts: number
  /** Just before the attempt. */
  readonly due_at: Date
  readonly leased_until: Date
}

/** Locks the deliveries about orders: waits for workers that are just taking some of them. */
export function lockDeliveries(program_id: number, orders: readonly Uuid[]): Statement<never> {
  return {
    text: `select from delivery_queue where program_id = $1 and order_uuid = any($2::uuid[])
      order by delivery_id for no key update`,
    values: [program_id, orders],
  }
}

/** The deliveries about orders whose last attempt has no result. */
export function findLeasedDeliveries(program_id: number, orders: readonly Uuid[]): Statement<LeasedDelivery> {
  return {
    text: `select delivery_id, series, attempts, due_at, leased_until from delivery_queue
      where program_id = $1 and order_uuid = any($2::uuid[]) and leased_until is not null`,
    values: [program_id, orders],
  }
}

/**
 * Ends the attempts of deliveries without what their receivers answered: a worker that was cut off from the database can no
 * longer write it down (`insertAttempts`).
 */
export function closeAttempts(program_id: number, deliveries: readonly LeasedDelivery[]): Statement<never> {
  const attempts = deliveries.flatMap(({ attempts, ...delivery }) =>
    Array.from({ length: attempts }, (_, before) => ({ ...delivery, attempt: before + 1 })),
  )
  return {
    text: `insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, error_code)
      select $1::bigint, k.*, 'interrupted'
      from unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::timestamptz[]) as k(delivery_id, series, attempt, started_at)
      on conflict (program_id, delivery_id, series, attempt) do update set response = null, error = null`,
    values: [program_id, ...columnsOf(attempts, 'delivery_id', 'series', 'attempt', 'due_at')],
  }
}
