import type { Statement } from '../../db/statement.ts'
import { last_uuid, type Uuid } from '../../domain/ids.ts'
import type { AttemptRow } from './delivery-queries.ts'
import { byId, type DeliveryState, waitingById } from './log-queries.ts'
import type { Owner } from './queries.ts'

/** A delivery as a list of a merchant shows it. */
export interface ListedDelivery {
  readonly delivery_id: Uuid
  readonly event_id: Uuid
  readonly webhook_uuid: Uuid
  readonly order_uuid: Uuid
  readonly state: DeliveryState
  readonly series: number
  readonly due_at: Date | null
  readonly created_at: Date
  readonly ended_at: Date | null
  /** Null if the event is not kept any more. */
  readonly event: string | null
  /** Of the last attempt; null before the first. */
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_duration_ms: number | null
  readonly attempts: number
}

export interface DeliveryPage {
  readonly before: Uuid | undefined
  readonly size: number
}

const fields = 'program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series'
const queued = `${fields}, 'due'::text as state, due_at, created_at, null::timestamptz as ended_at`
const logged = `${fields}, state, null::timestamptz as due_at, created_at, ended_at`

const older = '($3::uuid is null or delivery_id < $3)'

/** Deliveries that wait for one of the webhooks, read by the index of the queue. */
const due = `select q.* from unnest($4::uuid[]) as w(webhook_uuid) cross join lateral (
    select ${queued} from delivery_queue
    where program_id = $1 and webhook_uuid = w.webhook_uuid and merchant_id = $2 and ${older}
    order by delivery_id desc limit $5
  ) q`

/** Deliveries that are known by their keys and still wait. */
const known = (
  orders: string,
  ids: string,
): string => `select q.* from unnest(${orders}::uuid[], ${ids}::uuid[]) as k(order_uuid, delivery_id)
  cross join lateral (
    select ${queued} from delivery_queue
    where program_id = $1 and order_uuid = k.order_uuid and delivery_id = k.delivery_id and merchant_id = $2
      and webhook_uuid = any($4::uuid[]) and ${older} limit 1
  ) q`

/** Failed deliveries of one of the webhooks: they have an index of their own, since few deliveries fail. */
const failed = `select f.* from unnest($4::uuid[]) as w(webhook_uuid) cross join lateral (
    select ${logged} from delivery
    where program_id = $1 and webhook_uuid = w.webhook_uuid and state = 'failed' and merchant_id = $2 and ${older}
    order by delivery_id desc limit $5
  ) f`

/**
 * What ended, by the index of the merchant. Every webhook gets every event from its creation on, so few rows of other
 * webhooks are skipped, and none is older than the oldest webhook.
 */
const ended = (state: string): string => `(select ${logged} from delivery
    where program_id = $1 and merchant_id = $2 and webhook_uuid = any($4::uuid[]) and delivery_id >= $6 and ${older}${state}
    order by delivery_id desc limit $5)`

/** What is read of each state. */
const sources = (waiting: string) =>
  ({
    due: waiting,
    failed,
    delivered: ended(` and state = 'delivered'`),
    all: `${waiting} union all ${ended('')}`,
  }) as const

/** The key of a delivery that waits. */
export interface WaitingKey {
  readonly order_uuid: Uuid
  readonly delivery_id: Uuid
}

/** Which deliveries of a merchant to list. */
export interface Listed {
  readonly webhooks: readonly Uuid[]
  /** None of them is older. */
  readonly from: Uuid
  /** Undefined: all. */
  readonly state: DeliveryState | undefined
  /** The newest that wait, where they are known already. */
  readonly waiting: readonly WaitingKey[] | undefined
}

/** The deliveries to some webhooks of a merchant, the newest first: those before an id. Reads no row of other merchants. */
export function findMerchantDeliveries(
  { program_id, merchant_id }: Owner,
  { webhooks, from, state: asked, waiting }: Listed,
  { before, size }: DeliveryPage,
): Statement<ListedDelivery> {
  const state = asked ?? 'all'
  const values: unknown[] = [program_id, merchant_id, before, webhooks, size]
  if (state === 'all' || state === 'delivered') values.push(from)
  const keys = (values_of: (key: WaitingKey) => Uuid): string => `$${values.push(waiting?.map(values_of))}`
  const by_key = waiting !== undefined && (state === 'all' || state === 'due')
  const of_queue = by_key
    ? known(
        keys((key) => key.order_uuid),
        keys((key) => key.delivery_id),
      )
    : due
  return {
    text: `select d.delivery_id, d.event_id, d.webhook_uuid, d.order_uuid, d.state, d.series, d.due_at, d.created_at, d.ended_at,
        e.name as event, a.status as last_status, a.error as last_error, a.duration_ms as last_duration_ms,
        coalesce(a.attempt, 0) as attempts
      from (select * from (${sources(of_queue)[state]}) found order by delivery_id desc limit $5) d
      left join lateral (
        select name from event where program_id = $1 and event_id = d.event_id limit 1
      ) e on true
      left join lateral (
        select attempt, status, error, duration_ms from delivery_attempt
        where program_id = $1 and delivery_id = d.delivery_id and series = d.series order by attempt desc limit 1
      ) a on true
      order by d.delivery_id desc`,
    values,
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
  { program_id, merchant_id }: Owner,
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
        where program_id = $1 and order_uuid = e.order_uuid and event_id = e.event_id and webhook_uuid = any($4::uuid[]) and ${older}
        offset 0
      ) q
      where e.merchant_id = $2
      order by e.event_id desc, q.delivery_id desc limit $5`,
    values: [program_id, merchant_id, before, webhooks, size, newest, events],
  }
}

/** What a delivery sends, and where it stands. */
export interface FoundDelivery
  extends Omit<ListedDelivery, 'last_status' | 'last_error' | 'last_duration_ms' | 'attempts'> {
  readonly program_id: number
  /** JSON; null if the event is not kept any more. */
  readonly payload: string | null
  readonly happened_at: Date | null
}

/** A delivery of a merchant, in the queue or in the log. */
export function findMerchantDelivery({ program_id, merchant_id }: Owner, delivery_id: Uuid): Statement<FoundDelivery> {
  const otherwise = `select q.* from webhook w cross join lateral (
      select ${queued} from delivery_queue
      where program_id = $1 and webhook_uuid = w.webhook_uuid and delivery_id = $2 limit 1
    ) q
    where w.program_id = $1 and w.merchant_id = $5`
  return {
    text: `select d.program_id, d.delivery_id, d.event_id, d.webhook_uuid, d.order_uuid, d.state, d.series, d.due_at, d.created_at,
        d.ended_at, e.name as event, e.payload::text as payload, e.created_at as happened_at
      from (
        select ${logged} from delivery where program_id = $1 and delivery_id = $2
        union all
        ${waitingById(queued, otherwise)}
        limit 1
      ) d
      left join event e on e.program_id = $1 and e.event_id = d.event_id
      where d.merchant_id = $5`,
    values: [...byId(program_id, delivery_id), merchant_id],
  }
}

/** The newest attempts of a delivery, the newest first. */
export function findNewestAttempts(program_id: number, delivery_id: Uuid, limit: number): Statement<AttemptRow> {
  return {
    text: `select delivery_id, series, attempt, started_at, duration_ms, status, response, error from delivery_attempt
      where program_id = $1 and delivery_id = $2 order by series desc, attempt desc limit $3`,
    values: [program_id, delivery_id, limit],
  }
}
