import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Wallet } from '../../domain/ledger.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { Order, ProductLine } from '../orders/order.ts'

/** The active customer of a phone. An invited customer does not count. */
export function findActiveCustomer(program_id: number, phone: Phone): CompiledQuery<{ customer_id: Uuid }> {
  return builder
    .selectFrom('customer')
    .select('customer_id')
    .where('program_id', '=', program_id)
    .where('phone', '=', phone)
    .where('status', '=', 'active')
    .compile()
}

/** The bounds of what a page lists of an order: its lines, and the characters of each name. */
const shown_lines = 50
const shown_name_chars = 500

/** A product as a page lists it. */
export type ShownLine = Pick<ProductLine, 'product_name' | 'product_price' | 'quantity'>

/** Cut in the database, so that what the page does not list is not read. */
const firstLines = `(
  select json_agg(json_build_object('product_name', left(line ->> 'product_name', ${shown_name_chars}),
    'product_price', line -> 'product_price', 'quantity', line -> 'quantity') order by place)
  from (select line, place from json_array_elements(o.items) with ordinality as each(line, place) order by place limit ${shown_lines}) as first
)`

/** An order for its page. */
export interface ShownRow
  extends Pick<Order, 'order_status' | 'order_number' | 'reference_number' | 'total_halalas' | 'total_points'> {
  /** The first lines of the order, at most `shown_lines`. Null when the store sent none. */
  readonly items: readonly ShownLine[] | null
  /** Counts all its lines. */
  readonly item_count: number
  /** Whose points it takes or earns; null while that is not known. */
  readonly customer_id: Uuid | null
  readonly redeemed_halalas: Halalas
  readonly earned_points: Points
  /** Null where the store sent none. */
  readonly shipping_halalas: Halalas | null
  readonly tax_halalas: Halalas | null
  readonly discount_halalas: Halalas | null
  readonly authorized_at: Date | null
  readonly paid_at: Date | null
}

const shownText = prepared<ShownRow>(
  'checkout.shown',
  `select o.order_status, o.order_number, o.reference_number, o.total_halalas, o.total_points, ${firstLines} as items,
     coalesce(json_array_length(o.items), 0) as item_count, o.customer_id, o.redeemed_halalas, o.earned_points,
     o.shipping_halalas, o.tax_halalas, o.discount_halalas, o.authorized_at, o.paid_at
   from orders o
   where o.program_id = $1 and o.order_uuid = $2 and (o.program_id, o.order_uuid) >= ($1, $2)`,
)

/** An order as its page shows it. */
export function findShown(program_id: number, order_uuid: Uuid): Statement<ShownRow> {
  return shownText(program_id, order_uuid)
}

/** An active customer with the balances of the wallet. */
export interface CustomerRow extends ShownWallet {
  readonly customer_id: Uuid
  readonly name: string | null
  /** Has agreed to a version of the terms. An earning makes customers active without asking them. */
  readonly consented: boolean
}

/** A wallet with whether an operator has blocked it. */
export interface ShownWallet extends Wallet {
  readonly blocked: boolean
}

const customerText = prepared<CustomerRow>(
  'checkout.customer',
  `select c.customer_id, c.name, a.posted, a.held, a.version, a.blocked, exists (
     select from consent k where k.program_id = $1 and k.customer_id = c.customer_id
       and (k.program_id, k.customer_id) >= ($1, c.customer_id)
   ) as consented
   from (
     select c.customer_id, c.name from customer c
     where c.program_id = $1 and c.phone = $2 and c.status = 'active' and (c.program_id, c.phone) >= ($1, $2) limit 1
   ) c
   cross join lateral (
     select a.posted, a.held, a.version, a.blocked_at is not null as blocked from account a
     where a.program_id = $1 and a.account_id = c.customer_id and (a.program_id, a.account_id) >= ($1, c.customer_id)
     limit 1
   ) a`,
)

/** The active customer of a phone. Locks nothing. */
export function findCustomer(program_id: number, phone: Phone): Statement<CustomerRow> {
  return customerText(program_id, phone)
}

const lockWalletText = prepared<ShownWallet>(
  'checkout.lock_wallet',
  `select a.posted, a.held, a.version, a.blocked_at is not null as blocked from account a
   where a.program_id = $1 and a.account_id = $2 and a.merged_into is null and a.erased_at is null and (a.program_id, a.account_id) >= ($1, $2) for no key update`,
)

/** Locks the wallet of a customer, unless it was merged or erased meanwhile. Lock the order first. */
export function lockWallet(program_id: number, customer_id: Uuid): Statement<ShownWallet> {
  return lockWalletText(program_id, customer_id)
}
