import { prepared, rowsOfLists, type Statement } from '../../db/statement.ts'
import { earningSources } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState, ShippingStatus } from '../../domain/order.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { Order } from './order.ts'

/** A row of a merchant's list. */
export interface DashboardOrder {
  readonly order_uuid: Uuid
  readonly type: 1 | 2
  readonly source: Order['source']
  readonly reference_number: string
  readonly order_number: string
  readonly order_status: OrderState
  readonly total_halalas: Halalas
  readonly redeemed_halalas: Halalas
  readonly refunded_halalas: Halalas
  readonly total_points: Points
  readonly earned_points: Points
  readonly shipping_status: ShippingStatus
  readonly label_ar: string | null
  readonly label_en: string | null
  readonly created_at: Date
  readonly paid_at: Date | null
  readonly customer_id: Uuid | null
  readonly customer_name: string | null
  readonly phone: Phone | null
}

/** A place in the list, the newest first: only what is older follows. */
export interface Place {
  readonly created_at: Date
  /** `` stands before all orders of the instant. */
  readonly order_uuid: Uuid | ''
}

/** Orders from an instant on, older than a place. */
export interface Stretch {
  readonly from: Date
  readonly before: Place
  readonly limit: number
}

const columns = `o.order_uuid, o.type, o.source, o.reference_number, o.order_number, o.order_status, o.total_halalas,
  o.redeemed_halalas, o.refunded_halalas, o.total_points, o.earned_points, o.shipping_status, o.label_ar, o.label_en, o.created_at, o.paid_at,
  o.customer_id`
const id = '(o.order_uuid::text) collate "C"'
const newest_first = 'order by o.created_at desc, (o.order_uuid::text) collate "C" desc limit $6'
const withCustomer = `
   left join lateral (
     select c.name, c.phone from customer c
     where c.program_id = $1 and c.customer_id = o.customer_id and (c.program_id, c.customer_id) >= ($1, o.customer_id)
     limit 1
   ) c on true`

const findPageText = prepared<DashboardOrder>(
  'orders.page',
  `select o.*, c.name as customer_name, c.phone
   from (
     select o.* from unnest($7::smallint[], $8::text[]) as leg(type, order_status)
     cross join lateral (
       select ${columns} from orders o
       where o.program_id = $1 and -o.merchant_id = -$2::bigint and o.type = leg.type and o.order_status = leg.order_status
         and o.created_at >= $3 and o.created_at <= $4
         and (o.program_id, -o.merchant_id, o.type, o.order_status, o.created_at, ${id})
           < ($1, -$2::bigint, leg.type, leg.order_status, $4, $5::text)
       order by o.program_id desc, -o.merchant_id desc, o.type desc, o.order_status desc, o.created_at desc, ${id} desc
       limit $6
     ) o ${newest_first}
   ) o ${withCustomer} ${newest_first}`,
)

/** A type and a state that orders have, one stretch of `orders_list_idx`. */
export interface Leg {
  readonly type: 1 | 2
  readonly order_status: OrderState
}

/** A page of a merchant's orders in some states: each state is read on its own, and no more than shown. */
export function findMerchantPage(
  { program_id, merchant_id }: MerchantKey,
  legs: readonly Leg[],
  { from, before, limit }: Stretch,
): Statement<DashboardOrder> {
  return findPageText(
    ...[program_id, merchant_id, from, before.created_at, before.order_uuid, limit],
    legs.map(({ type }) => type),
    legs.map(({ order_status }) => order_status),
  )
}

const findAmongText = prepared<DashboardOrder>(
  'orders.among',
  `select o.*, c.name as customer_name, c.phone
   from (
     select o.* from ${rowsOfLists('$7::uuid[]', 'k(order_uuid)')}
     cross join lateral (
       select o.merchant_id, ${columns} from orders o
       where o.program_id = $1 and o.order_uuid = k.order_uuid and (o.program_id, o.order_uuid) >= ($1, k.order_uuid)
       limit 1
     ) o
     where o.merchant_id = $2 and o.created_at >= $3 and (o.created_at, ${id}) < ($4, $5::text)
       and ($8::smallint is null or o.type = $8) and ($9::text is null or o.order_status = $9)
     ${newest_first}
   ) o ${withCustomer} ${newest_first}`,
)

