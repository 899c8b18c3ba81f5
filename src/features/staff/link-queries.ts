import type { Statement } from '../../db/statement.ts'
import type { Email } from '../../domain/email.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { LinkPurpose } from '../../domain/sign-in.ts'
import type { Role } from '../../domain/staff.ts'

interface LinkBase {
  readonly link_uuid: Uuid
  readonly purpose: LinkPurpose
  readonly email: Email
  /** Whose account it opens; null for an invitation. */
  readonly staff_uuid: Uuid | null
  /** Of an invitation. */
  readonly program_id: number | null
  readonly merchant_id: number | null
  readonly role: Role | null
  readonly invited_by: string | null
  /** The token went to the address alone. */
  readonly mailed: boolean
  readonly expires_at: Date
}

export interface NewLink extends LinkBase {
  readonly token_hash: Buffer
  readonly now: Date
}

export interface LinkRow extends LinkBase {
  readonly used_at: Date | null
  readonly created_at: Date
}

/** An invitation that is taken back. */
export interface InvitationRow extends MerchantKey {
  readonly role: Role
  readonly email: Email
}

const names = 'link_uuid, purpose, email, staff_uuid, program_id, merchant_id, role, invited_by, mailed, expires_at'

export function insertLink(link: NewLink): Statement<never> {
  const { link_uuid, purpose, email, staff_uuid, program_id, merchant_id, role, invited_by, mailed, expires_at } = link
  const values = [link_uuid, purpose, email, staff_uuid, program_id, merchant_id, role, invited_by, mailed, expires_at]
  return {
    text: `insert into staff_link (${names}, token_hash, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [...values, link.token_hash, link.now],
  }
}

/** The link of a token, used, expired or neither. */
export function findLink(token_hash: Buffer): Statement<LinkRow> {
  return { text: `select ${names}, used_at, created_at from staff_link where token_hash = $1`, values: [token_hash] }
}

/** Uses a link; gives nothing if it was used or has expired. Of two who try at once, one waits and gets nothing. */
export function useLink(token_hash: Buffer, now: Date): Statement<LinkRow> {
  return {
    text: `update staff_link set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2
      returning ${names}, used_at, created_at`,
    values: [token_hash, now],
  }
}

/** Takes back every unused link of a person. */
export function deleteLinksOf(staff_uuid: Uuid): Statement<never> {
  return {
    text: `delete from staff_link where staff_uuid = $1 and purpose <> 'invitation' and used_at is null`,
    values: [staff_uuid],
  }
}

/** The open invitations of a merchant, the newest first. */
export function findInvitations(
  { program_id, merchant_id }: MerchantKey,
  now: Date,
  limit: number,
): Statement<LinkRow> {
  return {
    text: `select ${names}, used_at, created_at from staff_link
      where program_id = $1 and merchant_id = $2 and purpose = 'invitation' and used_at is null and expires_at > $3
      order by created_at desc, link_uuid desc limit $4`,
    values: [program_id, merchant_id, now, limit],
  }
}

/** Takes back the open invitations of an address to a merchant, or the one with an id. */
export function deleteInvitations(
  { program_id, merchant_id }: MerchantKey,
  of: { readonly email: Email } | { readonly link_uuid: Uuid },
): Statement<InvitationRow> {
  const [condition, value] = 'email' in of ? ['email = $3', of.email] : ['link_uuid = $3', of.link_uuid]
  return {
    text: `delete from staff_link where program_id = $1 and merchant_id = $2 and purpose = 'invitation' and used_at is null
        and ${condition} returning program_id, merchant_id, role, email`,
    values: [program_id, merchant_id, value],
  }
}

/** Takes back the open invitations that somebody made, at a merchant or at any. */
export function deleteInvitationsBy(email: Email, at: MerchantKey | null): Statement<InvitationRow> {
  return {
    text: `delete from staff_link where invited_by = $1 and purpose = 'invitation' and used_at is null
        and ($2::integer is null or (program_id = $2 and merchant_id = $3))
      returning program_id, merchant_id, role, email`,
    values: [email, at?.program_id ?? null, at?.merchant_id ?? null],
  }
}

/** Deletes up to `count` links that expired before `before`. */
export function deleteEndedLinks(before: Date, count: number): Statement<{ link_uuid: Uuid }> {
  return {
    text: `delete from staff_link where link_uuid in (
        select link_uuid from staff_link where expires_at < $1 order by expires_at limit $2) returning link_uuid`,
    values: [before, count],
  }
}
