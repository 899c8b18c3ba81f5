import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Email } from '../../domain/email.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Factors } from '../../domain/sign-in.ts'

/** A person, with what signing in needs to know. */
export interface StaffRow {
  readonly staff_uuid: Uuid
  readonly email: Email
  readonly name: string
  readonly password_hash: string | null
  readonly locale: Locale | null
  readonly is_operator: boolean
  readonly disabled: boolean
  readonly email_proven_at: Date | null
  readonly totp_secret: Buffer | null
  readonly totp_confirmed_at: Date | null
}

const columns = [
  ...(['staff_uuid', 'email', 'name', 'password_hash', 'locale', 'is_operator', 'disabled'] as const),
  ...(['email_proven_at', 'totp_secret', 'totp_confirmed_at'] as const),
] as const

export function findStaffByEmail(email: Email): CompiledQuery<StaffRow> {
  return builder.selectFrom('staff').select(columns).where('email', '=', email).$castTo<StaffRow>().compile()
}

export function findStaff(staff_uuid: Uuid): CompiledQuery<StaffRow> {
  return builder.selectFrom('staff').select(columns).where('staff_uuid', '=', staff_uuid).$castTo<StaffRow>().compile()
}

/** A person, locked until the transaction ends: changes of the account follow one another. */
export function lockStaff(staff_uuid: Uuid): CompiledQuery<StaffRow> {
  return builder
    .selectFrom('staff')
    .select(columns)
    .where('staff_uuid', '=', staff_uuid)
    .forUpdate()
    .$castTo<StaffRow>()
    .compile()
}

export interface NewStaff {
  readonly staff_uuid: Uuid
  readonly email: Email
  readonly name: string
  readonly password_hash: string | null
  readonly locale: Locale | null
  readonly is_operator: boolean
  readonly email_proven_at: Date | null
  readonly now: Date
}

/** Adds a person; gives nothing if the address is taken. */
export function insertStaff({ now, ...row }: NewStaff): CompiledQuery<{ staff_uuid: Uuid }> {
  return builder
    .insertInto('staff')
    .values({ ...row, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('staff_uuid')
    .$castTo<{ staff_uuid: Uuid }>()
    .compile()
}

export interface StaffChanges {
  readonly name?: string
  readonly locale?: Locale | null
  readonly password_hash?: string | null
  readonly is_operator?: boolean
  readonly disabled?: boolean
  readonly email_proven_at?: Date
  readonly totp_secret?: Buffer | null
  readonly totp_confirmed_at?: Date | null
  readonly totp_last_step?: number | null
}

export function updateStaff(staff_uuid: Uuid, changes: StaffChanges, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('staff')
    .set({ ...changes, updated_at: now })
    .where('staff_uuid', '=', staff_uuid)
    .compile()
}

/**
 * Replaces a hash by one of the same password with today's parameters; gives nothing if the hash has changed meanwhile, as
 * with a new password.
 */
export function rehash(staff_uuid: Uuid, was: string, password_hash: string): CompiledQuery<{ staff_uuid: Uuid }> {
  return builder
    .updateTable('staff')
    .set({ password_hash })
    .where('staff_uuid', '=', staff_uuid)
    .where('password_hash', '=', was)
    .returning('staff_uuid')
    .$castTo<{ staff_uuid: Uuid }>()
    .compile()
}

/** Uses the code of a step of time; gives nothing if that one or a later one was used before. */
export function useTotpStep(staff_uuid: Uuid, step: number): Statement<{ staff_uuid: Uuid }> {
  return {
    text: `update staff set totp_last_step = $2 where staff_uuid = $1 and totp_confirmed_at is not null
        and (totp_last_step is null or totp_last_step < $2) returning staff_uuid`,
    values: [staff_uuid, step],
  }
}

export interface OperatorRow {
  readonly staff_uuid: Uuid
  readonly email: Email
  readonly name: string
  readonly disabled: boolean
  readonly second_factor: boolean
  readonly last_seen_at: Date | null
}

/** The operators of the deployment by name. */
export function findOperators(limit: number): Statement<OperatorRow> {
  return {
    text: `select s.staff_uuid, s.email, s.name, s.disabled,
        s.totp_confirmed_at is not null or exists (select from staff_passkey p where p.staff_uuid = s.staff_uuid)
          as second_factor,
        (select max(i.seen_at) from staff_session i where i.staff_uuid = s.staff_uuid) as last_seen_at
      from staff s where s.is_operator order by lower(s.name), s.staff_uuid limit $1`,
    values: [limit],
  }
}

/** The second factors of an account. */
export function findFactors(staff_uuid: Uuid): Statement<Factors> {
  return {
    text: `select s.totp_confirmed_at is not null as totp,
        (select count(*) from staff_passkey p where p.staff_uuid = $1) as passkeys,
        (select count(*) from staff_recovery_code c where c.staff_uuid = $1) as recovery_codes
      from staff s where s.staff_uuid = $1`,
    values: [staff_uuid],
  }
}
