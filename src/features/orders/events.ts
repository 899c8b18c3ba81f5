import { type EventRow, enqueueEvents } from '../../db/outbox.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type EventExtras, type EventName, eventPayload, type OrderSnapshot } from '../../domain/events.ts'
import type { Uuid } from '../../domain/ids.ts'
import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import { orderType } from '../../domain/order.ts'
import { newUuid, uuidsAfter } from '../../lib/ids.ts'
import type { LockedOrder, Order } from './order.ts'

/** An event with what its payload says beyond the order. */
export type OrderEvent<Name extends EventName = EventName> = {
  readonly [Each in Name]: { readonly name: Each; readonly extras: EventExtras[Each] }
}[Name]

/** Makes the rows of an order's events, in the order in which they happen: their ids ascend. */
export function eventRows(
  { merchant_id, order_uuid }: { readonly merchant_id: number; readonly order_uuid: Uuid },
  snapshot: OrderSnapshot,
  events: readonly OrderEvent[],
  newEventId = newUuid,
): EventRow[] {
  return events.map((event) => {
    const payload = JSON.stringify(payloadOf(snapshot, event))
    return { event_id: newEventId(), merchant_id, order_uuid, name: event.name, payload }
  })
}

function payloadOf<Name extends EventName>(snapshot: OrderSnapshot, { name, extras }: OrderEvent<Name>) {
  return eventPayload(name, snapshot, extras)
}

/** Writes the events of an order that this transaction has just changed, with a delivery to each webhook of its merchant. */
export function enqueueOrderEvents(tx: Transaction, order: LockedOrder, events: readonly OrderEvent[]): void {
  const unpaid_halalas = order.type === 2 ? asHalalas(order.total_halalas - order.redeemed_halalas) : NO_MONEY
  const was_authorized = order.authorized_at !== null
  const snapshot = snapshotOrder(order, { was_authorized, due_halalas: unpaid_halalas })
  enqueueEvents(
    tx,
    order.program_id,
    order.updated_at,
    eventRows(order, snapshot, events, uuidsAfter(order.last_queued)),
  )
}

type Described = Pick<
  Order,
  | 'order_uuid'
  | 'reference_number'
  | 'order_number'
  | 'type'
  | 'order_status'
  | 'total_halalas'
  | 'total_points'
  | 'metadata'
  | 'created_at'
  | 'updated_at'
>

/** Gives the order as its events describe it. By default no money is left to pay, as for an earning order. */
export function snapshotOrder(
  order: Described,
  payment: { readonly was_authorized: boolean; readonly due_halalas: Halalas } = {
    was_authorized: false,
    due_halalas: NO_MONEY,
  },
): OrderSnapshot {
  return {
    uuid: order.order_uuid,
    reference_number: order.reference_number,
    order_number: order.order_number,
    type: orderType(order.type),
    state: order.order_status,
    ...payment,
    total_halalas: order.total_halalas,
    total_points: order.total_points,
    metadata: order.metadata,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
}
