import { claimable, leasedQueue } from '../../db/leased-queue.ts'
import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import { hour_ms } from '../../domain/spans.ts'

export interface NewInvitation {
  readonly sms_uuid: Uuid
  readonly customer_id: Uuid
  /** The merchant of the pending earning. */
  readonly merchant_id: number
}

const insertText = prepared<never>(
  'invitations.queue',
  `insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, created_at)
   select $1::bigint, n.sms_uuid, 'invitation', n.customer_id, n.merchant_id, $2, $2
   from unnest($3::uuid[], $4::uuid[], $5::bigint[]) as n(sms_uuid, customer_id, merchant_id)`,
)

/** Queues invitations, due at `now` by the machine's clock. */
export function insertInvitations(
  program_id: number,
  invitations: readonly NewInvitation[],
  now: Date,
): Statement<never> {
  return insertText(
    program_id,
    now,
    invitations.map(({ sms_uuid }) => sms_uuid),
    invitations.map(({ customer_id }) => customer_id),
    invitations.map(({ merchant_id }) => merchant_id),
  )
}

/** The queue of messages. `dropped`: the customer became active before it was sent. */
export const messageQueue = leasedQueue<'sms_uuid', 'sent' | 'failed' | 'dropped'>({
  name: 'invitations',
  table: 'sms_queue',
  key: 'sms_uuid',
  required: 'kind, customer_id, merchant_id',
  // A phone gets one a day, and what a limit holds back is spread over minutes.
  longest_ms: 48 * hour_ms,
})

/** A message that a worker has claimed. */
export interface ClaimedMessage {
  readonly program_id: number
  readonly sms_uuid: Uuid
  readonly merchant_id: number
  /** The number of attempts before this one. */
  readonly attempts: number
  readonly phone: Phone
  readonly customer_status: 'invited' | 'active'
  readonly merchant_name: string
  readonly locale: Locale
  /** Whether it is the deployment's first program, which the wallet shows by default. */
  readonly is_first: boolean
}

const claimText = prepared<ClaimedMessage>(
  'invitations.claim',
  `select q.program_id, q.sms_uuid, q.merchant_id, q.attempts, c.phone, c.status as customer_status,
     case p.locale when 'ar' then coalesce(m.name_ar, m.name) else m.name end as merchant_name, p.locale,
     not exists (
       select from program f where (f.created_at, f.program_id) < (p.created_at, p.program_id)
     ) as is_first
   from sms_queue q
   cross join lateral (
     select c.phone, c.status from customer c
     where c.program_id = $1 and c.customer_id = q.customer_id and (c.program_id, c.customer_id) >= ($1, q.customer_id)
     limit 1
   ) c
   cross join lateral (
     select m.name, m.name_ar from merchant m
     where m.program_id = $1 and m.merchant_id = q.merchant_id and (m.program_id, m.merchant_id) >= ($1, q.merchant_id)
     limit 1
   ) m
   join program p on p.program_id = $1
   where ${claimable} and (q.program_id, q.due_at) >= ($1, '-infinity')
   order by q.due_at, q.sms_uuid limit $3 for no key update of q skip locked`,
)

/** Locks due messages, the oldest first. */
export function claimMessages(program_id: number, now: Date, limit: number): Statement<ClaimedMessage> {
  return claimText(program_id, now, limit)
}

const dueText = (whose: string) => `select q.sms_uuid from sms_queue q
   where ${claimable} ${whose}
   order by q.due_at, q.sms_uuid limit $3 for no key update skip locked`

const lockDueText = prepared<{ sms_uuid: Uuid }>('invitations.lock_due', dueText(''))
const lockDueOfText = prepared<{ sms_uuid: Uuid }>('invitations.lock_due_of', dueText('and q.merchant_id = $4'))

/** Locks due messages, the oldest first: those of one merchant, or with null those of the program. */
export function lockDue(
  program_id: number,
  merchant_id: number | null,
  now: Date,
  limit: number,
): Statement<{ sms_uuid: Uuid }> {
  return merchant_id === null ? lockDueText(program_id, now, limit) : lockDueOfText(program_id, now, limit, merchant_id)
}

const setDueText = prepared<never>(
  'invitations.set_due',
  `insert into sms_queue as q (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, created_at)
   select $1::bigint, q.sms_uuid, q.kind, q.customer_id, q.merchant_id, k.due_at, q.created_at
   from ${rowsOfLists('$2::uuid[], $3::timestamptz[]', 'k(sms_uuid, due_at)')}
   cross join lateral (
     select q.* from sms_queue q
     where q.program_id = $1 and q.sms_uuid = k.sms_uuid and (q.program_id, q.sms_uuid) >= ($1, k.sms_uuid) limit 1
   ) q
   on conflict (program_id, sms_uuid) do update set due_at = excluded.due_at`,
)

/** Sets when locked messages are due. */
export function setDue(program_id: number, uuids: readonly Uuid[], due_at: readonly Date[]): Statement<never> {
  return setDueText(program_id, uuids, due_at)
}

/** Deletes up to `count` messages of a program that ended before `before`. */
export function deleteEndedMessages(program_id: number, before: Date, count: number): Statement<{ sms_uuid: Uuid }> {
  return {
    text: `delete from sms_queue where program_id = $1 and sms_uuid in (
        select sms_uuid from sms_queue where program_id = $1 and state <> 'due' and ended_at < $2 order by ended_at limit $3
      ) returning sms_uuid`,
    values: [program_id, before, count],
  }
}

/** For all programs: how many messages are due, and when the oldest became due (milliseconds). */
export function countDueMessages(now: Date): Statement<{ messages: number; oldest_ms: number | null }> {
  return {
    text: `select count(*) as messages, (extract(epoch from min(due_at)) * 1000)::bigint as oldest_ms from sms_queue
      where state = 'due' and due_at <= $1`,
    values: [now],
  }
}
