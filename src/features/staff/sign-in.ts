import { createHash } from 'node:crypto'
import { audit } from '../../db/audit.ts'
import type { Transaction } from '../../db/transaction.ts'
import { deployment_program_id } from '../../domain/audit.ts'
import { type Email, readEmail } from '../../domain/email.ts'
import { DomainError } from '../../domain/failures.ts'
import { parseUuid, type Uuid } from '../../domain/ids.ts'
import {
  challenge_ms,
  readAppCode,
  type SecondFactor,
  type SignInMethod,
  secondFactors,
  signInLimits,
} from '../../domain/sign-in.ts'
import { after } from '../../domain/spans.ts'
import { homeOf } from '../../lib/client-network.ts'
import type { Belonging } from '../../lib/secrets.ts'
import type { Counted } from '../limits/service.ts'
import { attempt, comparing, signingIn, triesFrom } from './attempts.ts'
import { isKnownTo, type KnownBrowser, remember } from './known-browser.ts'
import type { StaffParts } from './parts.ts'
import { factorsOf } from './person.ts'
import { findFactors, findStaff, findStaffByEmail, lockStaff, rehash, type StaffRow, useTotpStep } from './queries.ts'
import { takeCode } from './recovery-codes.ts'
import { beginSession, type Visitor } from './sessions.ts'
import { sign, signedUntil } from './signed.ts'
import { stepOf } from './totp.ts'

/** A client that wants to sign in, and its address. */
export interface Caller {
  readonly visitor: Visitor
  readonly known: KnownBrowser
}

/** A session has begun: what its browser keeps. */
export interface SignedIn {
  readonly kind: 'signed_in'
  readonly token: string
  readonly known: string
}

/** The password was right, and the account asks for more. */
export interface NeedsFactor {
  readonly kind: 'second_factor'
  readonly ticket: string
  readonly methods: readonly SecondFactor[]
}

/**
 * Signs in by e-mail address and password. An unknown address takes as long as a known one, and gets the same answer.
 * @throws DomainError `sign_in_refused`, `too_many_sign_ins`, `sign_in_busy`
 */
export async function signIn(
  parts: StaffParts,
  { email: typed, password }: { readonly email: string; readonly password: string },
  caller: Caller,
): Promise<SignedIn | NeedsFactor> {
  const { db, passwords } = parts
  const email = readEmail(typed)
  const counted = tries(parts, { email, whom: typed.trim().toLowerCase().slice(0, 254), caller, of: 'account' })
  const person = await attempt(parts.limits, counted, async () => {
    const found = email === null ? undefined : await db.one(findStaffByEmail(email))
    const { right, outdated } = await comparing(parts.limits, ['address', homeOf(caller.visitor.address)], () =>
      passwords.verify(password, found?.password_hash ?? null),
    )
    if (found === undefined || found.disabled || !right) throw new DomainError({ kind: 'sign_in_refused' })
    return { ...found, outdated }
  })
  if (!person.outdated || person.password_hash === null) return afterPassword(parts, person, caller, 'password')
  const password_hash = await passwords.hash(password)
  const kept = await db.one(rehash(person.staff_uuid, person.password_hash, password_hash))
  // Another sign-in has renewed the hash meanwhile, or the password was changed: compare with the hash that is stored now.
  if (kept === undefined) return signIn(parts, { email: typed, password }, caller)
  return afterPassword(parts, { ...person, password_hash }, caller, 'password')
}

/** Begins a session, or asks for the second factor of an account that has one. */
export async function afterPassword(
  parts: StaffParts,
  person: StaffRow,
  caller: Caller,
  method: SignInMethod,
): Promise<SignedIn | NeedsFactor> {
  const { db, secrets, now } = parts
  const methods = secondFactors(await factorsOf(parts, person.staff_uuid))
  const who = { staff_uuid: person.staff_uuid, address: caller.visitor.address }
  if (methods.length === 0)
    return signingIn(parts.limits, who, () =>
      db.transaction(async (tx) => {
        // A passkey that is added meanwhile ends the sessions of a password alone, this one too.
        const isEnough = (await isUnchanged(tx, person)) && !(await hasFactor(tx, person.staff_uuid))
        if (!isEnough) throw new DomainError({ kind: 'sign_in_refused' })
        return enter(parts, tx, person, { caller, method })
      }),
    )
  const expires_at = after(now(), challenge_ms)
  const ticket = `${person.staff_uuid}.${sign(secrets, ticketOf(person), expires_at).toString('base64url')}`
  return { kind: 'second_factor', ticket, methods }
}

/**
 * Whether the proof still opens the account. A change of the account ends all sessions, and would miss one that begins at
 * the same moment, so one of the two transactions waits for the other.
 */
