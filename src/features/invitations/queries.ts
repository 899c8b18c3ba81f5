import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Locale } from '../../domain/shipping.ts'

export interface NewInvitation {
  readonly sms_uuid: Uuid
  readonly customer_id: Uuid
  /** Whose earning waits. */
  readonly merchant_id: number
}

const insertText = prepared<never>(
  'invitations.queue',
  `insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, created_at)
   select $1, n.sms_uuid, 'invitation', n.customer_id, n.merchant_id, $2, $2
   from unnest($3::uuid[], $4::uuid[], $5::bigint[]) as n(sms_uuid, customer_id, merchant_id)`,
)

/** Queues invitations, due at `now` of the machine's clock. */
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
  `select p.program_id from program p
   where exists (select from sms_queue q where q.program_id = p.program_id and q.state = 'due' and q.due_at <= $1)`,
)

/** Programs with messages that are due. */
export function findProgramsWithMessages(now: Date): Statement<{ program_id: number }> {
  return findProgramsText(now)
}

/** A message that a worker has taken. */
export interface ClaimedMessage {
  readonly program_id: number
  readonly sms_uuid: Uuid
  /** Attempts begun before this one. */
  readonly attempts: number
  readonly phone: Phone
  readonly customer_status: 'invited' | 'active'
  readonly merchant_name: string
  readonly locale: Locale
  /** Whether the program is the deployment's first, which the wallet shows when none is named. */
  readonly is_first: boolean
}

const claimText = prepared<ClaimedMessage>(
  'invitations.claim',
  `select q.program_id, q.sms_uuid, q.attempts, c.phone, c.status as customer_status, m.name as merchant_name, p.locale,
     not exists (
       select from program f where (f.created_at, f.program_id) < (p.created_at, p.program_id)
     ) as is_first
   from sms_queue q
   join customer c on c.program_id = $1 and c.customer_id = q.customer_id
   join merchant m on m.program_id = $1 and m.merchant_id = q.merchant_id
   join program p on p.program_id = $1
   where q.program_id = $1 and q.state = 'due' and q.due_at <= $2 and (q.leased_until is null or q.leased_until <= $2)
   order by q.due_at limit $3 for no key update of q skip locked`,
)

/** Locks messages that are due, the oldest first. */
export function claimMessages(program_id: number, now: Date, limit: number): Statement<ClaimedMessage> {
  return claimText(program_id, now, limit)
}

const leaseText = prepared<never>(
  'invitations.lease',
  `update sms_queue set attempts = attempts + 1, leased_until = $3
   where program_id = $1 and sms_uuid = any($2::uuid[])`,
)

/** Counts attempts that are about to be made, and keeps others from these messages until then. */
export function leaseMessages(program_id: number, uuids: readonly Uuid[], until: Date): Statement<never> {
  return leaseText(program_id, uuids, until)
}

/** What became of a message: it has ended, or is due again. */
export type MessageOutcome =
  | { readonly state: 'sent' | 'failed' | 'dropped'; readonly error: string | null }
  | { readonly state: 'due'; readonly due_at: Date; readonly error: string }

/** Writes the outcome of the attempt that has this lease, and of no other. */
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

/** Forgets up to `count` messages of a program that ended before an instant. */
export function deleteEndedMessages(program_id: number, before: Date, count: number): Statement<{ sms_uuid: Uuid }> {
  return {
    text: `delete from sms_queue where program_id = $1 and sms_uuid in (
        select sms_uuid from sms_queue where program_id = $1 and state <> 'due' and ended_at < $2 order by ended_at limit $3
      ) returning sms_uuid`,
    values: [program_id, before, count],
  }
}
