import { programsWith } from '../../db/programs.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'

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

const findProgramsText = prepared<{ program_id: number }>(
  'invitations.programs',
  programsWith("select from sms_queue q where q.program_id = p.program_id and q.state = 'due' and q.due_at <= $1"),
)

/** Programs with due messages. */
export function findProgramsWithMessages(now: Date): Statement<{ program_id: number }> {
  return findProgramsText(now)
}

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
  `select q.program_id, q.sms_uuid, q.merchant_id, q.attempts, c.phone, c.status as customer_status, m.name as merchant_name, p.locale,
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
     select m.name from merchant m
     where m.program_id = $1 and m.merchant_id = q.merchant_id and (m.program_id, m.merchant_id) >= ($1, q.merchant_id)
     limit 1
   ) m
   join program p on p.program_id = $1
   where q.program_id = $1 and q.state = 'due' and q.due_at <= $2 and (q.program_id, q.due_at) <= ($1, $2) and (q.leased_until is null or q.leased_until <= $2)
   order by q.due_at, q.sms_uuid limit $3 for no key update of q skip locked`,
)

/** Locks due messages, the oldest first. */
export function claimMessages(program_id: number, now: Date, limit: number): Statement<ClaimedMessage> {
  return claimText(program_id, now, limit)
}

const leaseText = prepared<never>(
  'invitations.lease',
  `insert into sms_queue as q (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, leased_until, created_at)
   select $1::bigint, q.sms_uuid, q.kind, q.customer_id, q.merchant_id, q.due_at, $3::timestamptz, q.created_at
   from unnest($2::uuid[]) as k(sms_uuid)
   cross join lateral (
     select q.* from sms_queue q
     where q.program_id = $1 and q.sms_uuid = k.sms_uuid and (q.program_id, q.sms_uuid) >= ($1, k.sms_uuid) limit 1
   ) q
   on conflict (program_id, sms_uuid) do update set attempts = q.attempts + 1, leased_until = excluded.leased_until`,
)

/** Counts the attempts to come, and leases the messages until `until`. */
export function leaseMessages(program_id: number, uuids: readonly Uuid[], until: Date): Statement<never> {
  return leaseText(program_id, uuids, until)
}

/** The outcome of an attempt: the message has ended, or is due again. */
export type MessageOutcome =
  | { readonly state: 'sent' | 'failed' | 'dropped'; readonly error: string | null }
  | { readonly state: 'due'; readonly due_at: Date; readonly error: string }

/** Writes the outcome of an attempt, if its lease is still the message's. */
export function writeMessage(
  { program_id, sms_uuid }: Pick<ClaimedMessage, 'program_id' | 'sms_uuid'>,
  leased_until: Date,
  outcome: MessageOutcome,
  now: Date,
): Statement<{ sms_uuid: Uuid }> {
  const { state, error } = outcome
  const due_at = outcome.state === 'due' ? outcome.due_at : null
  return {
    text: `update sms_queue set state = $4, error = $5, due_at = coalesce($6::timestamptz, due_at), leased_until = null,
        ended_at = $7
      where program_id = $1 and sms_uuid = $2 and leased_until = $3 and state = 'due' returning sms_uuid`,
    values: [program_id, sms_uuid, leased_until, state, error, due_at, state === 'due' ? null : now],
  }
}

const postponeText = prepared<never>(
  'invitations.put_off',
  `update sms_queue set attempts = attempts - 1, due_at = $4, leased_until = null
   where program_id = $1 and sms_uuid = $2 and (program_id, sms_uuid) >= ($1, $2) and leased_until = $3 and state = $5`,
)

/** Postpones a message that a limit refuses. The attempt of this lease does not count. */
export function postponeMessage(
  { program_id, sms_uuid }: Pick<ClaimedMessage, 'program_id' | 'sms_uuid'>,
  leased_until: Date,
  due_at: Date,
): Statement<never> {
  return postponeText(program_id, sms_uuid, leased_until, due_at, 'due')
}

const dueText = (whose: string) => `select sms_uuid from sms_queue
   where program_id = $1 ${whose} and state = 'due' and due_at <= $2 and (leased_until is null or leased_until <= $2)
   order by due_at, sms_uuid limit $3 for no key update skip locked`

const lockDueText = prepared<{ sms_uuid: Uuid }>('invitations.lock_due', dueText(''))
const lockDueOfText = prepared<{ sms_uuid: Uuid }>('invitations.lock_due_of', dueText('and merchant_id = $4'))

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
   from unnest($2::uuid[], $3::timestamptz[]) as k(sms_uuid, due_at)
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
