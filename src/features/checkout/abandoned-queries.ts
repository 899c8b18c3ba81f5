import type { Statement } from '../../db/statement.ts'
import type { AbandonedFacts } from '../../domain/abandoned.ts'
import { first_uuid, type Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { page_lifetime_ms } from '../../domain/payment.ts'
import { before } from '../../domain/spans.ts'
import { deletePayments } from '../orders/payment-queries.ts'
import { deletePaymentTasks } from '../orders/payment-task-queries.ts'
import { deleteSessions } from '../orders/session-queries.ts'
import { deleteNewOrders } from '../orders/write-queries.ts'
import { deleteCheckoutCodes } from '../otp/queries.ts'
import { deleteSandboxPayments } from '../payments/sandbox-queries.ts'

/** The condition of `checkout_session_unproven_idx`: no code was proven, and the merchant has not changed the order. */
const abandoned = `state = 'open' and kept_at is null and (proven_at is null or remembered_uuid is not null)`

/**
 * Abandoned checkouts are of two kinds. `promised`: confirmed without a code for a merchant who collects, and its page still
 * says that it is reserved. `other`: the rest.
 */
export type Kind = 'promised' | 'other'

function isOfKind(kind: Kind, now: string): string {
  const promised = `collector = 'merchant' and release_at > ${now}`
  return kind === 'promised' ? `(${promised})` : `(${promised}) is not true`
}

export interface OldestAbandoned {
  readonly merchant_id: number
  readonly oldest: Date
}

/** The merchants of a program with abandoned checkouts that have expired by `now`, and when the oldest expired. */
export function findMerchantsWithAbandoned(program_id: number, now: Date): Statement<OldestAbandoned> {
  return {
    text: `select m.merchant_id, a.expires_at as oldest
      from merchant m
      cross join lateral (
        select s.expires_at from checkout_session s
        where s.program_id = $1 and s.merchant_id = m.merchant_id and ${abandoned} and s.expires_at <= $2
        order by s.expires_at limit 1
      ) a
      where m.program_id = $1`,
    values: [program_id, now],
  }
}

/** The bytes, by merchant, of abandoned checkouts that expired within a span. */
export function sumAbandoned(
  program_id: number,
  merchants: readonly number[],
  { after, until }: { readonly after: Date; readonly until: Date },
): Statement<{ merchant_id: number; bytes: number }> {
  return {
    text: `select m.merchant_id, a.bytes
      from unnest($2::bigint[]) as m(merchant_id)
      cross join lateral (
        select coalesce(sum(s.stored_bytes), 0)::bigint as bytes from checkout_session s
        where s.program_id = $1 and s.merchant_id = m.merchant_id and ${abandoned}
          and s.expires_at > $3 and s.expires_at <= $4
      ) a`,
    values: [program_id, merchants, after, until],
  }
}

/** The position of a checkout among its merchant's abandoned ones, which are ordered by their expiry. */
export interface Position {
  readonly expires_at: Date
  readonly session_uuid: Uuid
}

/** The bytes of a merchant's abandoned checkouts that are promised at `now`. */
export function sumPromised({ program_id, merchant_id }: MerchantKey, now: Date): Statement<{ bytes: number }> {
  return {
    text: `select coalesce(sum(stored_bytes), 0)::bigint as bytes from checkout_session
      where program_id = $1 and merchant_id = $2 and ${abandoned} and expires_at <= $3 and ${isOfKind('promised', '$3')}`,
    values: [program_id, merchant_id, now],
  }
}

/**
 * The youngest of a merchant's abandoned checkouts of a kind, expired by `now`, that does not fit into `room` bytes together
 * with all younger ones; nothing when all fit. It stays the same while other workers delete older ones.
 */
export function findOverflow(
  { program_id, merchant_id }: MerchantKey,
  kind: Kind,
  room: number,
  now: Date,
): Statement<Position> {
  return {
    text: `select expires_at, session_uuid from (
        select expires_at, session_uuid,
          sum(stored_bytes) over (order by expires_at desc, session_uuid desc rows unbounded preceding) as bytes
        from checkout_session
        where program_id = $1 and merchant_id = $2 and ${abandoned} and expires_at <= $3 and ${isOfKind(kind, '$3')}
      ) s
      where bytes > $4 order by expires_at desc, session_uuid desc limit 1`,
    values: [program_id, merchant_id, now, room],
  }
}

const start: Position = { expires_at: new Date(0), session_uuid: first_uuid }

export type Candidate = Position & { readonly order_uuid: Uuid }

/** A range of abandoned checkouts: those after one, up to and including another. */
export interface Range {
  readonly kind: Kind
  readonly now: Date
  readonly after?: Position | undefined
  readonly upTo: Position
}

/** A merchant's abandoned checkouts in a range, the oldest first. */
export function findAbandoned(
  { program_id, merchant_id }: MerchantKey,
  { kind, now, after = start, upTo }: Range,
  limit: number,
): Statement<Candidate> {
  return {
    text: `select order_uuid, session_uuid, expires_at from checkout_session
      where program_id = $1 and merchant_id = $2 and ${abandoned} and ${isOfKind(kind, '$8')}
        and (expires_at, session_uuid) > ($3, $4) and (expires_at, session_uuid) <= ($5, $6)
      order by expires_at, session_uuid limit $7`,
    values: [
      ...[program_id, merchant_id, after.expires_at, after.session_uuid],
      ...[upTo.expires_at, upTo.session_uuid, limit, now],
    ],
  }
}

/** Locks those of some orders that are still `new`. Skips orders that another transaction has locked. */
export function lockNew(program_id: number, orders: readonly Uuid[]): Statement<{ order_uuid: Uuid }> {
  return {
    text: `select order_uuid from orders
      where program_id = $1 and order_uuid = any($2::uuid[]) and type = 2 and order_status = 'new'
      order by order_uuid for update skip locked`,
    values: [program_id, orders],
  }
}

export interface LockedAbandoned extends AbandonedFacts {
  readonly order_uuid: Uuid
  readonly session_uuid: Uuid
  readonly stored_bytes: number
}

/** The facts of abandoned checkouts whose orders are locked. Leaves out those that are no longer of this kind. */
export function findFacts(
  program_id: number,
  orders: readonly Uuid[],
  { kind, now }: Pick<Range, 'kind' | 'now'>,
): Statement<LockedAbandoned> {
  return {
    text: `select s.order_uuid, s.session_uuid, s.stored_bytes,
        exists (select from hold h where h.program_id = $1 and h.order_uuid = s.order_uuid) as held,
        array(select p.state from order_payment p where p.program_id = $1 and p.order_uuid = s.order_uuid) as payments,
        array(
          select t.state from order_payment p
          join payment_task t on t.program_id = $1 and t.payment_uuid = p.payment_uuid
          where p.program_id = $1 and p.order_uuid = s.order_uuid
        ) as tasks,
        exists (
          select from order_payment p
          where p.program_id = $1 and p.order_uuid = s.order_uuid and p.state = 'failed' and p.created_at > $4
        ) as failed_lately
      from checkout_session s
      where s.program_id = $1 and s.order_uuid = any($2::uuid[]) and ${abandoned} and ${isOfKind(kind, '$3')}`,
    values: [program_id, orders, now, before(now, page_lifetime_ms)],
  }
}

/** A checkout to delete. */
export type Deleted = Pick<Candidate, 'order_uuid' | 'session_uuid'>

/** Statements, in this order, that delete locked orders with all their rows. The last gives the orders deleted. */
export function deleteCheckouts(program_id: number, checkouts: readonly Deleted[]): readonly Statement<unknown>[] {
  const orders = checkouts.map(({ order_uuid }) => order_uuid)
  const sessions = checkouts.map(({ session_uuid }) => session_uuid)
  return [
    deletePaymentTasks(program_id, orders),
    deleteSandboxPayments(program_id, orders),
    deleteCheckoutCodes(program_id, sessions),
    deletePayments(program_id, orders),
    deleteSessions(program_id, orders),
    deleteNewOrders(program_id, orders),
  ]
}
