import { audit } from '../../db/audit.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor, AuditAction, AuditObject } from '../../domain/audit.ts'
import { type Email, readEmail } from '../../domain/email.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { max_team, signInLimits } from '../../domain/sign-in.ts'
import { mayDo, type Role, roles, type Standing } from '../../domain/staff.ts'
import { admit } from './attempts.ts'
import { deleteInvitations, deleteInvitationsBy, findInvitations, insertLink, type LinkRow } from './link-queries.ts'
import { type MadeLink, makeLink, recordWithdrawn } from './links.ts'
import { invitationMail } from './mails.ts'
import {
  deleteMember,
  findMerchantName,
  findTeam,
  lockTeam,
  type MemberRow,
  setMember,
  type TeamRow,
} from './member-queries.ts'
import type { StaffParts } from './parts.ts'
import { findStaff, findStaffByEmail, lockStaff } from './queries.ts'
import { deleteIdleSessions } from './session-queries.ts'

/** The merchant whose team it is, and who changes it. */
export interface TeamOf {
  readonly merchant: MerchantKey & { readonly name: string }
  readonly standing: Standing
  readonly actor: Actor
}

export interface Team {
  readonly members: readonly TeamRow[]
  readonly invitations: readonly LinkRow[]
}

export async function readTeam({ db, now }: StaffParts, merchant: MerchantKey): Promise<Team> {
  const [members, invitations] = await Promise.all([
    db.run(findTeam(merchant, max_team)),
    db.run(findInvitations(merchant, now(), max_team)),
  ])
  return { members, invitations }
}

export interface Invited {
  readonly link_uuid: Uuid
  readonly email: Email
  readonly role: Role
  readonly expires_at: Date
  /** Null when it was mailed; else for whoever invites to pass on. */
  readonly link: string | null
}

/**
 * Invites somebody to a team. The mail goes out first. The invitation is not stored if the mail was refused, or if the
 * person who invites was removed or disabled meanwhile.
 * @throws DomainError `not_permitted`, `validation`, `already_member`, `too_many_sign_ins`, `mail_not_sent`
 */
export async function invite(
  parts: StaffParts,
  of: TeamOf,
  {
    email: typed,
    role,
    keep,
  }: { readonly email: string; readonly role: Role; readonly keep?: BeforeCommit<Invited> | undefined },
): Promise<Invited> {
  const { db, limits, mail, now, public_url } = parts
  const { merchant, actor, standing } = of
  const email = readEmail(typed)
  if (email === null) return refuseFields({ field: 'email', rule: 'email' })
  refuseAbove(standing, role)
  const { program_id, merchant_id } = merchant
  const person = await db.one(findStaffByEmail(email))
  await db.transaction((tx) => refuseMember(tx, of, { person: person?.staff_uuid, role }))
  const counted = [{ limit: signInLimits.invitations, whom: [program_id, merchant_id] }]
  await admit(limits, mail === undefined ? counted : [...counted, { limit: signInLimits.mails, whom: [] }])
  const to = { program_id, merchant_id, role, invited_by: actor.name }
  const made = makeLink(public_url, { purpose: 'invitation', email, mailed: mail !== undefined, to }, now())
  if (mail !== undefined) {
    const merchant_name_ar = (await db.one(findMerchantName(merchant)))?.name_ar ?? null
    const words = { merchant_name: merchant.name, merchant_name_ar, role, invited_by: actor.name }
    const outcome = await mail.send(invitationMail(email, person?.locale ?? null, made.url, words))
    if (outcome.kind === 'refused') {
      parts.onUnsent?.(outcome.reason)
      throw new DomainError({ kind: 'mail_not_sent' })
    }
  }
  return db.transaction((tx) => storeInvitation(tx, of, made, { person: person?.staff_uuid, role, keep }))
}

interface Storing {
  readonly person: Uuid | undefined
  readonly role: Role
  readonly keep: BeforeCommit<Invited> | undefined
}

/** If an address has several invitations, only the newest works. */
async function storeInvitation(
  tx: Transaction,
  of: TeamOf,
  { row, url }: MadeLink,
  { person, role, keep }: Storing,
): Promise<Invited> {
  const { merchant } = of
  const { email, link_uuid, expires_at, mailed } = row
  const team = await refuseMember(tx, of, { person, role })
  void tx.run(deleteInvitations(merchant, { email }))
  const open = await tx.run(findInvitations(merchant, row.now, max_team))
  if (team.length + open.length >= max_team) refuseFullTeam()
  void tx.run(insertLink(row))
  record(tx, of, 'team.invite', `merchant:${merchant.merchant_id}`, {
    before: null,
    after: { email, role },
  })
  const invited = { link_uuid, email, role, expires_at, link: mailed ? null : url }
  await keep?.(tx, invited)
  return invited
}

async function refuseMember(
  tx: Transaction,
  of: TeamOf,
  { person, role }: Pick<Storing, 'person' | 'role'>,
): Promise<readonly MemberRow[]> {
  const team = await tx.run(lockTeam(of.merchant))
  refuseAbove(await standingNow(tx, of, team), role)
  if (team.some(({ staff_uuid }) => staff_uuid === person)) throw new DomainError({ kind: 'already_member' })
  if (team.length >= max_team) refuseFullTeam()
  return team
}

