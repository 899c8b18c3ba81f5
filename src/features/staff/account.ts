import type { Transaction } from '../../db/transaction.ts'
import { changedFields } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'
import { type Factors, readAppCode, secondFactors, signInLimits } from '../../domain/sign-in.ts'
import type { Session } from '../../domain/staff.ts'
import { attempt } from './attempts.ts'
import { deleteRecoveryCodes } from './factor-queries.ts'
import { deleteLinksOf } from './link-queries.ts'
import type { StaffParts } from './parts.ts'
import { checkPassword, confirmPassword, factorsOf, requirePerson } from './person.ts'
import { findFactors, lockStaff, updateStaff, useTotpStep } from './queries.ts'
import { replaceCodes } from './recovery-codes.ts'
import { endOthers, requireRecent, rotate } from './sessions.ts'
import { auditOwn } from './sign-in.ts'
import { newTotp, stepOf } from './totp.ts'

/** What people change about their own accounts. */

export interface Account extends Factors {
  readonly email: string
  readonly name: string
  readonly locale: Locale | null
  readonly has_password: boolean
}

export async function readAccount(parts: StaffParts, session: Session): Promise<Account> {
  const { email, name, locale, password_hash } = await requirePerson(parts, session)
  const factors = await factorsOf(parts, session.staff_uuid)
  return { email, name, locale, has_password: password_hash !== null, ...factors }
}

export function changeAccount(
  { db, now }: StaffParts,
  { staff_uuid, email, ...was }: Session,
  changes: { readonly name?: string; readonly locale?: Locale | null },
): Promise<void> {
  return db.transaction(async (tx) => {
    const { before, after } = changedFields({ name: was.name, locale: was.locale }, changes)
    if (Object.keys(after ?? {}).length === 0) return
    void tx.run(updateStaff(staff_uuid, changes, now()))
    auditOwn(tx, { staff_uuid, email }, 'staff.account', after, before)
  })
}

/** A new token for the session, after a change of how the account is opened. */
export interface Rotated {
  readonly token: string
}

/** Gives the session of a person who was proven again another token: a copy of the old one must not gain by it. */
export async function confirmSession(tx: Transaction, { session_uuid }: Session, now: Date): Promise<Rotated> {
  const token = await rotate(tx, session_uuid, { now, proven: true })
  if (token === null) throw new DomainError({ kind: 'not_signed_in' })
  return { token }
}

/** Ends all other sessions, and gives this one another token: whoever has copied the old one is out. */
export async function onlyThisSession(tx: Transaction, session: Session, now: Date): Promise<Rotated> {
  await endOthers(tx, session.staff_uuid, session.session_uuid)
  return confirmSession(tx, session, now)
}

/**
 * Proves again who is signed in, by their password.
 * @throws DomainError `confirm_password`, `too_many_sign_ins`, `not_signed_in` when the session was ended meanwhile
 */
export async function confirmByPassword(parts: StaffParts, session: Session, password: string): Promise<Rotated> {
  const { db, now } = parts
  await confirmPassword(parts, await requirePerson(parts, session), password)
  return db.transaction((tx) => confirmSession(tx, session, now()))
}

/**
 * Replaces the password. A person who has one must give it, even right after the sign-in.
 * @throws DomainError `confirm_password`, `validation` of `password`, `too_many_sign_ins`
 */
export async function changePassword(
  parts: StaffParts,
  session: Session,
  { current_password, password }: { readonly current_password?: string | undefined; readonly password: string },
): Promise<Rotated> {
  const { db, passwords, now } = parts
  const person = await requirePerson(parts, session)
  if (person.password_hash === null) await requireRecent({ db, now: now() }, session)
  else if (current_password === undefined) throw new DomainError({ kind: 'confirm_password' })
  else await confirmPassword(parts, person, current_password)
  checkPassword(password, person)
  const password_hash = await passwords.hash(password)
  return db.transaction(async (tx) => {
    void tx.run(updateStaff(person.staff_uuid, { password_hash }, now()))
    void tx.run(deleteLinksOf(person.staff_uuid))
    auditOwn(tx, person, 'staff.password', null)
    return onlyThisSession(tx, session, now())
  })
}

