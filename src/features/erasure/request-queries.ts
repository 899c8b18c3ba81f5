import { programsWith } from '../../db/programs.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { hour_ms } from '../../domain/spans.ts'
import { latestEnd } from '../../lib/clock.ts'

/** An erasure that an operator has asked for. */
export interface ErasureRequestRow {
  readonly program_id: number
  readonly request_uuid: Uuid
  readonly customer_id: Uuid
  /** Null when it has ended. */
  readonly reason: string | null
  readonly asked_by: string
  readonly asked_uuid: Uuid | null
  readonly state: 'due' | 'done' | 'failed' | 'cancelled'
  readonly attempts: number
  /** Why the last attempt has not erased. */
  readonly obstacle: 'order' | 'merged' | 'error' | null
  /** The order that is under way, with its merchant. */
  readonly order_uuid: Uuid | null
  readonly order_number: string | null
  readonly merchant_id: number | null
  readonly ended_by: string | null
  readonly created_at: Date
  readonly ended_at: Date | null
  /** When the customer was erased, or merged; the request may still wait for what is left. */
  readonly erased_at: Date | null
}

export interface RequestKey {
  readonly program_id: number
  readonly request_uuid: Uuid
}

const columns = `r.program_id, r.request_uuid, r.customer_id, r.reason, r.asked_by, r.asked_uuid, r.state, r.attempts, r.obstacle, r.order_uuid,
    o.order_number, o.merchant_id, r.ended_by, r.created_at, r.ended_at, c.erased_at`
const joined = `join customer c on c.program_id = r.program_id and c.customer_id = r.customer_id
      left join orders o on o.program_id = r.program_id and o.order_uuid = r.order_uuid`

/** The last request about a customer. */
export function findLastRequest(program_id: number, customer_id: Uuid): Statement<ErasureRequestRow> {
  return {
    text: `select ${columns} from erasure_request r ${joined}
      where r.program_id = $1 and r.customer_id = $2 order by r.request_uuid desc limit 1`,
    values: [program_id, customer_id],
  }
}

/** A program's requests that wait, the oldest first, from the one behind `after` on. */
export function findWaitingRequests(
  program_id: number,
  limit: number,
  { after, until }: { readonly after?: ErasureRequestRow | undefined; readonly until?: Date } = {},
): Statement<ErasureRequestRow> {
  return {
    text: `select ${columns} from erasure_request r ${joined}
      where r.program_id = $1 and r.state = 'due'
        and ($3::timestamptz is null or (r.created_at, r.request_uuid) > ($3, $4::uuid))
        and ($5::timestamptz is null or r.created_at <= $5)
      order by r.created_at, r.request_uuid limit $2`,
    values: [program_id, limit, after?.created_at ?? null, after?.request_uuid ?? null, until ?? null],
  }
}

export function countWaitingRequests(program_id: number, until: Date): Statement<{ readonly waiting: number }> {
  return {
    text: `select count(*) as waiting from erasure_request where program_id = $1 and state = 'due' and created_at <= $2`,
    values: [program_id, until],
  }
}

export type NewRequest = Pick<
  ErasureRequestRow,
  'program_id' | 'request_uuid' | 'customer_id' | 'reason' | 'asked_by' | 'asked_uuid'
>

/** Writes a request, unless one about the customer waits already. */
export function insertRequest(request: NewRequest, now: Date): Statement<{ readonly request_uuid: Uuid }> {
  const { program_id, request_uuid, customer_id, reason, asked_by, asked_uuid } = request
  return {
    text: `insert into erasure_request (program_id, request_uuid, customer_id, reason, asked_by, asked_uuid, due_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $7)
      on conflict (program_id, customer_id) where state = 'due' do nothing returning request_uuid`,
    values: [program_id, request_uuid, customer_id, reason, asked_by, asked_uuid, now],
  }
}

/** The request about a customer that waits. */
export interface WaitingRequest {
  readonly request_uuid: Uuid
  /** The orders that `keepOrders` has kept. */
  readonly orders: readonly Uuid[] | null
}

/** Locks the request about a customer that waits. */
export function lockWaitingRequest(program_id: number, customer_id: Uuid): Statement<WaitingRequest> {
  return {
    text: `select request_uuid, orders from erasure_request where program_id = $1 and customer_id = $2 and state = 'due' for no key update`,
    values: [program_id, customer_id],
  }
}

