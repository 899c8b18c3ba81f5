import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Transaction } from '../../db/transaction.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { challenge_ms, max_passkeys, signInLimits } from '../../domain/sign-in.ts'
import { after } from '../../domain/spans.ts'
import type { Session } from '../../domain/staff.ts'
import { hashSecret, newUuid } from '../../lib/ids.ts'
import type { Belonging } from '../../lib/secrets.ts'
import { confirmSession, dropIdleCodes, firstCodes, type NewFactor, onlyThisSession, type Rotated } from './account.ts'
import { attempt, signingIn, triesFrom } from './attempts.ts'
import {
  deletePasskey,
  findPasskey,
  findPasskeysOf,
  insertPasskey,
  insertUsed,
  type PasskeyRow,
  usePasskey,
} from './factor-queries.ts'
import type { StaffParts } from './parts.ts'
import { requirePerson } from './person.ts'
import { lockStaff, type StaffRow } from './queries.ts'
import { auditOwn, type Caller, enter, type SignedIn } from './sign-in.ts'
import { sign, signedUntil } from './signed.ts'

/** Passkeys: the key never leaves the device, which checks its user by itself, so that a passkey counts as both factors. */

/** Loaded by the first passkey: the package is large, and many processes never see one. */
const loadWebAuthn = () => import('@simplewebauthn/server')

const forSignIn: Belonging = ['passkey sign-in']
const forSession = ({ session_uuid }: Session): Belonging => ['passkey registration', session_uuid]

/** Passkeys belong to the host of the public URL. */
function site({ public_url }: StaffParts): { readonly id: string; readonly origin: string } {
  const { hostname, origin } = new URL(public_url)
  return { id: hostname, origin }
}

function newChallenge({ secrets, now }: StaffParts, purpose: Belonging): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sign(secrets, purpose, after(now(), challenge_ms)))
}

const isChallenge =
  ({ secrets, now }: StaffParts, purpose: Belonging) =>
  (challenge: string): boolean =>
    signedUntil(secrets, purpose, Buffer.from(challenge, 'base64url'), now()) !== null

/** Uses the challenge of an answer that was found genuine, once. */
async function useChallenge(tx: Transaction, clientData: string, now: Date): Promise<void> {
  const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge: string }
  const expires_at = after(now, challenge_ms)
  if ((await tx.one(insertUsed(hashSecret(challenge), expires_at))) === undefined)
    throw new DomainError({ kind: 'passkey_refused' })
}

/** What a browser needs to make a passkey. */
export async function offerRegistration(parts: StaffParts, session: Session): Promise<object> {
  const person = await requirePerson(parts, session)
  const passkeys = await parts.db.run(findPasskeysOf(person.staff_uuid))
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpName: 'Nuqta',
    rpID: site(parts).id,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.staff_uuid.replaceAll('-', ''), 'hex')),
    challenge: newChallenge(parts, forSession(session)),
    timeout: challenge_ms,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export interface NewPasskey extends NewFactor {
  readonly passkey_uuid: Uuid
}

/**
 * Adds a passkey, and ends all other sessions: a password alone may have begun them.
 * @throws DomainError `passkey_refused`, `validation` when there are too many, `not_signed_in` when the session was ended
 * meanwhile
 */
export async function addPasskey(
  parts: StaffParts,
  session: Session,
  { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
): Promise<NewPasskey> {
  const { id, origin } = site(parts)
  const expectedChallenge = isChallenge(parts, forSession(session))
  const asked = { expectedChallenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { registrationInfo: made } = await genuine(verifyRegistrationResponse({ response, ...asked }))
  if (made === undefined) throw new DomainError({ kind: 'passkey_refused' })
  const { credential } = made
  return parts.db.transaction(async (tx) => {
    const at = parts.now()
    await useChallenge(tx, response.response.clientDataJSON, at)
    // A change of the password ends sessions under this lock. A passkey added afterwards would undo that.
    await tx.one(lockStaff(session.staff_uuid))
    const rotated = await onlyThisSession(tx, session, at)
    if ((await tx.run(findPasskeysOf(session.staff_uuid))).length >= max_passkeys)
      refuseFields({ field: 'response', rule: 'limit_reached', limit: max_passkeys })
    const passkey_uuid = newUuid()
    const row = { passkey_uuid, staff_uuid: session.staff_uuid, name, counter: credential.counter, created_at: at }
    const credential_id = Buffer.from(credential.id, 'base64url')
    const transports = (credential.transports ?? []).slice(0, 10).map((transport) => String(transport).slice(0, 20))
    const stored = { ...row, credential_id, public_key: Buffer.from(credential.publicKey), transports }
    if ((await tx.one(insertPasskey(stored))) === undefined) throw new DomainError({ kind: 'passkey_refused' })
    auditOwn(tx, session, 'staff.passkey', { name })
    return { ...rotated, passkey_uuid, recovery_codes: await firstCodes(tx, session, at) }
  })
}

/** Removes a passkey, and ends all other sessions: whoever has the device may have begun some. */
export async function removePasskey(parts: StaffParts, session: Session, passkey_uuid: Uuid): Promise<Rotated> {
  return parts.db.transaction(async (tx) => {
    await tx.one(lockStaff(session.staff_uuid))
    const removed = await tx.one(deletePasskey(session.staff_uuid, passkey_uuid))
    if (removed === undefined) throw new DomainError({ kind: 'not_found' })
    await dropIdleCodes(tx, session)
    auditOwn(tx, session, 'staff.passkey', null, removed)
    return onlyThisSession(tx, session, parts.now())
  })
}

/** What a browser needs to sign in by any passkey that it has for us. It says nothing about who has an account. */
export async function offerSignIn(parts: StaffParts): Promise<object> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: site(parts).id,
    challenge: newChallenge(parts, forSignIn),
    timeout: challenge_ms,
    userVerification: 'required',
  })
}

