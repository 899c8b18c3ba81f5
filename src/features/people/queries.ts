import { folded } from '../../db/folded.ts'
import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { EarningSource, OrderSource } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import { last_character } from '../../domain/text.ts'

/** A customer of a program with the wallet. */
export interface PersonRow {
  readonly customer_id: Uuid
  /** Null once the customer is erased or merged. */
  readonly phone: Phone | null
  readonly name: string | null
  readonly status: 'invited' | 'active'
  readonly created_at: Date
  readonly activated_at: Date | null
  readonly erased_at: Date | null
  readonly posted: Points
  readonly held: Points
  readonly blocked_at: Date | null
  readonly blocked_by: string | null
  readonly blocked_reason: string | null
  readonly merged_into: Uuid | null
  readonly merged_at: Date | null
  /** The name as the list is sorted and searched; null without one. */
  readonly sorted: string | null
}

const columns = `c.customer_id, c.phone, c.name, c.status, c.created_at, c.activated_at, c.erased_at, ${folded('c.name')} as sorted,
    a.posted, a.held, a.blocked_at, a.blocked_by, a.blocked_reason, a.merged_into, a.merged_at`
const wallet = `cross join lateral (
     select a.* from account a where a.program_id = $1 and a.account_id = c.customer_id
       and (a.program_id, a.account_id) >= ($1, c.customer_id) limit 1
   ) a`

const findNewestText = prepared<PersonRow>(
  'people.newest',
  `select ${columns} from (
     select c.* from customer c where c.program_id = $1 and c.customer_id < $2 and (c.program_id, c.customer_id) < ($1, $2)
     order by c.program_id desc, c.customer_id desc limit $3
   ) c ${wallet} order by c.customer_id desc`,
)

/** A program's customers before an id, the newest first. */
export function findNewest(program_id: number, before: Uuid, limit: number): Statement<PersonRow> {
  return findNewestText(program_id, before, limit)
}

/** Where a page of the list goes on: by name where a name is searched for, else by id. */
export interface PersonPlace {
  readonly sorted: string
  readonly customer_id: Uuid
}

const name = `(${folded('c.name')} collate "C")`

const findNamedText = prepared<PersonRow>(
  'people.named',
  `select ${columns} from (
     select c.* from customer c
     where c.program_id = $1 and c.name is not null and ${name} >= ${folded('$2')} and ${name} < ${folded('$2')} || $3
       and (c.program_id, ${name}, c.customer_id) > ($1, $4, $5)
     order by c.program_id, ${name}, c.customer_id limit $6
   ) c ${wallet} order by ${name}, c.customer_id`,
)

/** A program's customers whose names begin with `prefix`, in the order of their names. */
export function findNamed(
  program_id: number,
  prefix: string,
  { after, limit }: { readonly after: PersonPlace; readonly limit: number },
): Statement<PersonRow> {
  return findNamedText(program_id, prefix, last_character, after.sorted, after.customer_id, limit)
}

const findByPhoneText = prepared<PersonRow>(
  'people.of_phone',
  `select ${columns} from (
     select c.* from customer c where c.program_id = $1 and c.phone = $2 and (c.program_id, c.phone) >= ($1, $2) limit 1
   ) c ${wallet}`,
)

/** The customer of a phone. */
export function findByPhone(program_id: number, phone: Phone): Statement<PersonRow> {
  return findByPhoneText(program_id, phone)
}

const findByIdsText = prepared<PersonRow>(
  'people.of_ids',
  `select ${columns} from ${rowsOfLists('$2::uuid[]', 'k(customer_id)')}
   cross join lateral (
     select c.* from customer c where c.program_id = $1 and c.customer_id = k.customer_id
       and (c.program_id, c.customer_id) >= ($1, k.customer_id) limit 1
   ) c ${wallet} order by c.customer_id`,
)

/** Customers by their ids. */
export function findByIds(program_id: number, customer_ids: readonly Uuid[]): Statement<PersonRow> {
  return findByIdsText(program_id, customer_ids)
}

/** How many sign-ins a phone has. */
export interface SignIns {
  readonly wallet: number
  readonly remembered: number
  readonly cards: number
}

