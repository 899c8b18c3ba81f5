import { prepared, type Statement } from '../../db/statement.ts'
import type { Email } from '../../domain/email.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { SignInMethod } from '../../domain/sign-in.ts'
import type { Membership, Role } from '../../domain/staff.ts'

export interface NewSession {
  readonly session_uuid: Uuid
  readonly token_hash: Buffer
  readonly staff_uuid: Uuid
  readonly method: SignInMethod
  readonly address: string
  readonly browser: string | null
  readonly expires_at: Date
  readonly now: Date
}

/** Begins a session. */
export function insertSession(session: NewSession): Statement<never> {
  const { session_uuid, token_hash, staff_uuid, method, address, browser, expires_at, now } = session
  return {
    text: `insert into staff_session (session_uuid, token_hash, staff_uuid, method, address, browser, proven_at, seen_at,
        expires_at, created_at) values ($1, $2, $3, $4, $5, $6, $8, $8, $7, $8)`,
    values: [session_uuid, token_hash, staff_uuid, method, address.slice(0, 45), browser, expires_at, now],
  }
}

/** A session with its person and what they may do. */
export interface SessionRow {
  readonly session_uuid: Uuid
  readonly staff_uuid: Uuid
  readonly email: Email
  readonly name: string
  readonly locale: Locale | null
  readonly is_operator: boolean
  readonly method: SignInMethod
  readonly proven_at: Date
  readonly seen_at: Date
  readonly expires_at: Date
  readonly created_at: Date
  readonly memberships: readonly Membership[]
}

const sessionText = prepared<SessionRow>(
  'staff.session',
  `select s.session_uuid, s.staff_uuid, p.email, p.name, p.locale, p.is_operator, s.method, s.proven_at, s.seen_at,
    s.expires_at, s.created_at, coalesce((
      select json_agg(json_build_object('program_id', m.program_id, 'merchant_id', m.merchant_id,
        'merchant_name', t.name, 'merchant_name_ar', t.name_ar, 'role', m.role) order by t.name, m.merchant_id)
      from staff_membership m
      cross join lateral (
        select t.name, t.name_ar from merchant t
        where t.program_id = m.program_id and t.merchant_id = m.merchant_id
          and (t.program_id, t.merchant_id) >= (m.program_id, m.merchant_id) limit 1
      ) t
      where m.staff_uuid = s.staff_uuid and m.staff_uuid >= s.staff_uuid), '[]'::json) as memberships
  from staff_session s
  cross join lateral (
    select p.email, p.name, p.locale, p.is_operator from staff p
    where p.staff_uuid = s.staff_uuid and p.staff_uuid >= s.staff_uuid and not p.disabled limit 1
  ) p
  where s.token_hash = $1 and s.token_hash >= $1`,
)

/** The session of a token, ended or not; nothing of a disabled person. */
export function findSession(token_hash: Buffer): Statement<SessionRow> {
  return sessionText(token_hash)
}

/** Records that a session was used, unless another process has just done so. */
export function touchSession(session_uuid: Uuid, now: Date, unless_after: Date): Statement<never> {
  return {
    text: 'update staff_session set seen_at = $2 where session_uuid = $1 and seen_at < $3',
    values: [session_uuid, now, unless_after],
  }
}

/** Gives a session another token; `proven`: whether its person has just been proven again. */
export function rotateSession(
  session_uuid: Uuid,
  { token_hash, proven, now }: { readonly token_hash: Buffer; readonly proven: boolean; readonly now: Date },
): Statement<{ session_uuid: Uuid }> {
  return {
    text: `update staff_session set token_hash = $2, proven_at = case when $4 then $3 else proven_at end, seen_at = $3
      where session_uuid = $1 returning session_uuid`,
    values: [session_uuid, token_hash, now, proven],
  }
}

/** What the person of a session can be proven by, and how the session began. */
export function findProofs(session_uuid: Uuid): Statement<{
  readonly method: SignInMethod
  readonly password: boolean
  readonly passkey: boolean
}> {
  return {
    text: `select s.method, p.password_hash is not null as password,
        exists (select from staff_passkey k where k.staff_uuid = s.staff_uuid) as passkey
      from staff_session s join staff p using (staff_uuid) where s.session_uuid = $1`,
    values: [session_uuid],
  }
}

/** What the person of a session may do now, at one merchant or in the deployment; nothing once the session has ended. */
export function findStanding(
  session_uuid: Uuid,
  at: MerchantKey | undefined,
): Statement<{ readonly is_operator: boolean; readonly role: Role | null }> {
  return {
    text: `select p.is_operator, m.role from staff_session s join staff p using (staff_uuid)
      left join staff_membership m on m.staff_uuid = s.staff_uuid and m.program_id = $2 and m.merchant_id = $3
      where s.session_uuid = $1 and not p.disabled`,
    values: [session_uuid, at?.program_id ?? null, at?.merchant_id ?? null],
  }
}

/** A session as its person sees it. */
export interface ListedSession {
  readonly session_uuid: Uuid
  readonly method: SignInMethod
  readonly address: string | null
  readonly browser: string | null
  readonly seen_at: Date
  readonly expires_at: Date
  readonly created_at: Date
}

export function findSessionsOf(staff_uuid: Uuid, limit: number): Statement<ListedSession> {
  return {
    text: `select session_uuid, method, address, browser, seen_at, expires_at, created_at from staff_session
      where staff_uuid = $1 order by created_at desc, session_uuid desc limit $2`,
    values: [staff_uuid, limit],
  }
}

/** Ends one session of a person. */
export function deleteSession(staff_uuid: Uuid, session_uuid: Uuid): Statement<{ session_uuid: Uuid }> {
  return {
    text: 'delete from staff_session where staff_uuid = $1 and session_uuid = $2 returning session_uuid',
    values: [staff_uuid, session_uuid],
  }
}

/** Ends the sessions of a person, except for one. */
export function deleteSessionsOf(staff_uuid: Uuid, except: Uuid | null): Statement<{ session_uuid: Uuid }> {
  return {
    text: `delete from staff_session where staff_uuid = $1 and ($2::uuid is null or session_uuid <> $2)
      returning session_uuid`,
    values: [staff_uuid, except],
  }
}

/** Ends the sessions of a person who is in no team and no operator, except for one. */
export function deleteIdleSessions(staff_uuid: Uuid, except: Uuid): Statement<never> {
  return {
    text: `delete from staff_session where staff_uuid = $1 and session_uuid <> $2
      and not exists (select from staff_membership m where m.staff_uuid = $1)
      and not exists (select from staff p where p.staff_uuid = $1 and p.is_operator)`,
    values: [staff_uuid, except],
  }
}

/** Ends the oldest sessions of a person beyond `keep`. */
export function deleteOldestSessions(staff_uuid: Uuid, keep: number): Statement<never> {
  return {
    text: `delete from staff_session where session_uuid in (
        select session_uuid from staff_session where staff_uuid = $1 order by created_at desc, session_uuid desc offset $2)`,
    values: [staff_uuid, keep],
  }
}

/** Deletes up to `count` sessions that have expired, or were not used since `idle_since`. */
export function deleteEndedSessions(now: Date, idle_since: Date, count: number): Statement<{ session_uuid: Uuid }> {
  return {
    text: `delete from staff_session where session_uuid in (
        (select session_uuid from staff_session where expires_at <= $1 order by expires_at limit $3)
        union (select session_uuid from staff_session where seen_at <= $2 order by seen_at limit $3))
      and (expires_at <= $1 or seen_at <= $2) returning session_uuid`,
    values: [now, idle_since, count],
  }
}