/** What a list shows of orders. Undefined fields do not filter. */
export interface Kind {
  readonly type?: 1 | 2 | undefined
  readonly status?: OrderState | undefined
}

/** A page of those of these orders that are the merchant's and match. */
export function findAmong(
  { program_id, merchant_id }: MerchantKey,
  order_uuids: readonly Uuid[],
  { type, status }: Kind,
  { from, before, limit }: Stretch,
): Statement<DashboardOrder> {
  const stretch = [from, before.created_at, before.order_uuid, limit]
  return findAmongText(program_id, merchant_id, ...stretch, order_uuids, type ?? null, status ?? null)
}

interface Found {
  readonly order_uuid: Uuid
}

/** The order of a reference number. */
export const findReference = prepared<Found>(
  'orders.of_reference',
  `select o.order_uuid from orders o where o.program_id = $1 and o.reference_number = $2
     and (o.program_id, o.reference_number) >= ($1, $2) limit 1`,
)

/** The most orders that a number or a phone finds. */
const most_of_number = 500
export const most_of_phone = 2_000

const findNumberText = prepared<Found>(
  'orders.of_number',
  `select n.order_uuid
   from ${rowsOfLists('$3::text[], $4::text[]', 'k(source, order_number)')}
   cross join lateral (
     select n.order_uuid from orders n
     where n.program_id = $1 and n.merchant_id = $2 and n.type = 1 and n.source = k.source
       and n.order_number = k.order_number
       and (n.program_id, n.merchant_id, n.source, n.order_number) >= ($1, $2, k.source, k.order_number)
     limit 1
   ) n
   union all
   select n.order_uuid
   from ${rowsOfLists('$5::text[]', 'k(order_number)')}
   cross join lateral (
     select n.order_uuid from orders n
     where n.program_id = $1 and n.merchant_id = $2 and n.type = 2 and n.order_number <> ''
       and n.order_number collate "C" = k.order_number
       and (n.program_id, n.merchant_id, n.order_number collate "C") <= ($1, $2, k.order_number)
     order by n.program_id desc, n.merchant_id desc, n.order_number collate "C" desc, n.created_at desc limit ${most_of_number}
   ) n`,
)

/** The merchant's orders with one of these numbers. */
export function findNumbers({ program_id, merchant_id }: MerchantKey, numbers: readonly string[]): Statement<Found> {
  const pairs = earningSources.flatMap((source) => numbers.map((number) => ({ source, number })))
  return findNumberText(
    ...[program_id, merchant_id],
    pairs.map(({ source }) => source),
    pairs.map(({ number }) => number),
    numbers,
  )
}

// Read backwards, and bounded from above for it: bounded from below, PostgreSQL 15 reads on past the first entry.
const findOfPhoneText = prepared<Found>(
  'orders.of_phone',
  `select n.order_uuid
   from (
     select c.customer_id from customer c
     where c.program_id = $1 and c.phone = $2 and (c.program_id, c.phone) >= ($1, $2) limit 1
   ) c
   cross join lateral (
     select n.order_uuid from orders n
     where n.program_id = $1 and n.customer_id = c.customer_id and n.customer_id is not null
       and (n.program_id, n.customer_id) <= ($1, c.customer_id)
     order by n.program_id desc, n.customer_id desc, (n.order_uuid::text) collate "C" desc limit ${most_of_phone}
   ) n`,
)

/** The newest orders of a phone at all merchants of the program, the newest first. */
export function findOfPhone(program_id: number, phone: Phone): Statement<Found> {
  return findOfPhoneText(program_id, phone)
}
