import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields, deployment_program_id } from '../../domain/audit.ts'
import { type Email, readEmail } from '../../domain/email.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { LinkPurpose } from '../../domain/sign-in.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { deletePasskeysOf, deleteRecoveryCodes } from './factor-queries.ts'
import { deleteInvitationsBy, deleteLinksOf, insertLink } from './link-queries.ts'
import { makeLink, recordWithdrawn } from './links.ts'
import { setMember } from './member-queries.ts'
import { findStaffByEmail, insertStaff, lockStaff, type StaffRow, updateStaff } from './queries.ts'
import { endOthers } from './sessions.ts'

/** What whoever runs the deployment does about its people by command. */

export interface OperatorParts {
  readonly db: Database
  /** Without a trailing slash. */
  readonly public_url: string
  /** The machine's clock. */
  readonly now: Date
  readonly by: Actor
}

/** Called with what is answered, before the commit. */
interface Keeping<Result> {
  readonly keep?: BeforeCommit<Result> | undefined
}

/** The output of `nuqta operator`. */
export interface OperatorView {
  readonly email: string
  /** Works once. */
  readonly link: string
}

/**
 * Makes a person an operator of the deployment, or an owner of a merchant; gives a link for their first sign-in, or to choose a
 * new password where they have one.
 * @throws CliError for a text that is no e-mail address, DomainError for somebody who is disabled: their link would not work
 */
export function createOperator(
  parts: OperatorParts & Keeping<OperatorView>,
  { email: typed, merchant }: { readonly email: string; readonly merchant: MerchantKey | undefined },
): Promise<OperatorView> {
  const email = requireEmail(typed)
  return parts.db.transaction(async (tx) => {
    const { now, by } = parts
    await findOrAdd(tx, email, now)
    const person = await lockFor(tx, email, by)
    if (person.disabled) refuseFields({ field: 'email', rule: 'kept_out' })
    const known = await closeUnproven(tx, person, now)
    const { staff_uuid } = known
    if (merchant === undefined) void tx.run(updateStaff(staff_uuid, { is_operator: true }, now))
    else void tx.run(setMember(merchant, { staff_uuid, role: 'owner' }, now))
    // Their permissions have changed.
    await endOthers(tx, staff_uuid, null)
    const after =
      merchant === undefined
        ? { email, is_operator: true }
        : { email, role: 'owner', merchant_id: merchant.merchant_id, program_id: merchant.program_id }
    const program_id = merchant?.program_id ?? deployment_program_id
    const change = { program_id, merchant_id: merchant?.merchant_id, action: 'operator.create' } as const
    audit(tx, by, [{ ...change, object: `staff:${staff_uuid}`, before: null, after }])
    return kept(tx, parts, addLink(tx, parts, known, known.password_hash === null ? 'first_sign_in' : 'reset'))
  })
}

/**
 * Lets somebody in who has lost the second factor: removes their factors, ends their sessions, and gives a link to choose a new
 * password.
 * @throws CliError if nobody has the address
 */
export function recoverOperator(parts: OperatorParts & Keeping<OperatorView>, typed: string): Promise<OperatorView> {
  const email = requireEmail(typed)
  return parts.db.transaction(async (tx) => {
    const { now, by } = parts
    const person = await lockFor(tx, email, by)
    const { staff_uuid } = person
    const nothing = { totp_secret: null, totp_confirmed_at: null, totp_last_step: null }
    void tx.run(updateStaff(staff_uuid, nothing, now))
    void tx.run(deleteRecoveryCodes(staff_uuid))
    const passkeys = (await tx.run(deletePasskeysOf(staff_uuid))).length
    const sessions = await endOthers(tx, staff_uuid, null)
    void tx.run(deleteLinksOf(staff_uuid))
    const before = { totp: person.totp_confirmed_at !== null, passkeys, sessions }
    const change = changedFields({ email, ...before }, { totp: false, passkeys: 0, sessions: 0 })
    const after = { email, ...change.after }
    const action = 'operator.recover'
    audit(tx, by, [
      { program_id: deployment_program_id, action, object: `staff:${staff_uuid}`, before: change.before, after },
    ])
    return kept(tx, parts, addLink(tx, parts, person, 'recovery'))
  })
}

/** The output of `nuqta operator disable` and `enable`. */
export interface DisabledView {
  readonly email: string
  readonly disabled: boolean
}

/**
 * Disables a person, whatever their roles, or enables them again. Disabling ends their sessions, their links and the
 * invitations that they made, which could bring them back; their roles stay.
 * @throws CliError if nobody has the address
 */
export function disablePerson(
  { db, now, by, keep }: Omit<OperatorParts, 'public_url'> & Keeping<DisabledView>,
  typed: string,
  disabled: boolean,
): Promise<DisabledView> {
  const email = requireEmail(typed)
  return db.transaction(async (tx) => {
    const { staff_uuid, disabled: was } = await lockFor(tx, email, by)
    if (was === disabled) return kept(tx, { keep }, { email, disabled })
    void tx.run(updateStaff(staff_uuid, { disabled }, now))
    if (disabled) {
      void tx.run(deleteLinksOf(staff_uuid))
      recordWithdrawn(tx, by, await tx.run(deleteInvitationsBy(email, null)))
      await endOthers(tx, staff_uuid, null)
    }
    const action = disabled ? 'operator.disable' : 'operator.enable'
    const change = { object: `staff:${staff_uuid}`, before: { disabled: was }, after: { email, disabled } } as const
    audit(tx, by, [{ program_id: deployment_program_id, action, ...change }])
    return kept(tx, { keep }, { email, disabled })
  })
}

