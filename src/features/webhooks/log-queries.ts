import { rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { AttemptRow } from './delivery-queries.ts'
import {
  type DeliveryPage,
  listedValues,
  of_merchant,
  older,
  type WaitingKey,
  waitingByKey,
  waitingFor,
} from './waiting-queries.ts'

export type DeliveryState = 'due' | 'delivered' | 'failed'

/** Which deliveries to find. Undefined fields match all. */
export interface DeliveryFilter {
  readonly program_id: number
  readonly merchant_id?: number | undefined
  readonly webhook_uuid?: Uuid | undefined
  readonly state?: DeliveryState | undefined
}

/** A delivery in the queue (`due`) or in the log. */
export interface DeliveryRow {
  readonly program_id: number
  readonly delivery_id: Uuid
  readonly event_id: Uuid
  /** Null if the event is deleted. */
  readonly event: string | null
  readonly merchant_id: number
  readonly webhook_uuid: Uuid
  /** Null if the webhook is deleted. */
  readonly url: string | null
  readonly order_uuid: Uuid
  readonly state: DeliveryState
  readonly series: number
  readonly due_at: Date | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

const fields = 'program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid'
const queued = `${fields}, 'due'::text as state, series, due_at, created_at, null::timestamptz as ended_at`
const logged = `${fields}, state, series, null::timestamptz as due_at, created_at, ended_at`

/** What of the queue belongs to a page. */
export interface ListedWaiting {
  /** The webhooks that something waits for. */
  readonly webhooks: readonly Uuid[]
  /** The newest that wait, where they are known already. */
  readonly keys: readonly WaitingKey[] | undefined
}

/** A page of deliveries: those older than `before`, the newest first. Without `waiting`, none of the queue. */
export function findDeliveries(
  { webhook_uuid, state, ...owner }: DeliveryFilter,
  waiting: ListedWaiting | undefined,
  page: DeliveryPage,
): Statement<DeliveryRow> {
  const values = listedValues(owner, waiting?.webhooks, page)
  const sources: string[] = []
  if (waiting?.keys !== undefined) {
    const orders = values.push(waiting.keys.map(({ order_uuid }) => order_uuid))
    const ids = values.push(waiting.keys.map(({ delivery_id }) => delivery_id))
    sources.push(waitingByKey(queued, `$${orders}`, `$${ids}`))
  } else if (waiting !== undefined) {
    sources.push(waitingFor(queued))
  }
  if (state !== 'due') sources.push(ended(`$${values.push(webhook_uuid)}`, `$${values.push(state)}`))
  return {
    text: `select d.*, e.name as event, w.url from (${sources.join(' union all ')}) d
      left join event e on e.program_id = $1 and e.event_id = d.event_id
      left join webhook w on w.program_id = $1 and w.webhook_uuid = d.webhook_uuid
      order by d.delivery_id desc limit $4`,
    values,
  }
}

const ended = (webhook: string, state: string): string => `(select ${logged} from delivery
  where program_id = $1 and ${of_merchant} and (${webhook}::uuid is null or webhook_uuid = ${webhook}) and ${older}
    and (${state}::text is null or state = ${state})
  order by delivery_id desc limit $4)`

/**
 * The delivery $2 in the queue, whose key begins with the order: its event, from $3 to $4, names that order, and has the id
 * of the delivery but for the last byte. A delivery that has lost its event is found afterwards by `otherwise`, which may
 * read a queue of any length.
 */
export const waitingById = (columns: string, otherwise: string): string => `(select q.* from event e
    cross join lateral (
      select ${columns} from delivery_queue
      where program_id = $1 and order_uuid = e.order_uuid and delivery_id = $2 limit 1
    ) q
    where e.program_id = $1 and e.event_id >= $3 and e.event_id <= $4)
  union all
  (${otherwise})`

/** The values of `waitingById`. */
export function byId(program_id: number, delivery_id: Uuid): readonly [number, Uuid, string, string] {
  const event_id = delivery_id.slice(0, 34)
  return [program_id, delivery_id, `${event_id}00`, `${event_id}ff`]
}

/** A delivery of a program. */
export function findDelivery(program_id: number, delivery_id: Uuid): Statement<DeliveryRow> {
  return {
    text: `select d.*, e.name as event, w.url from (
        select ${logged} from delivery where program_id = $1 and delivery_id = $2
        union all
        ${waitingById(queued, `select ${queued} from delivery_queue where program_id = $1 and delivery_id = $2`)}
        limit 1
      ) d
      left join event e on e.program_id = $1 and e.event_id = d.event_id
      left join webhook w on w.program_id = $1 and w.webhook_uuid = d.webhook_uuid`,
    values: byId(program_id, delivery_id),
  }
}

/** The attempts of deliveries, in the order they were made. */
export function findAttempts(program_id: number, delivery_ids: readonly Uuid[]): Statement<AttemptRow> {
  return {
    // Without `offset 0` a list, which avoids sorting, would read all attempts in the order of their index.
    text: `select a.* from ${rowsOfLists('$2::uuid[]', 'k(delivery_id)')}
      cross join lateral (
        select delivery_id, series, attempt, started_at, duration_ms, status, response, error, error_code
        from delivery_attempt
        where program_id = $1 and delivery_id = k.delivery_id offset 0
      ) a
      order by a.delivery_id, a.series, a.attempt`,
    values: [program_id, delivery_ids],
  }
}

/** Failed deliveries of a webhook after an id, and before another one, the oldest first. */
export function findFailed(program_id: number, webhook_uuid: Uuid, page: FailedPage): Statement<{ delivery_id: Uuid }> {
  const { after, before, size } = page
  return { text: failedText, values: [program_id, webhook_uuid, after, before, size] }
}

interface FailedPage {
  readonly after: Uuid
  readonly before: Uuid | undefined
  readonly size: number
}

const failedText = `select delivery_id from delivery
  where program_id = $1 and webhook_uuid = $2 and state = 'failed' and delivery_id > $3
    and ($4::uuid is null or delivery_id < $4)
  order by delivery_id limit $5`

/** How many those are, to the size of the page. */
export function countFailedRows(
  program_id: number,
  webhook_uuid: Uuid,
  { after, before, size }: FailedPage,
): Statement<{ count: number }> {
  return {
    text: `select count(*) as count from (${failedText}) failed`,
    values: [program_id, webhook_uuid, after, before, size],
  }
}

/**
 * Puts ended deliveries back into the queue for a new series of attempts, if their events and webhooks are not deleted.
 * Call `deleteRequeued` next, in the same transaction.
 */
export function requeue(
  program_id: number,
  delivery_ids: readonly Uuid[],
  now: Date,
): Statement<{ delivery_id: Uuid; webhook_uuid: Uuid }> {
  return {
    text: `insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series,
        attempts, due_at, created_at)
      select d.program_id, d.delivery_id, d.event_id, d.merchant_id, d.webhook_uuid, d.order_uuid, d.series + 1, 0, $3,
        d.created_at
      from delivery d
      join event e on e.program_id = $1 and e.event_id = d.event_id
      join webhook w on w.program_id = $1 and w.webhook_uuid = d.webhook_uuid
      where d.program_id = $1 and d.delivery_id = any($2::uuid[])
      on conflict (program_id, order_uuid, delivery_id) do nothing
      returning delivery_id, webhook_uuid`,
    values: [program_id, delivery_ids, now],
  }
}

/** Removes requeued deliveries from the log. */
export function deleteRequeued(program_id: number, delivery_ids: readonly Uuid[]): Statement<never> {
  return {
    text: 'delete from delivery where program_id = $1 and delivery_id = any($2::uuid[])',
    values: [program_id, delivery_ids],
  }
}

export interface SingleDelivery {
  readonly program_id: number
  readonly delivery_id: Uuid
  readonly event_id: Uuid
  readonly merchant_id: number
  readonly webhook_uuid: Uuid
  readonly order_uuid: Uuid
}

/** @param now by the machine's clock */
export function insertDelivery(delivery: SingleDelivery, now: Date): Statement<{ webhook_uuid: Uuid }> {
  const { program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid } = delivery
  return {
    text: `insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series,
        attempts, due_at, created_at)
      values ($1, $2, $3, $4, $5, $6, 1, 0, $7, $7) returning webhook_uuid`,
    values: [program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, now],
  }
}

/** For all programs: the length of the queue, and when its oldest due delivery became due (milliseconds). */
export function countQueue(now: Date): Statement<{ depth: number; oldest_ms: number | null }> {
  return {
    text: `select count(*) as depth, (extract(epoch from min(due_at) filter (where due_at <= $1)) * 1000)::bigint as oldest_ms
      from delivery_queue`,
    values: [now],
  }
}
