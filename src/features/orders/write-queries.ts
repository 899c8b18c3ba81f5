import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { preparedRows, type Statement } from '../../db/statement.ts'
import type { Earning } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Points } from '../../domain/points.ts'
import type { Order, ProductLine } from './order.ts'

/** The values of the columns that `orders` and `pending_earning` share. */
export function commonColumns(
  earnings: readonly { readonly earning: Earning; readonly customer_id: Uuid }[],
): unknown[] {
  return [
    earnings.map(({ earning }) => earning.order_uuid),
    earnings.map(({ earning }) => earning.merchant.merchant_id),
    earnings.map(({ customer_id }) => customer_id),
    earnings.map(({ earning }) => earning.source),
    earnings.map(({ earning }) => earning.order_number),
    earnings.map(({ earning }) => earning.total_halalas),
    earnings.map(({ earning }) => earning.points),
    earnings.map(({ earning }) => earning.shipping_halalas),
    earnings.map(({ earning }) => earning.tax_halalas),
    earnings.map(({ earning }) => earning.discount_halalas),
    earnings.map(({ earning }) => earning.shipping_address),
    earnings.map(({ earning }) => earning.items),
    earnings.map(({ earning }) => earning.metadata),
  ]
}

export const commonParameters = `$3::uuid[], $4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
     $10::bigint[], $11::bigint[], $12::bigint[], $13::json[], $14::json[], $15::json[]`
export const commonNames = `merchant_id, customer_id, source, order_number, total_halalas, total_points,
     shipping_halalas, tax_halalas, discount_halalas, shipping_address, items, metadata`

/** The row of an accepted earning. A pending one has no reference number yet. */
export interface StoredRow {
  readonly request_uuid: Uuid
  readonly id: number
  readonly reference_number?: string | null
  readonly created_at: Date
  /** Only where an earlier attempt has written the row. */
  readonly total_points?: Points
}

const insertOrdersText = preparedRows<StoredRow>(
  'earning.orders',
  (rows) => `insert into orders
     (program_id, type, order_status, created_at, updated_at, paid_at, order_uuid, ${commonNames}, reference_number,
      booked_at, earned_points)
   select $1::bigint, 1, 'approved', $2, $2, $2, o.*, o.total_points
   from ${rows(
     `${commonParameters}, $16::text[], $17::timestamptz[]`,
     `o(order_uuid, ${commonNames}, reference_number, booked_at)`,
   )}
   returning order_uuid as request_uuid, id, reference_number, created_at`,
)

export interface AwardedRow {
  readonly earning: Earning
  readonly customer_id: Uuid
  readonly reference_number: string
  /** When it counts in its merchant's account, if later than now. */
  readonly booked_at: Date | null
}

/** Writes the orders of awarded earnings, `approved` from the start. Gives their rows. */
export function insertOrders(program_id: number, now: Date, awards: readonly AwardedRow[]): Statement<StoredRow> {
  const numbers = awards.map(({ reference_number }) => reference_number)
  const booked = awards.map(({ booked_at }) => booked_at)
  return insertOrdersText(program_id, now, ...commonColumns(awards), numbers, booked)
}

/** The order of an awarded earning, as `insertOrders` writes it. */
export function awardedOrder(
  earning: Earning,
  stored: { readonly id: number; readonly reference_number: string; readonly created_at: Date },
): Order {
  return {
    id: stored.id,
    order_uuid: earning.order_uuid,
    merchant_id: earning.merchant.merchant_id,
    type: 1,
    source: earning.source,
    reference_number: stored.reference_number,
    order_number: earning.order_number,
    order_status: 'approved',
    total_halalas: earning.total_halalas,
    total_points: earning.points,
    metadata: parseJson<object>(earning.metadata),
    items: parseJson<ProductLine[]>(earning.items),
    shipping_status: 'new',
    label_ar: null,
    label_en: null,
    settled: false,
    created_at: stored.created_at,
    updated_at: stored.created_at,
  }
}

function parseJson<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}

export interface NewReplacingOrder {
  readonly program_id: number
  readonly order_uuid: Uuid
  readonly merchant_id: number
  readonly customer_id: Uuid | null
  readonly reference_number: string
  readonly order_number: string
  readonly total_halalas: Halalas
  readonly shipping_halalas: Halalas | null
  readonly tax_halalas: Halalas | null
  readonly discount_halalas: Halalas | null
  /** JSON texts, stored as they are. */
  readonly shipping_address: string | null
  readonly items: string | null
  readonly metadata: string | null
}

/** Writes a `new` replacing order, with no points redeemed yet. */
export function insertReplacingOrder(order: NewReplacingOrder, now: Date): CompiledQuery<unknown> {
  const beginning = { type: 2, source: 'checkout', order_status: 'new', total_points: 0 }
  return builder
    .insertInto('orders')
    .values({ ...order, ...beginning, created_at: now, updated_at: now })
    .compile()
}

/** Turns pending earnings into `approved` orders with the same uuids, at the points recorded. */
export function insertOrdersOfPending(
  program_id: number,
  now: Date,
  orders: readonly (Pick<AwardedRow, 'reference_number' | 'booked_at'> & { readonly order_uuid: Uuid })[],
): Statement<never> {
  return {
    text: `insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number,
        order_number, order_status, total_halalas, total_points, earned_points, shipping_halalas, tax_halalas,
        discount_halalas, shipping_address, items, metadata, paid_at, created_at, updated_at, booked_at)
      select p.program_id, p.pending_uuid, p.merchant_id, p.customer_id, 1, p.source, n.reference_number,
        p.order_number, 'approved', p.total_halalas, p.total_points, p.total_points, p.shipping_halalas, p.tax_halalas,
        p.discount_halalas, p.shipping_address, p.items, p.metadata, $2::timestamptz, $2::timestamptz, $2::timestamptz,
        n.booked_at
      from unnest($3::uuid[], $4::text[], $5::timestamptz[]) as n(pending_uuid, reference_number, booked_at)
      join pending_earning p on p.program_id = $1 and p.pending_uuid = n.pending_uuid and p.order_uuid is null`,
    values: [
      program_id,
      now,
      orders.map(({ order_uuid }) => order_uuid),
      orders.map(({ reference_number }) => reference_number),
      orders.map(({ booked_at }) => booked_at),
    ],
  }
}

/** Deletes locked replacing orders that are still `new`, last of all their rows; gives a row for each. */
export function deleteNewOrders(program_id: number, orders: readonly Uuid[]): Statement<unknown> {
  return {
    text: `delete from orders where program_id = $1 and order_uuid = any($2::uuid[])
        and type = 2 and order_status = 'new' returning 1`,
    values: [program_id, orders],
  }
}
