import { audit } from '../../db/audit.ts'
import type { Transaction } from '../../db/transaction.ts'
import { DomainError, type FieldError, refuseFields } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'
import { max_team } from '../../domain/sign-in.ts'
import type { Session } from '../../domain/staff.ts'
import { newUuid } from '../../lib/ids.ts'
import { deletePasskeysOf, deleteRecoveryCodes } from './factor-queries.ts'
import { remember } from './known-browser.ts'
import { deleteLinksOf, type LinkRow, useLink } from './link-queries.ts'
import { findOpenLink, needsOf, type OpenLink } from './links.ts'
import { lockTeam, setMember } from './member-queries.ts'
import type { StaffParts } from './parts.ts'
import { checkPassword } from './person.ts'
import { insertStaff, lockStaff, type StaffChanges, type StaffRow, updateStaff } from './queries.ts'
import { endOthers, rotate } from './sessions.ts'
import { afterPassword, auditOwn, type Caller, enter, type NeedsFactor, type SignedIn } from './sign-in.ts'

/** What a person who follows a link chooses. */
export interface Accepted {
  readonly token: string
  readonly name?: string | undefined
  readonly password?: string | undefined
  readonly locale?: Locale | undefined
}

/**
 * Uses a link, once, and signs its person in, unless their account asks for a second factor.
 * @throws DomainError `link_invalid`; `not_signed_in` or `link_for_other` for an invitation of somebody who has an account;
 * `validation` of `name` and `password`
 */
export async function acceptLink(
  parts: StaffParts,
  given: Accepted,
  caller: Caller,
  session: Session | undefined,
): Promise<SignedIn | NeedsFactor> {
  const open = await findOpenLink(parts, given.token)
  const needs = needsOf(parts, open, session)
  if (needs === 'sign_in') throw new DomainError({ kind: session === undefined ? 'not_signed_in' : 'link_for_other' })
  const chosen = await choose(parts, open, given, needs === 'account' || needs === 'password')
  if (open.link.purpose !== 'invitation') return openAccount(parts, open, { ...chosen, caller, needs })
  // Somebody else may be signed in in this browser: the invitation is for the address that it was sent to.
  if (session === undefined || needs === 'account') return joinAsNew(parts, open, { ...chosen, caller })
  return joinAsKnown(parts, open, session, caller)
}

interface Chosen {
  readonly name: string | undefined
  readonly password_hash: string | undefined
  readonly locale: Locale | undefined
}

/** Checks what was chosen, and hashes the password before a transaction begins. */
async function choose(
  { passwords }: StaffParts,
  { link, person }: OpenLink,
  { name, password, locale }: Accepted,
  needs_password: boolean,
): Promise<Chosen> {
  const errors: FieldError[] = []
  const isNew = person === undefined || link.purpose === 'first_sign_in'
  if (needs_password && isNew && name === undefined) errors.push({ field: 'name', rule: 'required' })
  if (needs_password && password === undefined) errors.push({ field: 'password', rule: 'required' })
  if (errors.length > 0) refuseFields(...errors)
  if (password === undefined) return { name, locale, password_hash: undefined }
  checkPassword(password, { email: link.email, name: name ?? person?.name ?? '' })
  return { name, locale, password_hash: await passwords.hash(password) }
}

async function take(tx: Transaction, { token_hash }: OpenLink, now: Date): Promise<LinkRow> {
  const link = await tx.one(useLink(token_hash, now))
  if (link === undefined) throw new DomainError({ kind: 'link_invalid' })
  return link
}