const countSignInsText = prepared<SignIns>(
  'people.sign_ins',
  `select
     (select count(*)::integer from wallet_session s where s.program_id = $1 and s.phone = $2 and s.proven_at is not null
       and s.expires_at > $3 and (s.program_id, s.phone) >= ($1, $2)) as wallet,
     (select count(*)::integer from remembered_browser b where b.program_id = $1 and b.phone = $2 and b.expires_at > $4
       and (b.program_id, b.phone) >= ($1, $2)) as remembered,
     (select count(*)::integer from card_session s where s.program_id = $1 and s.phone = $2 and s.stage = 'open'
       and s.expires_at > $3 and (s.program_id, s.phone) >= ($1, $2)) as cards`,
)

/** The sign-ins of a phone that have not expired: remembered browsers by the business clock, others by the machine's. */
export function countSignIns(
  program_id: number,
  phone: Phone,
  { machine, business }: { readonly machine: Date; readonly business: Date },
): Statement<SignIns> {
  return countSignInsText(program_id, phone, machine, business)
}

/** An earning that waits until its customer joins. */
export interface WaitingEarning {
  readonly pending_uuid: Uuid
  readonly source: EarningSource
  readonly order_number: string
  readonly total_points: Points
  readonly created_at: Date
  readonly merchant_id: number
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
}

const merchantOf = (of: string): string => `cross join lateral (
     select m.name as merchant_name, m.name_ar as merchant_name_ar from merchant m
     where m.program_id = $1 and m.merchant_id = ${of}.merchant_id and (m.program_id, m.merchant_id) >= ($1, ${of}.merchant_id)
     limit 1
   ) m`

const findWaitingText = prepared<WaitingEarning>(
  'people.waiting',
  `select p.pending_uuid, p.source, p.order_number, p.total_points, p.created_at, p.merchant_id, m.*
   from (
     select p.* from pending_earning p
     where p.program_id = $1 and p.customer_id = $2 and p.order_uuid is null
       and (p.program_id, p.customer_id) >= ($1, $2)
     limit $3
   ) p ${merchantOf('p')} order by p.pending_uuid desc`,
)

/** A customer's waiting earnings at all merchants. */
export function findWaiting(program_id: number, customer_id: Uuid, limit: number): Statement<WaitingEarning> {
  return findWaitingText(program_id, customer_id, limit)
}

/** An order of a customer, at whichever merchant. */
export interface PersonOrder {
  readonly order_uuid: Uuid
  readonly merchant_id: number
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
  readonly order_number: string
  readonly source: OrderSource
  readonly order_status: OrderState
  readonly total_halalas: Halalas
  readonly type: 1 | 2
  readonly total_points: Points
  readonly earned_points: Points
  readonly created_at: Date
}

const id = '(o.order_uuid::text) collate "C"'

// Read backwards, and bounded from above for it: bounded from below, PostgreSQL 15 reads on past the first entry.
const findOrdersText = prepared<PersonOrder>(
  'people.orders',
  `select o.order_uuid, o.merchant_id, m.*, o.order_number, o.source, o.order_status, o.total_halalas, o.type,
     o.total_points, o.earned_points, o.created_at
   from (
     select o.* from ${rowsOfLists('$2::uuid[]', 'k(customer_id)')}
     cross join lateral (
       select o.* from orders o
       where o.program_id = $1 and o.customer_id = k.customer_id and o.customer_id is not null and ${id} < $3
         and (o.program_id, o.customer_id, ${id}) < ($1, k.customer_id, $3)
       order by o.program_id desc, o.customer_id desc, ${id} desc limit $4
     ) o order by ${id} desc limit $4
   ) o ${merchantOf('o')} order by ${id} desc`,
)

/** The orders of a customer and of those merged into them, before an order, the newest first. */
export function findOrders(
  program_id: number,
  customer_ids: readonly Uuid[],
  { before, limit }: { readonly before: string; readonly limit: number },
): Statement<PersonOrder> {
  return findOrdersText(program_id, customer_ids, before, limit)
}
