import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { preparedAs, type Statement } from '../../db/statement.ts'
import type { Collector } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Wallet } from '../../domain/ledger.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'
import type { Order } from '../orders/order.ts'

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
  readonly expires_at: Date
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

/** A session as it is stored. It changes under its order's lock alone. */
export interface SessionRow {
  readonly program_id: number
  readonly session_uuid: Uuid
  readonly merchant_id: number
  readonly order_uuid: Uuid
  readonly phone: Phone | null
  readonly name: string | null
  readonly callback_url: string | null
  readonly session_state: 'open' | 'ended'
  readonly expires_at: Date
  /** Of the browser in which `proven_phone` was proven. */
  readonly browser_hash: Buffer | null
  readonly proven_phone: Phone | null
  readonly confirmed_at: Date | null
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
      's.state as session_state',
      's.expires_at',
      's.browser_hash',
      's.proven_phone',
      's.confirmed_at',
      's.release_at',
      's.collector',
    ])
}

/** The session of a token. */
export function findSession(program_id: number, token_hash: Buffer): Statement<SessionRow> {
  const query = selectSession().where('s.program_id', '=', program_id).where('s.token_hash', '=', token_hash)
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

/** What a page shows of an order, and of how its merchant sells and looks. */
export interface ShownRow
  extends Pick<
    Order,
    'order_status' | 'order_number' | 'reference_number' | 'total_halalas' | 'total_points' | 'items'
  > {
  readonly redeemed_halalas: Halalas
  readonly earned_points: Points
  readonly payment_provider: PaymentProviderName
  readonly payment_flow: 'sale' | 'two_step'
  readonly colour: string | null
  readonly logo_digest: string | null
}

/** An order with the look of its merchant. */
export function findShown(program_id: number, order_uuid: Uuid): Statement<ShownRow> {
  const query = builder
    .selectFrom('orders as o')
    .innerJoin('merchant as m', (join) =>
      join.onRef('m.program_id', '=', 'o.program_id').onRef('m.merchant_id', '=', 'o.merchant_id'),
    )
    .leftJoin('merchant_logo as l', (join) =>
      join.onRef('l.program_id', '=', 'o.program_id').onRef('l.merchant_id', '=', 'o.merchant_id'),
    )
    .select([
      'o.order_status',
      'o.order_number',
      'o.reference_number',
      'o.total_halalas',
      'o.total_points',
      'o.items',
      'o.redeemed_halalas',
      'o.earned_points',
      'm.payment_provider',
      'm.payment_flow',
      'm.colour',
      'l.digest as logo_digest',
    ])
    .where('o.program_id', '=', program_id)
    .where('o.order_uuid', '=', order_uuid)
  return preparedAs('checkout.shown', query.$castTo<ShownRow>().compile())
}

/** How a merchant has the remainder collected, as it is set at this moment. */
export function findSelling(
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

function selectCustomer(program_id: number, phone: Phone) {
  return builder
    .selectFrom('customer as c')
    .innerJoin('account as a', (join) =>
      join.onRef('a.program_id', '=', 'c.program_id').onRef('a.account_id', '=', 'c.customer_id'),
    )
    .select(['c.customer_id', 'c.name', 'a.posted', 'a.held', 'a.version'])
    .where('c.program_id', '=', program_id)
    .where('c.phone', '=', phone)
    .where('c.status', '=', 'active')
    .$castTo<CustomerRow>()
}

/** The active customer of a phone, with the balance of this moment. */
export function findCustomer(program_id: number, phone: Phone): Statement<CustomerRow> {
  return preparedAs('checkout.customer', selectCustomer(program_id, phone).compile())
}

/** The same with the wallet locked, after the order. */
export function lockCustomer(program_id: number, phone: Phone): CompiledQuery<CustomerRow> {
  return selectCustomer(program_id, phone).forNoKeyUpdate('a').compile()
}
