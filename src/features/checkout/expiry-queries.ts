import { programsWith } from '../../db/programs.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import { first_uuid, type Uuid } from '../../domain/ids.ts'
import type { OrderKey } from '../orders/order.ts'

const findProgramsText = prepared<{ program_id: number }>(
  'expiry.programs',
  programsWith('select from checkout_session s where s.program_id = p.program_id and s.release_at <= $1'),
)

/** The programs with checkouts to release at this business time. */
export function findProgramsDue(now: Date): Statement<{ program_id: number }> {
  return findProgramsText(now)
}

/** A confirmed checkout that has expired, with the payment under way for it. */
export interface DueCheckout {
  readonly program_id: number
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly session_uuid: Uuid
  readonly release_at: Date
  readonly payment_uuid: Uuid | null
}

/** The last checkout that a round has read. */
export type Position = Pick<DueCheckout, 'payment_uuid' | 'release_at' | 'session_uuid'>

const dueText = prepared<DueCheckout>(
  'expiry.due',
  `select s.program_id, s.merchant_id, s.order_uuid, s.session_uuid, s.release_at, p.payment_uuid
   from checkout_session s
   left join lateral (
     select p.payment_uuid from order_payment p
     where p.program_id = $1 and p.order_uuid = s.order_uuid and p.state = 'created'
       and (p.program_id, p.order_uuid) >= ($1, s.order_uuid)
     limit 1
   ) p on true
   where s.program_id = $1 and s.release_at <= $2 and (s.program_id, s.release_at) >= ($1, '-infinity')
     and (p.payment_uuid is not null, s.release_at, s.session_uuid) > ($3, $4, $5)
   order by p.payment_uuid is not null, s.release_at, s.session_uuid
   limit $6`,
)

const start: Position = {
  payment_uuid: null,
  release_at: new Date(0),
  session_uuid: first_uuid,
}

/** The expired checkouts of a program: first those without a payment under way, the oldest first in each part. */
export function findDue(program_id: number, now: Date, after: Position = start, limit = 200): Statement<DueCheckout> {
  const { payment_uuid, release_at, session_uuid } = after
  return dueText(program_id, now, payment_uuid !== null, release_at, session_uuid, limit)
}

const claimText = prepared<{ order_uuid: Uuid }>(
  'expiry.claim',
  `select order_uuid from orders
   where program_id = $1 and order_uuid = $2 and (program_id, order_uuid) >= ($1, $2) for no key update skip locked`,
)

/** Locks an order. Gives nothing where another transaction has locked it, for a payment or in another worker. */
export function claimOrder({ program_id, order_uuid }: OrderKey): Statement<{ order_uuid: Uuid }> {
  return claimText(program_id, order_uuid)
}
