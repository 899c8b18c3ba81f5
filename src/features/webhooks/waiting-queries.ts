import type { Statement } from '../../db/statement.ts'
import { first_uuid, last_uuid, type Uuid } from '../../domain/ids.ts'

/** Whose deliveries to find. An undefined merchant matches all of the program. */
export interface WaitingOwner {
  readonly program_id: number
  readonly merchant_id?: number | undefined
}

/** Which deliveries to show: the newest before an id. */
export interface DeliveryPage {
  readonly before: Uuid | undefined
  readonly size: number
}

/** The key of a delivery that waits. */
export interface WaitingKey {
  readonly order_uuid: Uuid
  readonly delivery_id: Uuid
}

/** The first values of the statements that list deliveries: `of_merchant` and `older` compare with them. */
export function listedValues(
  { program_id, merchant_id }: WaitingOwner,
  webhooks: readonly Uuid[] | undefined,
  { before, size }: DeliveryPage,
): unknown[] {
  return [program_id, merchant_id, before, size, ...(webhooks === undefined ? [] : [webhooks])]
}

export const of_merchant = '($2::bigint is null or merchant_id = $2)'
export const older = '($3::uuid is null or delivery_id < $3)'

/** Deliveries that wait for one of the webhooks, read by the index of the queue. */
export const waitingFor = (columns: string): string => `select q.* from unnest($5::uuid[]) as w(webhook_uuid)
  cross join lateral (
    select ${columns} from delivery_queue
    where program_id = $1 and webhook_uuid = w.webhook_uuid and ${of_merchant} and ${older}
    order by delivery_id desc limit $4
  ) q`

/** Deliveries that are known by their keys and still wait for one of the webhooks. */
export const waitingByKey = (
  columns: string,
  orders: string,
  ids: string,
): string => `select q.* from unnest(${orders}::uuid[], ${ids}::uuid[]) as k(order_uuid, delivery_id)
  cross join lateral (
    select ${columns} from delivery_queue
    where program_id = $1 and order_uuid = k.order_uuid and delivery_id = k.delivery_id and ${of_merchant}
      and webhook_uuid = any($5::uuid[]) and ${older} limit 1
  ) q`

/**
 * The webhooks that something waits for, also those that were deleted meanwhile: the index of the queue leads from each to the
 * next, so that no more of its rows are read. PostgreSQL uses it only with a comparison.
 */
export function findWaitingWebhooks({ program_id, merchant_id }: WaitingOwner): Statement<{ webhook_uuid: Uuid }> {
  return {
    text: `with recursive hook as (
        (select webhook_uuid, merchant_id from delivery_queue
         where program_id = $1 and webhook_uuid >= '${first_uuid}' order by webhook_uuid limit 1)
        union all
        select following.webhook_uuid, following.merchant_id from hook cross join lateral (
          select webhook_uuid, merchant_id from delivery_queue
          where program_id = $1 and webhook_uuid > hook.webhook_uuid order by webhook_uuid limit 1
        ) following
      )
      select webhook_uuid from hook where ${of_merchant}`,
    values: [program_id, merchant_id],
  }
}

/** How many deliveries wait for some webhooks, counted to a limit. */
export function countWaiting(
  program_id: number,
  webhooks: readonly Uuid[],
  limit: number,
): Statement<{ readonly count: number }> {
  return {
    text: `select count(*) as count from (
        select from unnest($2::uuid[]) as w(webhook_uuid) cross join lateral (
          select from delivery_queue where program_id = $1 and webhook_uuid = w.webhook_uuid limit $3
        ) q limit $3
      ) q`,
    values: [program_id, webhooks, limit],
  }
}

/**
 * The newest that wait, by the newest events of the program: the ids of deliveries are those of their events, but for the
 * last byte. Looks at so many events at most, so it gives fewer than asked for where more may be.
 */
export function findNewestWaiting(
  { program_id, merchant_id }: WaitingOwner,
  webhooks: readonly Uuid[],
  { before, size, events }: DeliveryPage & { readonly events: number },
): Statement<WaitingKey> {
  const newest = before === undefined ? last_uuid : `${before.slice(0, 34)}ff`
  return {
    text: `select q.order_uuid, q.delivery_id from (
        select event_id, order_uuid, merchant_id from event
        where program_id = $1 and event_id <= $6 and (program_id, event_id) <= ($1, $6) order by event_id desc limit $7
      ) e
      cross join lateral (
        select order_uuid, delivery_id from delivery_queue
        where program_id = $1 and order_uuid = e.order_uuid and event_id = e.event_id and webhook_uuid = any($5::uuid[]) and ${older}
        offset 0
      ) q
      where $2::bigint is null or e.merchant_id = $2
      order by e.event_id desc, q.delivery_id desc limit $4`,
    values: [...listedValues({ program_id, merchant_id }, webhooks, { before, size }), newest, events],
  }
}