async function kept<Result>(tx: Transaction, { keep }: Keeping<Result>, result: Result): Promise<Result> {
  await keep?.(tx, result)
  return result
}

/** Locks a person for whoever asks. A command is run by nobody who could be kept out meanwhile. */
function lockFor(tx: Transaction, email: Email, { staff_uuid }: Actor): Promise<StaffRow> {
  return staff_uuid === undefined ? lockPerson(tx, email) : lockBoth(tx, email, staff_uuid)
}

async function lockPerson(tx: Transaction, email: Email): Promise<StaffRow> {
  const found = await tx.one(findStaffByEmail(email))
  const person = found === undefined ? undefined : await tx.one(lockStaff(found.staff_uuid))
  if (person === undefined) throw nobody(email)
  return person
}

/**
 * Locks a person and the operator who asks. When two operators disable each other at once, the second waits, and is already
 * disabled.
 * @throws DomainError `not_permitted`
 */
async function lockBoth(tx: Transaction, email: Email, asking: Uuid): Promise<StaffRow> {
  const found = await tx.one(findStaffByEmail(email))
  if (found === undefined) throw nobody(email)
  const locked = new Map<Uuid, StaffRow | undefined>()
  for (const uuid of [found.staff_uuid, asking].sort()) locked.set(uuid, await tx.one(lockStaff(uuid)))
  const [person, by] = [locked.get(found.staff_uuid), locked.get(asking)]
  if (person === undefined) throw nobody(email)
  if (by === undefined || by.disabled || !by.is_operator) throw new DomainError({ kind: 'not_permitted' })
  return person
}

function nobody(email: Email): CliError {
  return new CliError(`Nobody has the address ${email}.`)
}

/** Adds the first owner of the merchants of a sandbox, with a link that signs in; undefined where somebody has the address. */
export async function addSandboxOwner(
  tx: Transaction,
  parts: Pick<OperatorParts, 'public_url' | 'now'>,
  {
    email: typed,
    name,
    merchants,
  }: { readonly email: string; readonly name: string; readonly merchants: readonly MerchantKey[] },
): Promise<OperatorView | undefined> {
  const person = await add(tx, { email: requireEmail(typed), name, is_operator: true }, parts.now)
  if (person === undefined) return undefined
  for (const merchant of merchants)
    void tx.run(setMember(merchant, { staff_uuid: person.staff_uuid, role: 'owner' }, parts.now))
  return addLink(tx, parts, person, 'first_sign_in')
}

function requireEmail(typed: string): Email {
  const email = readEmail(typed)
  if (email === null) throw new CliError(`${typed} is not an e-mail address.`)
  return email
}

type Known = Pick<StaffRow, 'staff_uuid' | 'email' | 'password_hash' | 'email_proven_at'>

/**
 * The new rights belong to the person who has the address. Until it is proven, somebody else may have made the account, so
 * only the link opens it from now on.
 */
async function closeUnproven(tx: Transaction, known: Known, now: Date): Promise<Known> {
  const { staff_uuid, password_hash, email_proven_at } = known
  if (password_hash === null || email_proven_at !== null) return known
  const nothing = { password_hash: null, totp_secret: null, totp_confirmed_at: null, totp_last_step: null }
  void tx.run(updateStaff(staff_uuid, nothing, now))
  void tx.run(deletePasskeysOf(staff_uuid))
  void tx.run(deleteRecoveryCodes(staff_uuid))
  return { ...known, password_hash: null }
}

/** Whoever is added has the address as a name until the first sign-in. */
async function findOrAdd(tx: Transaction, email: Email, now: Date): Promise<Known> {
  const made = await add(tx, { email, name: email.slice(0, 100), is_operator: false }, now)
  if (made !== undefined) return made
  const known = await tx.one(findStaffByEmail(email))
  if (known === undefined) throw new Error('an address is taken by nobody')
  return known
}

/** Undefined where somebody has the address. */
async function add(
  tx: Transaction,
  person: { readonly email: Email; readonly name: string; readonly is_operator: boolean },
  now: Date,
): Promise<Known | undefined> {
  const nothing = { password_hash: null, locale: null, email_proven_at: null }
  const made = await tx.one(insertStaff({ staff_uuid: newUuid(), ...person, ...nothing, now }))
  return made === undefined ? undefined : { staff_uuid: made.staff_uuid, email: person.email, ...nothing }
}

function addLink(
  tx: Transaction,
  { public_url, now }: Pick<OperatorParts, 'public_url' | 'now'>,
  { staff_uuid, email }: Known,
  purpose: Exclude<LinkPurpose, 'invitation'>,
): OperatorView {
  const { row, url } = makeLink(public_url, { purpose, email, mailed: false, to: staff_uuid }, now)
  void tx.run(insertLink(row))
  return { email, link: url }
}
