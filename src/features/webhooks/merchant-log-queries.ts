import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { AttemptRow } from './delivery-queries.ts'
import { byId, type DeliveryState, waitingById } from './log-queries.ts'
import { type DeliveryPage, listedValues, older, type WaitingKey, waitingByKey, waitingFor } from './waiting-queries.ts'

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

const fields = 'program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series'
const queued = `${fields}, 'due'::text as state, due_at, created_at, null::timestamptz as ended_at`
const logged = `${fields}, state, null::timestamptz as due_at, created_at, ended_at`

/** Failed deliveries of one of the webhooks: they have an index of their own, since few deliveries fail. */
const failed = `select f.* from unnest($5::uuid[]) as w(webhook_uuid) cross join lateral (
    select ${logged} from delivery
    where program_id = $1 and webhook_uuid = w.webhook_uuid and state = 'failed' and merchant_id = $2 and ${older}
    order by delivery_id desc limit $4
  ) f`

/**
 * What ended, by the index of the merchant. Every webhook gets every event from its creation on, so few rows of other
 * webhooks are skipped, and none is older than the oldest webhook.
 */
const ended = (state: string): string => `(select ${logged} from delivery
    where program_id = $1 and merchant_id = $2 and webhook_uuid = any($5::uuid[]) and delivery_id >= $6 and ${older}${state}
    order by delivery_id desc limit $4)`

/** What is read of each state. */
const sources = (waiting: string) =>
  ({
    due: waiting,
    failed,
    delivered: ended(` and state = 'delivered'`),
    all: `${waiting} union all ${ended('')}`,
  }) as const

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
  owner: MerchantKey,
  { webhooks, from, state: asked, waiting }: Listed,
  page: DeliveryPage,
): Statement<ListedDelivery> {
  const state = asked ?? 'all'
  const values = listedValues(owner, webhooks, page)
  if (state === 'all' || state === 'delivered') values.push(from)
  const keys = (of: (key: WaitingKey) => Uuid): string => `$${values.push(waiting?.map(of))}`
  const by_key = waiting !== undefined && (state === 'all' || state === 'due')
  const of_queue = by_key
    ? waitingByKey(
        queued,
        keys((key) => key.order_uuid),
        keys((key) => key.delivery_id),
      )
    : waitingFor(queued)
  return {
    text: `select d.delivery_id, d.event_id, d.webhook_uuid, d.order_uuid, d.state, d.series, d.due_at, d.created_at, d.ended_at,
        e.name as event, a.status as last_status, a.error as last_error, a.duration_ms as last_duration_ms,
        coalesce(a.attempt, 0) as attempts
      from (select * from (${sources(of_queue)[state]}) found order by delivery_id desc limit $4) d
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

/** What a delivery sends, and where it stands. */
export interface FoundDelivery
  extends Omit<ListedDelivery, 'last_status' | 'last_error' | 'last_duration_ms' | 'attempts'> {
  readonly program_id: number
  /** JSON; null if the event is not kept any more. */
  readonly payload: string | null
  readonly happened_at: Date | null
}

/** A delivery of a merchant, in the queue or in the log. */
export function findMerchantDelivery(
  { program_id, merchant_id }: MerchantKey,
  delivery_id: Uuid,
): Statement<FoundDelivery> {
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
    text: `select delivery_id, series, attempt, started_at, duration_ms, status, response, error, error_code from delivery_attempt
      where program_id = $1 and delivery_id = $2 order by series desc, attempt desc limit $3`,
    values: [program_id, delivery_id, limit],
  }
}