/** A reset, a recovery or a first sign-in. */
async function openAccount(
  parts: StaffParts,
  open: OpenLink,
  { name, password_hash, locale, caller, needs }: Chosen & { readonly caller: Caller; readonly needs: string },
): Promise<SignedIn | NeedsFactor> {
  const at = parts.now()
  const person = await parts.db.transaction(async (tx) => {
    const { staff_uuid, purpose } = await take(tx, open, at)
    const row = staff_uuid === null ? undefined : await tx.one(lockStaff(staff_uuid))
    if (row === undefined || row.disabled) throw new DomainError({ kind: 'link_invalid' })
    const changes: StaffChanges = {
      ...(purpose === 'first_sign_in' && name !== undefined ? { name } : {}),
      ...(password_hash === undefined ? {} : { password_hash }),
      ...(locale === undefined || row.locale !== null ? {} : { locale }),
      ...(row.email_proven_at === null ? { email_proven_at: at, ...removeFactors(tx, row) } : {}),
    }
    void tx.run(updateStaff(row.staff_uuid, changes, at))
    if (password_hash !== undefined) {
      await endOthers(tx, row.staff_uuid, null)
      void tx.run(deleteLinksOf(row.staff_uuid))
      auditOwn(tx, row, 'staff.password', { by: purpose })
    }
    return { ...row, ...changes }
  })
  // A first sign-in without a password, in a sandbox, is no reason to ask for a factor that nobody can have lost.
  const method = needs === 'nothing' ? 'link' : 'password'
  return afterPassword(parts, person, caller, method)
}

/**
 * Somebody else may have made the account before its address was proven, so its second factors are removed. Such a link is
 * mailed, or passed on by whoever runs the service: both prove the address. Later links leave the second factors alone.
 */
function removeFactors(tx: Transaction, { staff_uuid }: StaffRow): StaffChanges {
  void tx.run(deletePasskeysOf(staff_uuid))
  void tx.run(deleteRecoveryCodes(staff_uuid))
  return { totp_secret: null, totp_confirmed_at: null, totp_last_step: null }
}

async function joinAsNew(
  parts: StaffParts,
  open: OpenLink,
  {
    name = '',
    password_hash,
    locale = null,
    caller,
  }: Omit<Chosen, 'locale'> & { locale?: Locale | null | undefined; caller: Caller },
): Promise<SignedIn> {
  const at = parts.now()
  const staff_uuid = newUuid()
  return parts.db.transaction(async (tx) => {
    const link = await take(tx, open, at)
    const { email, mailed } = link
    const made = { staff_uuid, email, name, password_hash: password_hash ?? null, locale, is_operator: false, now: at }
    // Somebody else has made the account meanwhile. The transaction rolls back, so the link works for that account.
    if ((await tx.one(insertStaff({ ...made, email_proven_at: mailed ? at : null }))) === undefined)
      throw new DomainError({ kind: 'link_for_other' })
    await join(tx, link, { staff_uuid, email }, at)
    return enter(parts, tx, { staff_uuid, email }, { caller, method: 'link' })
  })
}

/** Somebody who is signed in may do more from now on, so their session gets another token. */
async function joinAsKnown(
  parts: StaffParts,
  open: OpenLink,
  { staff_uuid, session_uuid, email }: Session,
  caller: Caller,
): Promise<SignedIn> {
  const at = parts.now()
  return parts.db.transaction(async (tx) => {
    const link = await take(tx, open, at)
    await join(tx, link, { staff_uuid, email }, at)
    if (link.mailed) void tx.run(updateStaff(staff_uuid, { email_proven_at: at }, at))
    const token = await rotate(tx, session_uuid, { now: at, proven: false })
    if (token === null) throw new DomainError({ kind: 'not_signed_in' })
    return { kind: 'signed_in', token, known: remember(parts.secrets, caller.known, link.email, at) }
  })
}

/** Adds a person to the team that a link invites to. Whoever is in it already keeps their role. */
async function join(
  tx: Transaction,
  { program_id, merchant_id, role, invited_by }: LinkRow,
  { staff_uuid, email }: Pick<Session, 'staff_uuid' | 'email'>,
  at: Date,
): Promise<void> {
  if (program_id === null || merchant_id === null || role === null) throw new Error('an invitation names no merchant')
  const team = await tx.run(lockTeam({ program_id, merchant_id }))
  if (team.some((member) => member.staff_uuid === staff_uuid)) return
  if (team.length >= max_team) refuseFields({ field: 'token', rule: 'limit_reached', limit: max_team })
  void tx.run(setMember({ program_id, merchant_id }, { staff_uuid, role }, at))
  const after = { merchant_id, role, invited_by }
  audit(tx, { source: 'dashboard', name: email }, [
    { program_id, merchant_id, action: 'team.join', object: `staff:${staff_uuid}`, before: null, after },
  ])
}
