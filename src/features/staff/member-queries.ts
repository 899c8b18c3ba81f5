import type { Statement } from '../../db/statement.ts'
import type { Email } from '../../domain/email.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { Role } from '../../domain/staff.ts'

export interface MemberRow {
  readonly staff_uuid: Uuid
  readonly role: Role
}

/** Everybody in a merchant's team, locked until the transaction ends: two changes of a team follow one another. */
export function lockTeam({ program_id, merchant_id }: MerchantKey): Statement<MemberRow> {
  return {
    text: `select staff_uuid, role from staff_membership where program_id = $1 and merchant_id = $2
      order by staff_uuid for update`,
    values: [program_id, merchant_id],
  }
}

export interface TeamRow extends MemberRow {
  readonly email: Email
  readonly name: string
  readonly disabled: boolean
  readonly second_factor: boolean
  readonly last_seen_at: Date | null
  readonly created_at: Date
}

/** A merchant's team as it is shown. */
export function findTeam({ program_id, merchant_id }: MerchantKey, limit: number): Statement<TeamRow> {
  return {
    text: `select m.staff_uuid, m.role, s.email, s.name, s.disabled, m.created_at,
        s.totp_confirmed_at is not null or exists (select from staff_passkey p where p.staff_uuid = m.staff_uuid)
          as second_factor,
        (select max(i.seen_at) from staff_session i where i.staff_uuid = m.staff_uuid) as last_seen_at
      from staff_membership m join staff s on s.staff_uuid = m.staff_uuid
      where m.program_id = $1 and m.merchant_id = $2 order by s.name, m.staff_uuid limit $3`,
    values: [program_id, merchant_id, limit],
  }
}

/** Adds somebody to a team, or changes their role there. */
export function setMember(key: MerchantKey, { staff_uuid, role }: MemberRow, now: Date): Statement<never> {
  return {
    text: `insert into staff_membership (program_id, merchant_id, staff_uuid, role, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5)
      on conflict (program_id, merchant_id, staff_uuid) do update set role = excluded.role, updated_at = excluded.updated_at`,
    values: [key.program_id, key.merchant_id, staff_uuid, role, now],
  }
}

export function deleteMember({ program_id, merchant_id }: MerchantKey, staff_uuid: Uuid): Statement<never> {
  return {
    text: 'delete from staff_membership where program_id = $1 and merchant_id = $2 and staff_uuid = $3',
    values: [program_id, merchant_id, staff_uuid],
  }
}

/** The names of a merchant, for its invitations. */
export function findMerchantName({
  program_id,
  merchant_id,
}: MerchantKey): Statement<{ name: string; name_ar: string | null }> {
  return {
    text: 'select name, name_ar from merchant where program_id = $1 and merchant_id = $2',
    values: [program_id, merchant_id],
  }
}