/** Makes the secret for an app; it opens nothing before a code of it was given. */
export async function beginTotp(
  parts: StaffParts,
  session: Session,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const person = await requirePerson(parts, session)
  const { secret, uri, sealed } = newTotp(parts.secrets, person)
  await parts.db.transaction(async (tx) => {
    // Another tab may confirm its app at this moment: its secret stays.
    const now = await tx.one(lockStaff(person.staff_uuid))
    if (now === undefined || now.totp_confirmed_at !== null) throw new DomainError({ kind: 'totp_on' })
    void tx.run(updateStaff(person.staff_uuid, { totp_secret: sealed }, parts.now()))
  })
  return { secret, uri }
}

/** The codes are shown this once; none when the account has some already. */
export interface NewFactor extends Rotated {
  readonly recovery_codes: readonly string[]
}

/** @throws DomainError `second_factor_refused`, `totp_on`, `too_many_sign_ins` */
export function confirmTotp(parts: StaffParts, session: Session, code: string): Promise<NewFactor> {
  const { db, limits, secrets, now } = parts
  const counted = [{ limit: signInLimits.confirm, whom: [session.staff_uuid] }]
  return attempt(limits, counted, () =>
    db.transaction(async (tx) => {
      const at = now()
      const person = await tx.one(lockStaff(session.staff_uuid))
      if (person === undefined || person.totp_secret === null) throw new DomainError({ kind: 'second_factor_refused' })
      if (person.totp_confirmed_at !== null) throw new DomainError({ kind: 'totp_on' })
      const { staff_uuid, totp_secret } = person
      const digits = readAppCode(code)
      const step = digits === null ? null : stepOf(secrets, { staff_uuid, totp_secret }, digits, at)
      if (step === null) throw new DomainError({ kind: 'second_factor_refused' })
      void tx.run(updateStaff(staff_uuid, { totp_confirmed_at: at }, at))
      void tx.run(useTotpStep(staff_uuid, step))
      auditOwn(tx, person, 'staff.totp', { totp: true }, { totp: false })
      const recovery_codes = await firstCodes(tx, session, at)
      return { recovery_codes, ...(await onlyThisSession(tx, session, at)) }
    }),
  )
}

/** Recovery codes come with the first second factor. */
export async function firstCodes(tx: Transaction, { staff_uuid }: Session, now: Date): Promise<string[]> {
  const factors = await tx.one(findFactors(staff_uuid))
  return factors?.recovery_codes === 0 ? replaceCodes(tx, staff_uuid, now) : []
}

export async function removeTotp(parts: StaffParts, session: Session): Promise<Rotated> {
  const { db, now } = parts
  const person = await requirePerson(parts, session)
  return db.transaction(async (tx) => {
    const nothing = { totp_secret: null, totp_confirmed_at: null, totp_last_step: null }
    void tx.run(updateStaff(person.staff_uuid, nothing, now()))
    auditOwn(tx, person, 'staff.totp', { totp: false }, { totp: person.totp_confirmed_at !== null })
    await dropIdleCodes(tx, session)
    return onlyThisSession(tx, session, now())
  })
}

/** Without a second factor there is nothing to recover. */
export async function dropIdleCodes(tx: Transaction, { staff_uuid }: Session): Promise<void> {
  const factors = await tx.one(findFactors(staff_uuid))
  if (factors !== undefined && secondFactors(factors).length === 0) void tx.run(deleteRecoveryCodes(staff_uuid))
}

/** Replaces the recovery codes; gives the new ones, which are shown this once. */
export async function renewCodes(
  parts: StaffParts,
  session: Session,
): Promise<{ readonly recovery_codes: readonly string[] }> {
  const person = await requirePerson(parts, session)
  return parts.db.transaction(async (tx) => {
    await tx.one(lockStaff(person.staff_uuid))
    const factors = await tx.one(findFactors(person.staff_uuid))
    if (factors === undefined || secondFactors(factors).length === 0) throw new DomainError({ kind: 'not_found' })
    auditOwn(tx, person, 'staff.recovery-codes', null)
    return { recovery_codes: replaceCodes(tx, person.staff_uuid, parts.now()) }
  })
}
