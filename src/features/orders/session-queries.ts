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
