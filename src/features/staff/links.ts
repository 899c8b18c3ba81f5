import { audit } from '../../db/audit.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import type { Email } from '../../domain/email.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { type LinkPurpose, linkTimes } from '../../domain/sign-in.ts'
import { after } from '../../domain/spans.ts'
import type { Role, Session } from '../../domain/staff.ts'
import { hashSecret, isSecretText, newSecretText, newUuid } from '../../lib/ids.ts'
import { findLink, type InvitationRow, type LinkRow, type NewLink } from './link-queries.ts'
import { findMerchantName } from './member-queries.ts'
import type { StaffParts } from './parts.ts'
import { findStaff, findStaffByEmail, type StaffRow } from './queries.ts'

/** Links that work once. The token stands behind `#`, so that no server and no log on the way sees it. */

export interface Invitation extends MerchantKey {
  readonly role: Role
  readonly invited_by: string
}

export interface LinkFor {
  readonly purpose: LinkPurpose
  readonly email: Email
  readonly mailed: boolean
  /** Whose account it opens, or what it invites to. */
  readonly to: Uuid | Invitation
}

/** A link that is not stored yet. */
export interface MadeLink {
  readonly row: NewLink
  readonly url: string
}

export function makeLink(public_url: string, { purpose, email, mailed, to }: LinkFor, now: Date): MadeLink {
  const token = newSecretText()
  const nobody = { program_id: null, merchant_id: null, role: null, invited_by: null }
  const target = typeof to === 'string' ? { ...nobody, staff_uuid: to } : { ...to, staff_uuid: null }
  const expires_at = after(now, linkTimes[purpose])
  const row = {
    link_uuid: newUuid(),
    token_hash: hashSecret(token),
    purpose,
    email,
    mailed,
    expires_at,
    now,
    ...target,
  }
  return { row, url: `${public_url}/dashboard/link#${token}` }
}

function hashOfToken(token: string): Buffer {
  if (!isSecretText(token)) throw new DomainError({ kind: 'link_invalid' })
  return hashSecret(token)
}

/** Records which invitations were taken back. */
export function recordWithdrawn(tx: Transaction, by: Actor, invitations: readonly InvitationRow[]): void {
  const changes = invitations.map(({ program_id, merchant_id, role, email }) => {
    const change = { object: `merchant:${merchant_id}`, before: { email, role }, after: null } as const
    return { program_id, merchant_id, action: 'team.withdraw', ...change } as const
  })
  audit(tx, by, changes)
}

/** A link that can be used, with the person whose address it has. */
export interface OpenLink {
  readonly link: LinkRow
  readonly person: StaffRow | undefined
  readonly token_hash: Buffer
}

/** @throws DomainError `link_invalid` for one that is unknown, used or expired, or of a disabled person */
export async function findOpenLink({ db, now }: StaffParts, token: string): Promise<OpenLink> {
  const token_hash = hashOfToken(token)
  const link = await db.one(findLink(token_hash))
  if (link === undefined || link.used_at !== null || link.expires_at <= now())
    throw new DomainError({ kind: 'link_invalid' })
  const person = await db.one(link.staff_uuid === null ? findStaffByEmail(link.email) : findStaff(link.staff_uuid))
  if (person?.disabled === true || (link.staff_uuid !== null && person === undefined))
    throw new DomainError({ kind: 'link_invalid' })
  return { link, person, token_hash }
}

/**
 * What whoever opens a link has to do: choose a name and a password, a password alone, sign in with the address that it was sent
 * to, or just confirm.
 */
export type LinkNeeds = 'account' | 'password' | 'sign_in' | 'nothing'

export interface LinkView {
  readonly purpose: LinkPurpose
  readonly email: string
  readonly needs: LinkNeeds
  readonly name: string | null
  readonly locale: Locale | null
  readonly merchant_name: string | null
  readonly merchant_name_ar: string | null
  readonly role: Role | null
  readonly invited_by: string | null
  readonly expires_at: string
}

/** Says what a link is for, without using it. */
export async function openLink(parts: StaffParts, token: string, session: Session | undefined): Promise<LinkView> {
  const found = await findOpenLink(parts, token)
  const { purpose, email, role, invited_by, program_id, merchant_id, expires_at } = found.link
  const shop =
    program_id === null || merchant_id === null
      ? undefined
      : await parts.db.one(findMerchantName({ program_id, merchant_id }))
  const needs = needsOf(parts, found, session)
  const { person } = found
  // The person who invites may have the link too, and must not learn anything about the person who has the address.
  const isTheirs = purpose !== 'invitation' || needs === 'nothing'
  return {
    ...{ purpose, email, needs, role, invited_by },
    ...(isTheirs ? { name: person?.name ?? null, locale: person?.locale ?? null } : { name: null, locale: null }),
    merchant_name: shop?.name ?? null,
    merchant_name_ar: shop?.name_ar ?? null,
    expires_at: expires_at.toISOString(),
  }
}

export function needsOf({ environment }: StaffParts, { link, person }: OpenLink, session?: Session): LinkNeeds {
  if (link.purpose === 'first_sign_in') return environment === 'sandbox' ? 'nothing' : 'account'
  if (link.purpose !== 'invitation') return 'password'
  if (person === undefined) return 'account'
  return session?.staff_uuid === person.staff_uuid ? 'nothing' : 'sign_in'
}
