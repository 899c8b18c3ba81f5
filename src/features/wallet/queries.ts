import { prepared, type Statement } from '../../db/statement.ts'
import type { Day } from '../../domain/day.ts'
import type { OrderSource } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { Rates } from '../../domain/rates.ts'
import { ratesOf } from '../merchants/rate-queries.ts'
import { versionOn } from '../merchants/terms-queries.ts'

/** A wallet. Its account has the id of the customer. */
export interface WalletKey {
  readonly program_id: number
  readonly customer_id: Uuid
}

export interface ProgramFound {
  readonly program_id: number
  readonly name: string
  readonly operator_name: string | null
  readonly operator_contact: string | null
  /** The version of its own terms in force; null for the product's. */
  readonly own_terms: string | null
}

const programText = prepared<ProgramFound>(
  'wallet.program',
  `select p.program_id, p.name, p.operator_name, p.operator_contact, ${versionOn('$1', '$2')} as own_terms
  from program p where p.program_id = $1`,
)

/** A program by its id, with the version of the terms of a day. */
export function findProgramById(program_id: number, day: Day): Statement<ProgramFound> {
  return programText(program_id, day)
}

export interface WalletRow {
  readonly name: string | null
  /** Null of an erased customer. */
  readonly phone: Phone | null
  readonly posted: Points
  readonly held: Points
  readonly rates: Rates
}

const walletText = prepared<WalletRow>(
  'wallet.of',
  `select c.name, c.phone, a.posted, a.held, ${ratesOf('$1')} as rates
  from (
    select c.name, c.phone, c.customer_id from customer c
    where c.program_id = $1 and c.customer_id = $2 and (c.program_id, c.customer_id) >= ($1, $2) limit 1
  ) c
  cross join lateral (
    select a.posted, a.held from account a
    where a.program_id = $1 and a.account_id = c.customer_id and (a.program_id, a.account_id) >= ($1, c.customer_id)
    limit 1
  ) a`,
)

/** A customer with the wallet and what points are worth. */
export function findWalletOf({ program_id, customer_id }: WalletKey): Statement<WalletRow> {
  return walletText(program_id, customer_id)
}

/** Points held for an open order. */
export interface OpenHold {
  readonly points: Points
  readonly since: Date
  readonly merchant_name: string
  /** On Arabic pages; null for the same name in both languages. */
  readonly merchant_name_ar: string | null
  readonly order_number: string
}

const openHolds = prepared<OpenHold>(
  'wallet.holds',
  `select h.points, h.created_at as since, m.name as merchant_name, m.name_ar as merchant_name_ar, o.order_number
  from (
    select h.* from hold h
    where h.program_id = $1 and h.account_id = $2 and h.state = 'open' and (h.program_id, h.account_id) <= ($1, $2)
    order by h.program_id desc, h.account_id desc, h.hold_id desc
    offset 0
  ) h
  cross join lateral (
    select o.merchant_id, o.order_number from orders o
    where o.program_id = $1 and o.order_uuid = h.order_uuid and (o.program_id, o.order_uuid) >= ($1, h.order_uuid) limit 1
  ) o
  cross join lateral (
    select m.name, m.name_ar from merchant m
    where m.program_id = $1 and m.merchant_id = o.merchant_id and (m.program_id, m.merchant_id) >= ($1, o.merchant_id)
    limit 1
  ) m
  order by h.hold_id desc`,
)

/** The open holds of a wallet, the newest first. */
export function findOpenHolds({ program_id, customer_id }: WalletKey): Statement<OpenHold> {
  return openHolds(program_id, customer_id)
}

/**
 * The points that an invited customer gets on joining: those of pending earnings, and those of orders paid without
 * points, which are in the wallet already. Gives nothing if the phone has no invited customer.
 */
export function sumPendingOf(program_id: number, phone: Phone): Statement<{ readonly points: Points }> {
  return {
    text: `select (a.posted + coalesce((
        select sum(p.total_points) from pending_earning p
        where p.program_id = $1 and p.customer_id = c.customer_id and p.order_uuid is null), 0))::bigint as points
      from customer c join account a on a.program_id = $1 and a.account_id = c.customer_id
      where c.program_id = $1 and c.phone = $2 and c.status = 'invited'`,
    values: [program_id, phone],
  }
}

