import { programsWith } from '../../db/programs.ts'
import { setOnNodes } from '../../db/session-settings.ts'
import { columnsOf, prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import { first_uuid, type Uuid } from '../../domain/ids.ts'

/** A delivery that a worker has claimed, with all that its attempt needs. */
export interface ClaimedDelivery {
  readonly program_id: number
  readonly delivery_id: Uuid
  readonly event_id: Uuid
  readonly merchant_id: number
  readonly webhook_uuid: Uuid
  readonly order_uuid: Uuid
  readonly series: number
  /** The number of attempts before this one. */
  readonly attempts: number
  /** By the machine's clock, just before the commit of the event. */
  readonly created_at: Date
  /** The lease of an earlier attempt that has no result. */
  readonly leased_until: Date | null
  /** Whether later deliveries of the same order wait for this one's first attempt. */
  readonly followed: boolean
  /** Null if the event, or the webhook, is deleted. */
  readonly event: string | null
  readonly payload: string | null
  readonly happened_at: Date | null
  readonly url: string | null
  readonly secret: Buffer | null
}

const findProgramsText = prepared<{ program_id: number }>(
  'delivery.programs',
  programsWith('select from delivery_queue q where q.program_id = p.program_id'),
)

/** Programs with deliveries in the queue, due now or later. */
export function findPrograms(): Statement<{ program_id: number }> {
  return findProgramsText()
}

/**
 * Settings of the transactions that look for what is due. A queue that was emptied keeps its pages; while the planner still
 * takes it for empty, every index looks equally cheap. Without sorting, only the index of due times has the order.
 */
export const dueSettings = [setOnNodes, 'set local enable_sort = off'] as const

/** A webhook with deliveries in the queue. */
export interface WaitingWebhook {
  readonly webhook_uuid: Uuid
  readonly is_due: boolean
}

/** How many one statement looks at, with two look-ups for each. */
export const most_webhooks = 5_000

const findDueText = prepared<WaitingWebhook>(
  'delivery.due',
  `with recursive hook as (
     (select q.webhook_uuid from delivery_queue q
      where q.program_id = $1 and q.webhook_uuid > $3 order by q.webhook_uuid limit 1)
     union all
     select (
       select q.webhook_uuid from delivery_queue q
       where q.program_id = $1 and q.webhook_uuid > hook.webhook_uuid order by q.webhook_uuid limit 1
     ) from hook where hook.webhook_uuid is not null
   )
   select hook.webhook_uuid, due.due_at is not null as is_due
   from (select hook.webhook_uuid from hook where hook.webhook_uuid is not null limit ${most_webhooks}) hook
   left join lateral (
     select q.due_at from delivery_queue q
     where q.program_id = $1 and q.webhook_uuid = hook.webhook_uuid and q.due_at <= $2
       and (q.program_id, q.webhook_uuid) >= ($1, hook.webhook_uuid)
       and (q.program_id, q.webhook_uuid, q.due_at) >= ($1, hook.webhook_uuid, '-infinity')
       and (q.leased_until is null or q.leased_until <= $2)
     order by q.due_at limit 1
   ) due on true`,
)

/**
 * The webhooks of a program with deliveries in the queue, `most_webhooks` of them after one, and whether any is due. Steps
 * from webhook to webhook, however many deliveries each has.
 */
export function findDue(program_id: number, now: Date, after: Uuid = first_uuid): Statement<WaitingWebhook> {
  return findDueText(program_id, now, after)
}

const claimText = prepared<ClaimedDelivery>(
  'delivery.take',
  `with taken as materialized (
     select q.*
     from ${rowsOfLists('$2::uuid[], $3::integer[]', 'hook(webhook_uuid, slots)')}
     cross join lateral (
       select d.*, exists (
         select from delivery_queue f where f.program_id = $1 and f.order_uuid = d.order_uuid
           and f.webhook_uuid is not distinct from d.webhook_uuid and (f.program_id, f.order_uuid, f.delivery_id) > ($1, d.order_uuid, d.delivery_id)
       ) as followed
       from delivery_queue d
       where d.program_id = $1 and d.webhook_uuid = hook.webhook_uuid and d.due_at <= $4
         and (d.program_id, d.webhook_uuid) >= ($1, hook.webhook_uuid)
         and (d.program_id, d.webhook_uuid, d.due_at) >= ($1, hook.webhook_uuid, '-infinity')
         and (d.leased_until is null or d.leased_until <= $4)
         and (d.attempts > 0 or not exists (
           select from delivery_queue f where f.program_id = $1 and f.order_uuid = d.order_uuid
             and f.webhook_uuid is not distinct from d.webhook_uuid and f.delivery_id < d.delivery_id
             and (f.program_id, f.order_uuid) >= ($1, d.order_uuid)
             and f.series = 1 and (f.attempts = 0 or (f.attempts = 1 and f.leased_until is not null))
         ))
       order by d.due_at, d.delivery_id limit hook.slots for update skip locked
     ) q
   )
   update delivery_queue q set attempts = least(t.attempts + 1, $6), leased_until = $5
   from (select * from taken limit cardinality($2) * $7) t
   left join lateral (
     select e.* from event e where e.program_id = $1 and e.event_id = t.event_id
       and (e.program_id, e.event_id) >= ($1, t.event_id) limit 1) e on true
   left join lateral (
     select w.* from webhook w where w.program_id = $1 and w.webhook_uuid = t.webhook_uuid
       and (w.program_id, w.webhook_uuid) >= ($1, t.webhook_uuid) limit 1) w on true
   where q.program_id = $1 and q.order_uuid = t.order_uuid
     and q.delivery_id = t.delivery_id
   returning t.program_id, t.delivery_id, t.event_id, t.merchant_id, t.webhook_uuid, t.order_uuid, t.series, t.attempts,
     t.created_at, t.leased_until, t.followed, e.name as event, e.payload::text as payload, e.created_at as happened_at,
     w.url, case when w.next_secret_at <= $4 then w.next_secret else w.secret end as secret`,
)

export interface Lease {
  readonly now: Date
  readonly until: Date
  readonly max_attempts: number
}

/**
 * Leases due deliveries, the oldest first, up to the reserved slots of each webhook. Counts each attempt before it is
 * made, so that it counts even if the worker dies; the count stops at `max_attempts`. A first attempt waits for the
 * first attempts of earlier events of its order; retries, and what is sent again by hand, hold nothing back.
 * docs/spec/webhooks.md#delivery-order
 * @returns the deliveries as they were before
 */
export function claimDue(
  program_id: number,
  reservations: readonly { readonly webhook_uuid: Uuid; readonly slots: number }[],
  { now, until, max_attempts }: Lease,
): Statement<ClaimedDelivery> {
  return claimText(
    program_id,
    reservations.map(({ webhook_uuid }) => webhook_uuid),
    reservations.map(({ slots }) => slots),
    now,
    until,
    max_attempts,
    Math.max(0, ...reservations.map(({ slots }) => slots)),
  )
}

/** An attempt as stored. */
export interface AttemptRow {
  readonly delivery_id: Uuid
  readonly series: number
  readonly attempt: number
  readonly started_at: Date
  readonly duration_ms: number | null
  readonly status: number | null
  readonly response: string | null
  readonly error: string | null
  /** What failed. Null for an attempt that an older version logged. */
  readonly error_code: string | null
}

const insertAttemptsText = prepared<never>(
  'delivery.attempts',
  `insert into delivery_attempt as a
     (program_id, delivery_id, series, attempt, started_at, duration_ms, status, response, error, error_code)
   select $1::bigint, k.* from unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::timestamptz[], $6::integer[],
     $7::smallint[], $8::text[], $9::text[], $10::text[])
     as k(delivery_id, series, attempt, started_at, duration_ms, status, response, error, error_code)
   on conflict (program_id, delivery_id, series, attempt) do update set
     duration_ms = excluded.duration_ms, status = excluded.status, response = excluded.response, error = excluded.error,
     error_code = excluded.error_code
   where a.duration_ms is null and (a.error is not null or a.error_code is distinct from 'interrupted')`,
)

/**
 * Adds attempts to the log. A worker that comes back corrects an attempt that was logged as interrupted, but not one that an
 * erasure has closed: that one has no text.
 */
export function insertAttempts(program_id: number, attempts: readonly AttemptRow[]): Statement<never> {
  return insertAttemptsText(
    program_id,
    ...columnsOf(attempts, 'delivery_id', 'series', 'attempt', 'started_at'),
    ...columnsOf(attempts, 'duration_ms', 'status', 'response', 'error', 'error_code'),
  )
}

interface Keys {
  readonly order_uuid: Uuid
  readonly delivery_id: Uuid
}

export interface EndedRow extends Keys {
  readonly series: number
  readonly attempts: number
  readonly state: 'delivered' | 'failed'
}

const logEndedText = prepared<never>(
  'delivery.log',
  `insert into delivery (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, state, series,
     attempts, created_at, ended_at)
   select q.program_id, q.delivery_id, q.event_id, q.merchant_id, q.webhook_uuid, q.order_uuid, k.state, k.series,
     k.attempts, q.created_at, $7
   from ${rowsOfLists(
     '$2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::text[]',
     'k(order_uuid, delivery_id, series, attempts, state)',
   )}
   cross join lateral (
     select q.* from delivery_queue q where q.program_id = $1 and q.order_uuid = k.order_uuid and q.series = k.series
       and q.delivery_id = k.delivery_id limit 1) q
   on conflict (program_id, delivery_id) do nothing`,
)

/** Logs deliveries that have ended. Call `dequeue` next, in the same transaction. */
export function logEnded(program_id: number, ended: readonly EndedRow[], now: Date): Statement<never> {
  return logEndedText(program_id, ...columnsOf(ended, 'order_uuid', 'delivery_id', 'series', 'attempts', 'state'), now)
}

const dequeueText = prepared<{ delivery_id: Uuid }>(
  'delivery.unqueue',
  `delete from delivery_queue q
   using ${rowsOfLists('$2::uuid[], $3::uuid[], $4::smallint[]', 'k(order_uuid, delivery_id, series)')}
   where q.program_id = $1 and q.order_uuid = k.order_uuid and q.series = k.series
     and q.delivery_id = k.delivery_id
   returning q.delivery_id`,
)

/** Removes deliveries that have ended from the queue; gives those that were in it. */
export function dequeue(program_id: number, ended: readonly EndedRow[]): Statement<{ delivery_id: Uuid }> {
  return dequeueText(program_id, ...columnsOf(ended, 'order_uuid', 'delivery_id', 'series'))
}

const correctText = prepared<never>(
  'delivery.correct',
  `update delivery d set state = 'delivered', attempts = k.attempts, ended_at = $5
   from ${rowsOfLists('$2::uuid[], $3::smallint[], $4::smallint[]', 'k(delivery_id, series, attempts)')}
   where d.program_id = $1 and d.delivery_id = k.delivery_id and d.series = k.series and d.state = $6
     and (d.program_id, d.delivery_id) >= ($1, k.delivery_id)`,
)

/** Corrects deliveries that were given up before their success was known: the receiver has them. */
export function correctFailed(program_id: number, delivered: readonly EndedRow[], now: Date): Statement<never> {
  return correctText(program_id, ...columnsOf(delivered, 'delivery_id', 'series', 'attempts'), now, 'failed')
}

export interface RetryRow extends Keys {
  readonly series: number
  /** The count at the claim, this attempt included. */
  readonly attempts: number
  /** False if no attempt was made: then it is subtracted from the count. */
  readonly made: boolean
  readonly due_at: Date
}

const postponeText = prepared<never>(
  'delivery.postpone',
  `update delivery_queue q set due_at = k.due_at, leased_until = null, attempts = q.attempts - (not k.made)::integer
   from ${rowsOfLists(
     '$2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::boolean[], $7::timestamptz[]',
     'k(order_uuid, delivery_id, series, attempts, made, due_at)',
   )}
   where q.program_id = $1 and q.order_uuid = k.order_uuid and q.series = k.series
     and q.attempts = k.attempts
     and q.delivery_id = k.delivery_id`,
)

/**
 * Ends the leases of failed attempts and sets when the next ones are due. Skips deliveries that another worker has
 * claimed.
 */
export function postpone(program_id: number, retries: readonly RetryRow[]): Statement<never> {
  return postponeText(
    program_id,
    ...columnsOf(retries, 'order_uuid', 'delivery_id', 'series', 'attempts', 'made', 'due_at'),
  )
}

const repairTimesText = prepared<never>(
  'delivery.repair',
  `update delivery_queue q set due_at = least(q.due_at, $2), leased_until = case when q.leased_until > $4 then $2 else q.leased_until end
   where q.program_id = $1 and (q.due_at > $3 or q.leased_until > $4)`,
)

/** Repairs the queue after a clock was set back: caps due times and leases at the longest that the service sets. */
export function repairTimes(
  program_id: number,
  { now, latest_due, latest_lease }: Readonly<Record<'now' | 'latest_due' | 'latest_lease', Date>>,
): Statement<never> {
  return repairTimesText(program_id, now, latest_due, latest_lease)
}