function refuseFullTeam(): never {
  return refuseFields({ field: 'email', rule: 'limit_reached', limit: max_team })
}

/**
 * Takes an open invitation back.
 * @throws DomainError `not_found`, `not_permitted`
 */
export function withdraw({ db }: StaffParts, of: TeamOf, link_uuid: Uuid): Promise<void> {
  return db.transaction(async (tx) => {
    await standingNow(tx, of, await tx.run(lockTeam(of.merchant)))
    const links = await tx.run(deleteInvitations(of.merchant, { link_uuid }))
    if (links.length === 0) throw new DomainError({ kind: 'not_found' })
    recordWithdrawn(tx, of.actor, links)
  })
}

/**
 * Gives a member another role, from their next request on: a session holds no role, so it goes on. Whoever no longer invites has
 * invited nobody.
 * @throws DomainError `not_found`, `not_permitted`, `last_owner`
 */
export function changeRole({ db, now }: StaffParts, of: TeamOf, { staff_uuid, role }: MemberRow): Promise<void> {
  const { merchant } = of
  return db.transaction(async (tx) => {
    const was = await lockMember(tx, of, staff_uuid)
    refuseAbove(was.standing, role)
    if (was.role === role) return
    if (was.is_last_owner) throw new DomainError({ kind: 'last_owner' })
    void tx.run(setMember(merchant, { staff_uuid, role }, now()))
    if (!mayDo(role, 'manage_team')) await withdrawBy(tx, of, staff_uuid)
    const { merchant_id } = merchant
    const change = { before: { merchant_id, role: was.role }, after: { merchant_id, role } }
    record(tx, of, 'team.role', `staff:${staff_uuid}`, change)
  })
}

/**
 * Removes somebody from a team, with the open invitations that they made or have: their next request no longer reaches the
 * merchant. Signs them out if they work nowhere else.
 * @throws DomainError `not_found`, `not_permitted`, `last_owner`
 */
export function removeMember(
  { db }: StaffParts,
  of: TeamOf,
  { staff_uuid, session_uuid }: { readonly staff_uuid: Uuid; readonly session_uuid: Uuid },
): Promise<void> {
  const { merchant } = of
  return db.transaction(async (tx) => {
    const was = await lockMember(tx, of, staff_uuid)
    if (was.is_last_owner) throw new DomainError({ kind: 'last_owner' })
    void tx.run(deleteMember(merchant, staff_uuid))
    const email = await withdrawBy(tx, of, staff_uuid)
    if (email !== undefined) recordWithdrawn(tx, of.actor, await tx.run(deleteInvitations(merchant, { email })))
    void tx.run(deleteIdleSessions(staff_uuid, session_uuid))
    const before = { merchant_id: merchant.merchant_id, role: was.role }
    record(tx, of, 'team.remove', `staff:${staff_uuid}`, { before, after: null })
  })
}

/** Takes back the open invitations that a person made to the team, which could bring them back; gives the person's address. */
async function withdrawBy(tx: Transaction, { merchant, actor }: TeamOf, staff_uuid: Uuid): Promise<Email | undefined> {
  const person = await tx.one(findStaff(staff_uuid))
  if (person !== undefined) recordWithdrawn(tx, actor, await tx.run(deleteInvitationsBy(person.email, merchant)))
  return person?.email
}

/** A member, not above whoever asks, whose team nobody else changes meanwhile. */
async function lockMember(tx: Transaction, of: TeamOf, staff_uuid: Uuid) {
  const team = await tx.run(lockTeam(of.merchant))
  const standing = await standingNow(tx, of, team)
  const member = team.find((one) => one.staff_uuid === staff_uuid)
  if (member === undefined) throw new DomainError({ kind: 'not_found' })
  refuseAbove(standing, member.role)
  const owners = team.filter(({ role }) => role === 'owner')
  return { ...member, standing, is_last_owner: member.role === 'owner' && owners.length === 1 }
}

/**
 * What the person who asks may do now, while nobody else can change the team: they may have been removed or disabled since
 * their request began.
 * @throws DomainError `not_permitted`
 */
async function standingNow(
  tx: Transaction,
  { standing, actor: { staff_uuid } }: TeamOf,
  team: readonly MemberRow[],
): Promise<Standing> {
  if (staff_uuid === undefined) return standing
  const person = await tx.one(lockStaff(staff_uuid))
  const member = team.find((one) => one.staff_uuid === staff_uuid)
  const now = standing === 'operator' && person?.is_operator === true ? standing : member?.role
  if (person?.disabled !== false || now === undefined || !mayDo(now, 'manage_team'))
    throw new DomainError({ kind: 'not_permitted' })
  return now
}

/** Nobody gives or takes a role above their own. */
function refuseAbove(standing: Standing, role: Role): void {
  if (standing !== 'operator' && roles.indexOf(role) < roles.indexOf(standing))
    throw new DomainError({ kind: 'not_permitted' })
}

function record(
  tx: Transaction,
  { merchant, actor }: Pick<TeamOf, 'merchant' | 'actor'>,
  action: Extract<AuditAction, `team.${string}`>,
  object: AuditObject,
  { before, after }: { readonly before: object | null; readonly after: object | null },
): void {
  audit(tx, actor, [{ program_id: merchant.program_id, action, object, before, after }])
}
