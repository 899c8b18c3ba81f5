import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Locale } from '../../domain/shipping.ts'

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

/** Ends the live session of an order, if it has one: `authorize`, `complete` and `cancel` by the API do (decisions §6). */
export function endSession(program_id: number, order_uuid: Uuid, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('checkout_session')
    .set({ state: 'ended', updated_at: now })
    .where('program_id', '=', program_id)
    .where('order_uuid', '=', order_uuid)
    .where('state', '=', 'open')
    .compile()
}

/** What the page behind a link shows. */
export interface SessionRow {
  readonly session_state: 'open' | 'ended'
  readonly expires_at: Date
  readonly order_status: OrderState
  readonly order_number: string
  readonly reference_number: string
  readonly total_halalas: Halalas
  readonly merchant_name: string
  readonly locale: Locale
}

/** The session of a token, with its order, merchant and program. */
export function findSession(program_id: number, token_hash: Buffer): CompiledQuery<SessionRow> {
  return builder
    .selectFrom('checkout_session as s')
    .innerJoin('orders as o', (join) =>
      join.onRef('o.program_id', '=', 's.program_id').onRef('o.order_uuid', '=', 's.order_uuid'),
    )
    .innerJoin('merchant as m', (join) =>
      join.onRef('m.program_id', '=', 's.program_id').onRef('m.merchant_id', '=', 's.merchant_id'),
    )
    .innerJoin('program as p', 'p.program_id', 's.program_id')
    .select([
      's.state as session_state',
      's.expires_at',
      'o.order_status',
      'o.order_number',
      'o.reference_number',
      'o.total_halalas',
      'm.name as merchant_name',
      'p.locale',
    ])
    .where('s.program_id', '=', program_id)
    .where('s.token_hash', '=', token_hash)
    .$castTo<SessionRow>()
    .compile()
}
