import { createHmac } from 'node:crypto'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { hasEnded, max_sessions, proofs, type SignInMethod, sessionTimes } from '../../domain/sign-in.ts'
import { after, before } from '../../domain/spans.ts'
import type { Session } from '../../domain/staff.ts'
import { shortBrowser } from '../../domain/user-agent.ts'
import { hashSecret, isSecretText, newSecretText, newUuid } from '../../lib/ids.ts'
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionsOf,
  findProofs,
  findSession,
  findSessionsOf,
  findStanding,
  insertSession,
  type ListedSession,
  rotateSession,
  touchSession,
} from './session-queries.ts'

/** Where a request comes from. */
export interface Visitor {
  readonly address: string
  readonly user_agent: string | undefined
}

/** What a request that changes something has to carry: only who has the session's token can compute it. */
export function csrfOf(token: string): string {
  return createHmac('sha256', token).update('csrf of a dashboard session').digest('base64url')
}

/** Reads the session of a token by its hash; null for an unknown or ended one, and for a disabled person. */
export async function readSession(db: Database, token: string | undefined, now: Date): Promise<Session | null> {
  if (token === undefined || !isSecretText(token)) return null
  const row = await db.one(findSession(hashSecret(token)))
  if (row === undefined || hasEnded(row, now)) return null
  const stale_at = before(now, sessionTimes.touch_after_ms)
  if (row.seen_at <= stale_at) await db.run(touchSession(row.session_uuid, now, stale_at))
  const { session_uuid, staff_uuid, email, name, locale, is_operator, memberships, proven_at: started_at } = row
  return { session_uuid, staff_uuid, email, name, locale, is_operator, memberships, csrf: csrfOf(token), started_at }
}

/**
 * Accepts a person who has just signed in or confirmed who they are: a browser left alone must not be enough to change how the
 * account is opened, or to give keys and rights away. A sandbox lets its owner in by a link alone, who has nothing to confirm it by.
 * @throws DomainError `confirm_password`
 */
export async function requireRecent(
  { db, now }: { readonly db: Database; readonly now: Date },
  { session_uuid, started_at }: Pick<Session, 'session_uuid' | 'started_at'>,
): Promise<void> {
  if (now.getTime() - started_at.getTime() < sessionTimes.fresh_ms) return
  const has = await db.one(findProofs(session_uuid))
  if (has === undefined) throw new DomainError({ kind: 'not_signed_in' })
  const confirm_by = proofs.filter((proof) => has[proof])
  if (has.method !== 'link' || confirm_by.length > 0) throw new DomainError({ kind: 'confirm_password', confirm_by })
}

/** What the person of a session may do now, in the caller's transaction; null once the session has ended. */
export async function readStanding(
  tx: Transaction,
  { session_uuid, memberships }: Session,
  at: MerchantKey | undefined,
): Promise<Pick<Session, 'is_operator' | 'memberships'> | null> {
  const now = await tx.one(findStanding(session_uuid, at))
  if (now === undefined) return null
  const { is_operator, role } = now
  const here = memberships.filter((one) => one.program_id === at?.program_id && one.merchant_id === at.merchant_id)
  return { is_operator, memberships: role === null ? [] : here.map((one) => ({ ...one, role })) }
}

/** Begins a session in the caller's transaction; gives its token, which is stored nowhere. */
export function beginSession(
  tx: Transaction,
  { staff_uuid, method, visitor }: { staff_uuid: Uuid; method: SignInMethod; visitor: Visitor },
  now: Date,
): string {
  const token = newSecretText()
  const { address } = visitor
  const made = { session_uuid: newUuid(), token_hash: hashSecret(token), staff_uuid, method, address, now }
  const expires_at = after(now, sessionTimes.longest_ms)
  void tx.run(insertSession({ ...made, browser: shortBrowser(visitor.user_agent), expires_at }))
  void tx.run(deleteOldestSessions(staff_uuid, max_sessions))
  return token
}

/**
 * Gives a session another token, after its person was proven again or got more rights. Null if it has ended meanwhile. New
 * rights do not count as a proof: anybody who found the browser open could have taken them.
 */
export async function rotate(
  tx: Transaction,
  session_uuid: Uuid,
  { now, proven }: { readonly now: Date; readonly proven: boolean },
): Promise<string | null> {
  const token = newSecretText()
  const rotated = await tx.one(rotateSession(session_uuid, { token_hash: hashSecret(token), proven, now }))
  return rotated === undefined ? null : token
}

/** Ends every session of a person but one; gives their number. */
export async function endOthers(tx: Transaction, staff_uuid: Uuid, except: Uuid | null): Promise<number> {
  return (await tx.run(deleteSessionsOf(staff_uuid, except))).length
}

export async function endSession(tx: Transaction, staff_uuid: Uuid, session_uuid: Uuid): Promise<boolean> {
  return (await tx.one(deleteSession(staff_uuid, session_uuid))) !== undefined
}

/** The sessions of a person that have not ended, the newest first. */
export async function listSessions(db: Database, staff_uuid: Uuid, now: Date): Promise<ListedSession[]> {
  const rows = await db.run(findSessionsOf(staff_uuid, max_sessions))
  return rows.filter((row) => !hasEnded(row, now))
}
