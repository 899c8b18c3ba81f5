import type { Uuid } from '../domain/ids.ts'
import { prepared } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** What happened, as the merchant is to hear it. */
export interface EventRow {
  /** A UUIDv7 of this moment: the events of one order are in the order of their ids. */
  readonly event_id: Uuid
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly name: string
  /** The `order` object of the webhook body, as a JSON text (decisions §10). */
  readonly payload: string
}

const insertEvents = prepared<never>(
  'outbox.events',
  `insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
   select $1, e.event_id, e.merchant_id, e.order_uuid, e.name, e.payload, $2
   from unnest($3::uuid[], $4::bigint[], $5::uuid[], $6::text[], $7::json[])
     as e(event_id, merchant_id, order_uuid, name, payload)`,
)

/** Sends the insertion of events into the caller's transaction, without waiting: its errors end the transaction. */
export function announce(tx: Transaction, program_id: number, now: Date, events: readonly EventRow[]): void {
  if (events.length === 0) return
  void tx.run(
    insertEvents(
      program_id,
      now,
      events.map((event) => event.event_id),
      events.map((event) => event.merchant_id),
      events.map((event) => event.order_uuid),
      events.map((event) => event.name),
      events.map((event) => event.payload),
    ),
  )
}
