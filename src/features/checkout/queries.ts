import { type CompiledQuery, sql } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, preparedAs, type Statement } from '../../db/statement.ts'
import type { Collector } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Wallet } from '../../domain/ledger.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { Locale } from '../../domain/text.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'
import type { Order, ProductLine } from '../orders/order.ts'

/** The active customer of a phone; one that is only invited has to be met first. */
export function findActiveCustomer(program_id: number, phone: Phone): CompiledQuery<{ customer_id: Uuid }> {
  return builder
    .selectFrom('customer')
    .select('customer_id')
    .where('program_id', '=', program_id)
    .where('phone', '=', phone)
    .where('status', '=', 'active')
    .compile()
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

/** Writes a replacing order as it begins: `new`, nothing redeemed yet. */
export function insertReplacingOrder(order: NewReplacingOrder, now: Date): CompiledQuery<unknown> {
  const beginning = { type: 2, source: 'checkout', order_status: 'new', total_points: 0 }
  return builder
    .insertInto('orders')
    .values({ ...order, ...beginning, created_at: now, updated_at: now })
    .compile()
}

export interface NewSession {
  readonly program_id: number
  readonly session_uuid: Uuid
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly token_hash: Buffer
  readonly phone: Phone | null
  readonly name: string | null
  readonly callback_url: string | null
  readonly locale: Locale | null
  readonly expires_at: Date
  /** What the checkout takes in the database, about. */
  readonly stored_bytes: number
}

/** Opens the session of an order. */
export function insertSession(session: NewSession, now: Date): CompiledQuery<unknown> {
  return builder
    .insertInto('checkout_session')
    .values({ ...session, created_at: now, updated_at: now })
    .compile()
}

/**
 * Ends the live session of an order, if it has one, and with it what was to be let go later: `authorize`, `complete` and
 * `cancel` by the API do, and so does a checkout that is done (decisions §6).
 */
export function endSession(program_id: number, order_uuid: Uuid, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('checkout_session')
    .set({ state: 'ended', release_at: null, updated_at: now })
    .where('program_id', '=', program_id)
    .where('order_uuid', '=', order_uuid)
    .where('state', '=', 'open')
    .compile()
}

/**
 * Keeps a checkout whose merchant has changed the order, though no customer may ever come: it is not deleted after its
 * expiry. Under the order's lock.
 */
export function keepSession(program_id: number, order_uuid: Uuid, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('checkout_session')
    .set({ kept_at: now })
    .where('program_id', '=', program_id)
    .where('order_uuid', '=', order_uuid)
    .where('kept_at', 'is', null)
    .compile()
}

/** A session as it is stored. It changes under its order's lock alone. */
export interface SessionRow {
  readonly program_id: number
  readonly session_uuid: Uuid
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly phone: Phone | null
  readonly name: string | null
  readonly callback_url: string | null
  readonly locale: Locale | null
  readonly session_state: 'open' | 'ended'
  readonly expires_at: Date
  /** Of the browser in which `proven_phone` was proven. */
  readonly browser_hash: Buffer | null
  readonly proven_phone: Phone | null
  readonly confirmed_at: Date | null
  /** Since when it goes on without points; null where it does not. */
  readonly continued_at: Date | null
  /** What somebody new said on the way: a name, and the terms agreed to, in a language. */
  readonly joined_name: string | null
  readonly joined_terms: string | null
  readonly joined_locale: Locale | null
  readonly release_at: Date | null
  readonly collector: Collector | null
}

function selectSession() {
  return builder
    .selectFrom('checkout_session as s')
    .select([
      's.program_id',
      's.session_uuid',
      's.merchant_id',
      's.order_uuid',
      's.phone',
      's.name',
      's.callback_url',
      's.locale',
      's.state as session_state',
      's.expires_at',
      's.browser_hash',
      's.proven_phone',
      's.confirmed_at',
      's.continued_at',
      's.joined_name',
      's.joined_terms',
      's.joined_locale',
      's.release_at',
      's.collector',
    ])
}

/** The session of a token. */
export function findSession(program_id: number, token_hash: Buffer): Statement<SessionRow> {
  const query = selectSession()
    .where('s.program_id', '=', program_id)
    .where('s.token_hash', '=', token_hash)
    .where(sql<boolean>`(s.program_id, s.token_hash) >= (${program_id}, ${token_hash})`)
  return preparedAs('checkout.session', query.$castTo<SessionRow>().compile())
}

/** The session of an order; every replacing order has one. */
export function findSessionOf(program_id: number, order_uuid: Uuid): CompiledQuery<SessionRow> {
  return selectSession()
    .where('s.program_id', '=', program_id)
    .where('s.order_uuid', '=', order_uuid)
    .$castTo<SessionRow>()
    .compile()
}

/** What a customer's way through the checkout changes of its session. */
export interface SessionChanges {
  readonly browser_hash?: Buffer
  readonly proven_phone?: Phone
  readonly proven_at?: Date
  readonly confirmed_at?: Date | null
  readonly continued_at?: Date | null
  readonly joined_name?: string | null
  readonly joined_terms?: string | null
  readonly joined_locale?: Locale | null
  readonly release_at?: Date | null
  readonly collector?: Collector | null
}

/** Changes a session, under its order's lock. */
export function updateSession(
  { program_id, session_uuid }: Pick<SessionRow, 'program_id' | 'session_uuid'>,
  changes: SessionChanges,
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .updateTable('checkout_session')
    .set({ ...changes, updated_at: now })
    .where('program_id', '=', program_id)
    .where('session_uuid', '=', session_uuid)
    .compile()
}

/** How many lines of an order a page lists, and how much of the name of each. */
const shown_lines = 50
const shown_name_chars = 500

/** A product as a page lists it. */
export type ShownLine = Pick<ProductLine, 'product_name' | 'quantity'>

/** Cut in the database: what a page does not list is not read. */
const firstLines = `(
  select json_agg(json_build_object('product_name', left(line ->> 'product_name', ${shown_name_chars}), 'quantity', line -> 'quantity') order by place)
  from (select line, place from json_array_elements(o.items) with ordinality as each(line, place) order by place limit ${shown_lines}) as first
)`

/** What a page shows of an order, and of how its merchant sells and looks. */
export interface ShownRow
  extends Pick<Order, 'order_status' | 'order_number' | 'reference_number' | 'total_halalas' | 'total_points'> {
  /** The first lines of the order, at most `shown_lines`; null when the store sent none. */
  readonly items: readonly ShownLine[] | null
  /** Of all its lines. */
  readonly item_count: number
  readonly redeemed_halalas: Halalas
  readonly earned_points: Points
  readonly payment_provider: PaymentProviderName
  readonly payment_flow: 'sale' | 'two_step'
  readonly colour: string | null
  readonly return_hosts: readonly string[]
  readonly logo_digest: string | null
}

const shownText = prepared<ShownRow>(
  'checkout.shown',
  `select o.order_status, o.order_number, o.reference_number, o.total_halalas, o.total_points, ${firstLines} as items,
     coalesce(json_array_length(o.items), 0) as item_count, o.redeemed_halalas, o.earned_points, m.payment_provider,
     m.payment_flow, m.colour, m.return_hosts, l.digest as logo_digest
   from (
     select o.* from orders o
     where o.program_id = $1 and o.order_uuid = $2 and (o.program_id, o.order_uuid) >= ($1, $2) limit 1
   ) o
   cross join lateral (
     select m.* from merchant m
     where m.program_id = $1 and m.merchant_id = o.merchant_id and (m.program_id, m.merchant_id) >= ($1, o.merchant_id)
     limit 1
   ) m
   left join lateral (
     select l.digest from merchant_logo l
     where l.program_id = $1 and l.merchant_id = o.merchant_id and (l.program_id, l.merchant_id) >= ($1, o.merchant_id)
     limit 1
   ) l on true`,
)

/** An order with the look of its merchant. */
export function findShown(program_id: number, order_uuid: Uuid): Statement<ShownRow> {
  return shownText(program_id, order_uuid)
}

/** How a merchant has the remainder collected, as it is set at this moment. */
export function findPaymentTerms(
  program_id: number,
  merchant_id: number,
): CompiledQuery<Pick<ShownRow, 'payment_provider' | 'payment_flow'>> {
  return builder
    .selectFrom('merchant')
    .select(['payment_provider', 'payment_flow'])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .$castTo<Pick<ShownRow, 'payment_provider' | 'payment_flow'>>()
    .compile()
}

/** An active customer and the wallet. */
export interface CustomerRow extends Wallet {
  readonly customer_id: Uuid
  readonly name: string | null
}

const customerOf = (locking: string): string =>
  `select c.customer_id, c.name, a.posted, a.held, a.version
   from (
     select c.customer_id, c.name from customer c
     where c.program_id = $1 and c.phone = $2 and c.status = 'active' and (c.program_id, c.phone) >= ($1, $2) limit 1
   ) c
   cross join lateral (
     select a.posted, a.held, a.version from account a
     where a.program_id = $1 and a.account_id = c.customer_id and (a.program_id, a.account_id) >= ($1, c.customer_id)
     ${locking}
   ) a`

const customerText = prepared<CustomerRow>('checkout.customer', customerOf('limit 1'))
const lockCustomerText = prepared<CustomerRow>('checkout.lock_customer', customerOf('for no key update'))

/** The active customer of a phone, with the balance of this moment. */
export function findCustomer(program_id: number, phone: Phone): Statement<CustomerRow> {
  return customerText(program_id, phone)
}

/** The same with the wallet locked, after the order. */
export function lockCustomer(program_id: number, phone: Phone): Statement<CustomerRow> {
  return lockCustomerText(program_id, phone)
}
