import type { Uuid } from '../domain/ids.ts'
import { prepared, preparedRows, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** An event for the webhooks of a merchant. */
export interface EventRow {
  /** A UUIDv7 of this moment, or of just after an event before it: ids order the events of an order. */
  readonly event_id: Uuid
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly name: string
  /** The `order` object of the webhook body, as JSON text. docs/spec/webhooks.md#payload */
  readonly payload: string
}

const insertEvents = preparedRows<never>(
  'outbox.events',
  (rows) => `insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
   select $1::bigint, e.event_id, e.merchant_id, e.order_uuid, e.name, e.payload, $2
   from ${rows(
     '$3::uuid[], $4::bigint[], $5::uuid[], $6::text[], $7::json[]',
     'e(event_id, merchant_id, order_uuid, name, payload)',
   )}`,
)

const insertDeliveries = preparedRows<{ webhook_uuid: Uuid }>(
  'outbox.deliveries',
  (rows) => `insert into delivery_queue
     (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at, created_at)
   select $1::bigint, (left(e.event_id::text, 34) || lpad(to_hex(w.slot::integer), 2, '0'))::uuid, e.event_id, e.merchant_id,
     w.webhook_uuid, e.order_uuid, 1, 0, $2, $2
   from ${rows('$3::uuid[], $4::bigint[], $5::uuid[]', 'e(event_id, merchant_id, order_uuid)')}
   cross join lateral (
     select w.webhook_uuid, w.slot from webhook w
     where w.program_id = $1 and w.merchant_id = e.merchant_id and (w.program_id, w.merchant_id) >= ($1, e.merchant_id)
     offset 0
   ) w
   returning webhook_uuid`,
)

/**
 * Inserts events, and a delivery of each to every webhook of its merchant, in the caller's transaction, without
 * waiting: an error fails the transaction. After the commit, the listeners of the pool learn which webhooks have
 * deliveries due. docs/spec/webhooks.md#every-event
 * @param now business time, stored with the events; deliveries are due by the clock of this process
 */
export function enqueueEvents(tx: Transaction, program_id: number, now: Date, events: readonly EventRow[]): void {
  if (events.length === 0) return
  const [ids, merchants, orders] = [
    events.map((event) => event.event_id),
    events.map((event) => event.merchant_id),
    events.map((event) => event.order_uuid),
  ]
  const [names, payloads] = [events.map((event) => event.name), events.map((event) => event.payload)]
  void tx.run(insertEvents(program_id, now, ids, merchants, orders, names, payloads))
  tx.makesDue(program_id, tx.run(insertDeliveries(program_id, new Date(), ids, merchants, orders)))
}

const findLastQueuedText = prepared<{ delivery_id: Uuid }>(
  'outbox.last',
  `select q.delivery_id from delivery_queue q
   where q.program_id = $1 and q.order_uuid = $2
   order by q.program_id desc, q.order_uuid desc, q.delivery_id desc limit 1`,
)

/**
 * The last delivery of an order among those that have not ended. Deliveries go in the order of their ids: an event that comes
 * later needs a greater one, whatever the clock of its process says. docs/spec/webhooks.md#delivery-order
 */
export function findLastQueued(program_id: number, order_uuid: Uuid): Statement<{ delivery_id: Uuid }> {
  return findLastQueuedText(program_id, order_uuid)
}

/** An event for one webhook only. Insert its delivery in the same transaction. */
export function insertTestEvent(
  {
    program_id,
    event_id,
    merchant_id,
    order_uuid,
  }: Omit<EventRow, 'name' | 'payload'> & { readonly program_id: number },
  payload: string,
  now: Date,
): Statement<never> {
  return {
    text: `insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
      values ($1, $2, $3, $4, 'test', $5, $6)`,
    values: [program_id, event_id, merchant_id, order_uuid, payload, now],
  }
}

/** An event as it is stored. */
export interface StoredEvent {
  readonly event_id: Uuid
  readonly payload: Readonly<Record<string, unknown>>
}

/** The events of orders. */
export function findEvents(program_id: number, orders: readonly Uuid[]): Statement<StoredEvent> {
  return {
    text: 'select event_id, payload from event where program_id = $1 and order_uuid = any($2::uuid[])',
    values: [program_id, orders],
  }
}

/** Replaces payloads, for an erasure. Needs the rights of the owner: the service only adds events. */
export function replacePayloads(program_id: number, events: readonly StoredEvent[]): Statement<never> {
  return {
    text: `update event set payload = n.payload from unnest($2::uuid[], $3::json[]) as n(event_id, payload)
      where event.program_id = $1 and event.event_id = n.event_id`,
    values: [program_id, events.map(({ event_id }) => event_id), events.map(({ payload }) => JSON.stringify(payload))],
  }
}