/**
 * Points added to (above 0) or taken from the available points of a wallet. Every transfer has one such entry, except
 * the posting of a hold: the hold took the points already, and its state shows the posting.
 */
export interface Movement {
  /** The wallet's version after it. Later movements have higher versions. */
  readonly version: number
  readonly at: Date
  readonly kind: 'earn' | 'hold' | 'release' | 'reverse' | 'return' | 'adjust'
  /** The state of the hold that this movement made; null for other kinds. */
  readonly hold_state: 'open' | 'posted' | 'released' | null
  readonly points: Points
  /** The available points after it. */
  readonly balance_after: Points
  /** The source of the order; null for an adjustment. */
  readonly source: OrderSource | null
  readonly product_name: string | null
  readonly merchant_name: string | null
  readonly merchant_name_ar: string | null
  readonly merchant_id: number | null
  readonly order_uuid: Uuid | null
  readonly order_number: string | null
  readonly reason: string | null
}

/** A range of versions: above `after`, up to `until`. */
export interface Span {
  readonly after: number
  readonly until: number
}

// Read backwards, and bounded from above for it: bounded from below, PostgreSQL 15 reads on past the first entry.
const movements = prepared<Movement>(
  'wallet.movements',
  `select e.account_version as version, e.created_at as at, t.kind, h.state as hold_state, e.amount as points,
    e.balance_after, o.source, r.product_name, m.name as merchant_name, m.name_ar as merchant_name_ar, o.merchant_id,
    o.order_uuid, o.order_number, t.reason
  from entry e
  cross join lateral (
    select t.* from transfer t
    where t.program_id = $1 and t.transfer_id = e.transfer_id and (t.program_id, t.transfer_id) >= ($1, e.transfer_id)
    limit 1
  ) t
  left join lateral (
    select h.state from hold h
    where h.program_id = $1 and h.order_uuid = t.order_uuid and h.hold_transfer_id = t.transfer_id
      and (h.program_id, h.order_uuid) >= ($1, t.order_uuid)
    limit 1
  ) h on true
  left join lateral (
    select o.source, o.order_uuid, o.merchant_id, o.order_number from orders o
    where o.program_id = $1 and o.order_uuid = t.order_uuid and (o.program_id, o.order_uuid) >= ($1, t.order_uuid) limit 1
  ) o on true
  left join lateral (
    select r.product_name from order_rating r
    where r.program_id = $1 and r.order_uuid = o.order_uuid and (r.program_id, r.order_uuid) >= ($1, o.order_uuid) limit 1
  ) r on true
  left join lateral (
    select m.name, m.name_ar from merchant m
    where m.program_id = $1 and m.merchant_id = o.merchant_id and (m.program_id, m.merchant_id) >= ($1, o.merchant_id)
    limit 1
  ) m on true
  where e.program_id = $1 and e.account_id = $2 and e.bucket = 'available'
    and e.account_version > $3 and e.account_version <= $4
    and (e.program_id, e.account_id, e.account_version) <= ($1, $2, $4)
  order by e.account_version desc limit $5`,
)

/** The movements of a wallet, the newest first. */
export function findMovements(
  { program_id, customer_id }: WalletKey,
  { after, until }: Span,
  limit: number,
): Statement<Movement> {
  return movements(program_id, customer_id, after, until, limit)
}

/** The available points after a version. */
export interface Balance {
  readonly version: number
  readonly balance: Points
}

const balanceBefore = prepared<Balance>(
  'wallet.balance',
  `select account_version as version, balance_after as balance from entry
  where program_id = $1 and account_id = $2 and bucket = 'available' and created_at < $3
    and account_version is not null and (program_id, account_id) <= ($1, $2)
  order by account_version desc limit 1`,
)

/** The balance before an instant; gives nothing if there was no movement yet. */
export function findBalanceBefore({ program_id, customer_id }: WalletKey, at: Date): Statement<Balance> {
  return balanceBefore(program_id, customer_id, at)
}