/** @throws DomainError `passkey_refused`, `too_many_sign_ins` */
export function signInByPasskey(
  parts: StaffParts,
  response: AuthenticationResponseJSON,
  caller: Caller,
): Promise<SignedIn> {
  return attempt(parts.limits, triesFrom(caller.visitor.address), async () => {
    const answered = await readAnswer(parts, response)
    const who = { staff_uuid: answered.passkey.staff_uuid, address: caller.visitor.address }
    return signingIn(parts.limits, who, () => enterBy(parts, answered, caller))
  })
}

/**
 * Proves again who is signed in, by one of their passkeys.
 * @throws DomainError `passkey_refused`, `too_many_sign_ins`, `not_signed_in` when the session was ended meanwhile
 */
export function confirmByPasskey(
  parts: StaffParts,
  session: Session,
  response: AuthenticationResponseJSON,
): Promise<Rotated> {
  return attempt(parts.limits, [{ limit: signInLimits.confirm, whom: [session.staff_uuid] }], async () => {
    const answered = await readAnswer(parts, response)
    if (answered.passkey.staff_uuid !== session.staff_uuid) throw new DomainError({ kind: 'passkey_refused' })
    return parts.db.transaction(async (tx) => {
      await useAnswer(tx, answered, parts.now())
      return confirmSession(tx, session, parts.now())
    })
  })
}

interface Answered {
  readonly passkey: Pick<PasskeyRow, 'passkey_uuid' | 'staff_uuid'>
  readonly response: AuthenticationResponseJSON
  readonly authenticationInfo: { readonly newCounter: number }
}

/** Finds the passkey of an answer to `offerSignIn()`, and checks that it is genuine. */
async function readAnswer(parts: StaffParts, response: AuthenticationResponseJSON): Promise<Answered> {
  const credential_id = Buffer.from(response.id, 'base64url')
  const passkey = await parts.db.one(findPasskey(credential_id))
  if (passkey === undefined) throw new DomainError({ kind: 'passkey_refused' })
  const { id, origin } = site(parts)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await genuine(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: isChallenge(parts, forSignIn),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: { id: response.id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
    }),
  )
  if (!verified) throw new DomainError({ kind: 'passkey_refused' })
  return { passkey, response, authenticationInfo }
}

/** Uses an answer, once, under the lock of the account, whose person it gives. */
async function useAnswer(
  tx: Transaction,
  { passkey, response, authenticationInfo }: Answered,
  at: Date,
): Promise<StaffRow> {
  await useChallenge(tx, response.response.clientDataJSON, at)
  const person = await tx.one(lockStaff(passkey.staff_uuid))
  // A counter that does not grow belongs to a copy. Most passkeys do not count, and stay at 0.
  const used = await tx.one(usePasskey(passkey.passkey_uuid, authenticationInfo.newCounter, at))
  if (used === undefined || person === undefined || person.disabled) throw new DomainError({ kind: 'passkey_refused' })
  return person
}

/**
 * Begins the session of a person who has answered by a passkey, under the lock of the account. Disabling a person, or
 * removing their passkeys, ends all sessions, and would miss one that begins at the same moment.
 */
function enterBy(parts: StaffParts, answered: Answered, caller: Caller): Promise<SignedIn> {
  return parts.db.transaction(async (tx) => {
    const person = await useAnswer(tx, answered, parts.now())
    return enter(parts, tx, person, { caller, method: 'passkey' })
  })
}

/** The library throws for whatever is not right about an answer. */
function genuine<T>(verifying: Promise<T>): Promise<T> {
  return verifying.catch((error: unknown) => {
    throw new DomainError({ kind: 'passkey_refused' }, { cause: error })
  })
}
