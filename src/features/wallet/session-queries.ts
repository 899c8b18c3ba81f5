import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'

/** The key of a session: the hash of its token. */
export interface TokenKey {
  readonly program_id: number
  readonly token_hash: Buffer
}

export interface NewSession extends TokenKey {
  readonly session_uuid: Uuid
  readonly phone: Phone
  readonly expires_at: Date
  readonly created_at: Date
}

export interface SessionRow {
  readonly program_id: number
  readonly session_uuid: Uuid
  readonly phone: Phone
  readonly proven_at: Date | null
  readonly seen_at: Date
  readonly expires_at: Date
  /** The active customer of the phone; null while the phone is not proven, and while the wallet is blocked. */
  readonly customer_id: Uuid | null
  /** The phone is proven, and an operator has blocked its wallet. */
  readonly blocked: boolean
}

/** Creates a session whose phone is not proven. */
export function insertSession(session: NewSession): Statement<never> {
  const { program_id, session_uuid, token_hash, phone, expires_at, created_at } = session
  return {
    text: `insert into wallet_session
        (program_id, session_uuid, token_hash, phone, seen_at, expires_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $5)`,
    values: [program_id, session_uuid, token_hash, phone, created_at, expires_at],
  }
}

const sessionText = prepared<SessionRow>(
  'wallet.session',
  `select s.program_id, s.session_uuid, s.phone, s.proven_at, s.seen_at, s.expires_at,
    case when a.blocked_at is null and c.status = 'active' then c.customer_id end as customer_id, a.blocked_at is not null as blocked
  from wallet_session s
  left join lateral (
    select c.customer_id, c.status from customer c
    where c.program_id = $1 and c.phone = s.phone and s.proven_at is not null
      and (c.program_id, c.phone) >= ($1, s.phone) limit 1
  ) c on true
  left join lateral (
    select a.blocked_at from account a
    where a.program_id = $1 and a.account_id = c.customer_id and (a.program_id, a.account_id) >= ($1, c.customer_id)
    limit 1
  ) a on true
  where s.program_id = $1 and s.token_hash = $2 and (s.program_id, s.token_hash) >= ($1, $2)`,
)

/** The session of a token, expired or not. */
export function findSession({ program_id, token_hash }: TokenKey): Statement<SessionRow> {
  return sessionText(program_id, token_hash)
}

/** Marks the phone of a session as proven, once, and changes its token. */
export function proveSession(
  { program_id, token_hash }: TokenKey,
  { next_hash, now, expires_at }: { readonly next_hash: Buffer; readonly now: Date; readonly expires_at: Date },
): Statement<{ session_uuid: Uuid }> {
  return {
    text: `update wallet_session set token_hash = $3, proven_at = $4, seen_at = $4, expires_at = $5
      where program_id = $1 and token_hash = $2 and proven_at is null and expires_at > $4 returning session_uuid`,
    values: [program_id, token_hash, next_hash, now, expires_at],
  }
}

/** Records that a session was used. */
export function touchSession({ program_id, token_hash }: TokenKey, now: Date): Statement<never> {
  return {
    text: 'update wallet_session set seen_at = $3 where program_id = $1 and token_hash = $2',
    values: [program_id, token_hash, now],
  }
}

/** Ends the session of a token. */
export function deleteSession({ program_id, token_hash }: TokenKey): Statement<never> {
  return {
    text: 'delete from wallet_session where program_id = $1 and token_hash = $2',
    values: [program_id, token_hash],
  }
}

/** Ends every session of a phone. */
export function deleteSessionsOf(program_id: number, phone: Phone): Statement<{ session_uuid: Uuid }> {
  return {
    text: 'delete from wallet_session where program_id = $1 and phone = $2 returning session_uuid',
    values: [program_id, phone],
  }
}

/** Deletes up to `count` sessions of a program that expired before `before`. */
export function deleteEndedSessions(
  program_id: number,
  before: Date,
  count: number,
): Statement<{ session_uuid: Uuid }> {
  return {
    text: `delete from wallet_session where program_id = $1 and session_uuid in (
        select session_uuid from wallet_session where program_id = $1 and expires_at < $2 order by expires_at limit $3
      ) and expires_at < $2 returning session_uuid`,
    values: [program_id, before, count],
  }
}