async function isUnchanged(
  tx: Transaction,
  { staff_uuid, password_hash, totp_confirmed_at }: StaffRow,
): Promise<boolean> {
  const now = await tx.one(lockStaff(staff_uuid))
  if (now === undefined || now.disabled || now.password_hash !== password_hash) return false
  return now.totp_confirmed_at?.getTime() === totp_confirmed_at?.getTime()
}

async function hasFactor(tx: Transaction, staff_uuid: Uuid): Promise<boolean> {
  const factors = await tx.one(findFactors(staff_uuid))
  return factors !== undefined && secondFactors(factors).length > 0
}

/** A ticket is worth nothing after the password was changed. */
function ticketOf({ staff_uuid, password_hash }: StaffRow): Belonging {
  return [
    'ticket',
    staff_uuid,
    createHash('sha256')
      .update(password_hash ?? '')
      .digest('hex'),
  ]
}

/**
 * Completes a sign-in by a code of the app, or by a recovery code.
 * @throws DomainError `second_factor_expired`, `second_factor_refused`, `too_many_sign_ins`
 */
export async function giveSecondFactor(
  parts: StaffParts,
  { ticket, code }: { readonly ticket: string; readonly code: string },
  caller: Caller,
): Promise<SignedIn> {
  const person = await holderOf(parts, ticket)
  const counted = tries(parts, { email: person.email, whom: person.staff_uuid, caller, of: 'second' })
  const who = { staff_uuid: person.staff_uuid, address: caller.visitor.address }
  return attempt(parts.limits, counted, () =>
    signingIn(parts.limits, who, () =>
      parts.db.transaction(async (tx) => {
        if (!(await isUnchanged(tx, person))) throw new DomainError({ kind: 'second_factor_expired' })
        if (!(await takesFactor(parts, tx, person, code))) throw new DomainError({ kind: 'second_factor_refused' })
        return enter(parts, tx, person, { caller, method: 'two_factors' })
      }),
    ),
  )
}

async function holderOf({ db, secrets, now }: StaffParts, ticket: string): Promise<StaffRow> {
  const [uuid = '', signed = ''] = ticket.split('.', 2)
  const staff_uuid = parseUuid(uuid)
  const person = staff_uuid === null ? undefined : await db.one(findStaff(staff_uuid))
  const isTheirs =
    person !== undefined &&
    !person.disabled &&
    signedUntil(secrets, ticketOf(person), Buffer.from(signed, 'base64url'), now()) !== null
  if (!isTheirs) throw new DomainError({ kind: 'second_factor_expired' })
  return person
}

/** Uses up a code. */
async function takesFactor(parts: StaffParts, tx: Transaction, person: StaffRow, code: string): Promise<boolean> {
  const digits = readAppCode(code)
  if (digits === null) return takeCode(tx, person.staff_uuid, code)
  const { totp_secret, totp_confirmed_at, staff_uuid } = person
  if (totp_secret === null || totp_confirmed_at === null) return false
  const step = stepOf(parts.secrets, { staff_uuid, totp_secret }, digits, parts.now())
  return step !== null && (await tx.one(useTotpStep(staff_uuid, step))) !== undefined
}

/** Begins the session of a person who has proven enough. */
export function enter(
  { secrets, now }: Pick<StaffParts, 'secrets' | 'now'>,
  tx: Transaction,
  { staff_uuid, email }: Pick<StaffRow, 'staff_uuid' | 'email'>,
  { caller, method }: { readonly caller: Caller; readonly method: SignInMethod },
): SignedIn {
  const at = now()
  const token = beginSession(tx, { staff_uuid, method, visitor: caller.visitor }, at)
  auditOwn(tx, { staff_uuid, email }, 'session.begin', { method })
  return { kind: 'signed_in', token, known: remember(secrets, caller.known, email, at) }
}

/** Records what somebody did with their own account. */
export function auditOwn(
  tx: Transaction,
  { staff_uuid, email }: { readonly staff_uuid: Uuid; readonly email: string },
  action:
    | 'session.begin'
    | 'session.end'
    | 'staff.password'
    | 'staff.totp'
    | 'staff.passkey'
    | 'staff.recovery-codes'
    | 'staff.account',
  after: object | null,
  before: object | null = null,
): void {
  const by = { source: 'dashboard', name: email } as const
  audit(tx, by, [{ program_id: deployment_program_id, action, object: `staff:${staff_uuid}`, before, after }])
}

interface Tried {
  readonly email: Email | null
  /** The account, known or not. */
  readonly whom: string
  readonly caller: Caller
  readonly of: 'account' | 'second'
}

/** The limits of a try: from a known browser only the account's, else also the strangers' part and those of the address. */
function tries({ secrets, now }: StaffParts, { email, whom, caller, of }: Tried): Counted[] {
  const account = { limit: signInLimits[of], whom: [whom] }
  if (email !== null && isKnownTo(secrets, caller.known, email, now())) return [account]
  return [...triesFrom(caller.visitor.address), { limit: signInLimits[`${of}_strangers`], whom: [whom] }, account]
}