/** Keeps the orders that nothing leads to any more, until the request about their customer ends. */
export function keepOrders(
  { program_id, customer_id }: Pick<ErasureRequestRow, 'program_id' | 'customer_id'>,
  orders: readonly Uuid[],
): Statement<never> {
  return {
    text: `update erasure_request set orders = $3::uuid[] where program_id = $1 and customer_id = $2 and state = 'due'`,
    values: [program_id, customer_id, orders],
  }
}

/** A request under way, with what is left of its customer. */
export interface LockedRequest extends Omit<ErasureRequestRow, 'order_number' | 'merchant_id'> {
  readonly phone: Phone | null
  readonly merged_into: Uuid | null
}

/** Locks a request that waits, unless another process has it. */
export function lockRequest({ program_id, request_uuid }: RequestKey): Statement<LockedRequest> {
  return {
    text: `select r.program_id, r.request_uuid, r.customer_id, r.reason, r.asked_by, r.asked_uuid, r.state, r.attempts, r.obstacle,
        r.order_uuid, r.ended_by, r.created_at, r.ended_at, c.phone, c.erased_at, a.merged_into
      from erasure_request r
      join customer c on c.program_id = r.program_id and c.customer_id = r.customer_id
      join account a on a.program_id = r.program_id and a.account_id = r.customer_id
      where r.program_id = $1 and r.request_uuid = $2 and r.state = 'due' for no key update of r skip locked`,
    values: [program_id, request_uuid],
  }
}

/** Says why a locked request waits longer, and until when. */
export function postponeRequest(
  { program_id, request_uuid }: RequestKey,
  { obstacle, order_uuid }: Pick<ErasureRequestRow, 'obstacle' | 'order_uuid'>,
  due_at: Date,
): Statement<never> {
  return {
    text: `update erasure_request set attempts = attempts + 1, obstacle = $3, order_uuid = $4, due_at = $5
      where program_id = $1 and request_uuid = $2 and state = 'due'`,
    values: [program_id, request_uuid, obstacle, order_uuid, due_at],
  }
}

/** Ends the request about a customer that waits, if there is one; its reason goes, and so do the orders that were kept. */
export function endRequest(
  { program_id, customer_id }: Pick<ErasureRequestRow, 'program_id' | 'customer_id'>,
  {
    state,
    obstacle,
    by,
  }: { readonly state: 'done' | 'failed' | 'cancelled'; readonly obstacle?: 'order' | 'merged'; readonly by: string },
  now: Date,
): Statement<{ readonly request_uuid: Uuid }> {
  return {
    text: `update erasure_request set state = $3, obstacle = $4, order_uuid = case when $4 = 'order' then order_uuid end,
        ended_by = $5, ended_at = $6, reason = null, orders = null
      where program_id = $1 and customer_id = $2 and state = 'due' returning request_uuid`,
    values: [program_id, customer_id, state, obstacle ?? null, by, now],
  }
}

/** Deletes all of a customer's ended requests but the newest. */
export function deleteOldRequests(program_id: number, customer_id: Uuid, keep: number): Statement<never> {
  return {
    text: `delete from erasure_request where program_id = $1 and customer_id = $2 and ended_at is not null and request_uuid in (
        select request_uuid from erasure_request where program_id = $1 and customer_id = $2 order by request_uuid desc offset $3)`,
    values: [program_id, customer_id, keep],
  }
}

const programsText = prepared<{ program_id: number }>(
  'erasure_request.programs',
  programsWith(
    `select from erasure_request q where q.program_id = p.program_id and q.state = 'due' and (q.due_at <= $1 or q.due_at > $2)`,
  ),
)

/** The longest that a request waits for another attempt. */
export const longest_wait_ms = hour_ms

const latestDue = (now: Date) => latestEnd(now.getTime(), longest_wait_ms)

/** The programs with requests that are due; what waits longer than any may is due, too. */
export function findProgramsDue(now: Date): Statement<{ program_id: number }> {
  return programsText(now, latestDue(now))
}

/** A program's requests that are due, the one that waits longest first. */
export function findDueRequests(program_id: number, now: Date, limit: number): Statement<RequestKey> {
  return {
    text: `select program_id, request_uuid from erasure_request
      where program_id = $1 and state = 'due' and (due_at <= $2 or due_at > $4) order by due_at limit $3`,
    values: [program_id, now, limit, latestDue(now)],
  }
}
