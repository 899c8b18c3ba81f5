import { type CompiledQuery, sql } from 'kysely'
import { builder } from '../../db/builder.ts'
import { preparedAs, type Statement } from '../../db/statement.ts'
import type { Collector } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'

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
  /** Roughly what the checkout occupies in the database. */
  readonly stored_bytes: number
}

/** Inserts the session of an order. */
export function insertSession(session: NewSession, now: Date): CompiledQuery<unknown> {
  return builder
    .insertInto('checkout_session')
    .values({ ...session, created_at: now, updated_at: now })
    .compile()
}

/** Ends the open session of an order, if it has one, and its expiry with it (docs/spec/checkout.md#ended-by-api). */
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
 * Exempts the checkout of a locked order from deletion after its expiry, because its merchant has changed the order, or a
 * code was proven for it (docs/spec/checkout.md#abandoned).
 */
export function markSessionKept(program_id: number, order_uuid: Uuid, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('checkout_session')
    .set({ kept_at: now })
    .where('program_id', '=', program_id)
    .where('order_uuid', '=', order_uuid)
    .where('kept_at', 'is', null)
    .compile()
}

/** A session as it is stored. It changes only under its order's lock. */
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
  /** The hash of the browser in which `proven_phone` was proven. */
  readonly browser_hash: Buffer | null
  readonly proven_phone: Phone | null
  /** The remembered browser that stood for the code; null for a code. */
  readonly remembered_uuid: Uuid | null
  readonly confirmed_at: Date | null
  /** When the customer went on without points, or null. */
  readonly continued_at: Date | null
  /** What a new customer entered before paying: a name, and the terms agreed to, in a language. */
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
      's.remembered_uuid',
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

/** The session of an order. Every replacing order has one. */
export function findSessionOf(program_id: number, order_uuid: Uuid): CompiledQuery<SessionRow> {
  return selectSession()
    .where('s.program_id', '=', program_id)
    .where('s.order_uuid', '=', order_uuid)
    .$castTo<SessionRow>()
    .compile()
}

/** The columns that a customer's steps through the checkout change. */
export interface SessionChanges {
  readonly browser_hash?: Buffer
  readonly proven_phone?: Phone
  readonly proven_at?: Date
  readonly remembered_uuid?: Uuid | null
  readonly confirmed_at?: Date | null
  readonly continued_at?: Date | null
  readonly joined_name?: string | null
  readonly joined_terms?: string | null
  readonly joined_locale?: Locale | null
  readonly release_at?: Date | null
  readonly collector?: Collector | null
}

/** Changes a session. The caller has locked its order. */
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

/** Exempts checkouts from deletion for good. */
export function markCheckoutsKept(program_id: number, orders: readonly Uuid[], now: Date): Statement<never> {
  return {
    text: `update checkout_session set kept_at = $3
      where program_id = $1 and order_uuid = any($2::uuid[]) and kept_at is null`,
    values: [program_id, orders, now],
  }
}

/** Deletes the checkout sessions of locked orders. */
export function deleteSessions(program_id: number, orders: readonly Uuid[]): Statement<unknown> {
  return {
    text: `delete from checkout_session where program_id = $1 and order_uuid = any($2::uuid[]) returning 1`,
    values: [program_id, orders],
  }
}

const erased = `phone = null, name = null, callback_url = null, browser_hash = null, proven_phone = null, proven_at = null,
  remembered_uuid = null, joined_name = null, joined_terms = null, joined_locale = null,
  continued_at = coalesce(continued_at, confirmed_at),
  kept_at = coalesce(kept_at, case when remembered_uuid is null then proven_at end)`

/**
 * Removes a person from the checkouts of orders: from all, or from those in which no phone is proven. A checkout that was
 * confirmed with a code then counts as continued without one: the proof belonged to the phone. It is still kept.
 * docs/spec/customers.md#erasure
 */
export function eraseSessions(
  program_id: number,
  orders: readonly Uuid[],
  which: 'unproven' | 'all',
): Statement<never> {
  const unproven = which === 'all' ? '' : 'and proven_phone is null'
  return {
    text: `update checkout_session set ${erased} where program_id = $1 and order_uuid = any($2::uuid[]) ${unproven}`,
    values: [program_id, orders],
  }
}

/** Which checkouts of a program a statement about a phone looks at: those from an id on, and some before it; none from `until` on. */
export interface Among {
  readonly from: Uuid
  readonly before: readonly Uuid[]
  readonly until: Uuid
}

/** The condition on `session_uuid`. Without its values a statement reads every checkout: no index leads from a phone. */
export const isAmong = (from: string, before: string, until: string): string =>
  `(session_uuid >= ${from} or session_uuid = any(${before}::uuid[])) and session_uuid < ${until}`

/** The checkouts that name a phone. */
export function findSessionsNaming(program_id: number, phone: Phone): Statement<{ readonly session_uuid: Uuid }> {
  return {
    text: 'select session_uuid from checkout_session where program_id = $1 and (phone = $2 or proven_phone = $2)',
    values: [program_id, phone],
  }
}

/** The same for the checkouts in which a phone was proven. */
export function eraseProvenSessions(
  program_id: number,
  phone: Phone,
  { from, before, until }: Among,
): Statement<never> {
  return {
    text: `update checkout_session set ${erased} where program_id = $1 and proven_phone = $2 and ${isAmong('$3', '$4', '$5')}`,
    values: [program_id, phone, from, before, until],
  }
}

/** Takes the phone and the name that a store sent out of the checkouts of others. */
export function purgeSentPhone(program_id: number, phone: Phone, { from, before, until }: Among): Statement<never> {
  return {
    text: `update checkout_session set phone = null, name = null
      where program_id = $1 and phone = $2 and ${isAmong('$3', '$4', '$5')}`,
    values: [program_id, phone, from, before, until],
  }
}
