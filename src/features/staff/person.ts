import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  max_password_characters,
  min_password_characters,
  type PasswordProblem,
  type Personal,
  passwordProblem,
} from '../../domain/password.ts'
import { type Factors, signInLimits } from '../../domain/sign-in.ts'
import type { Session } from '../../domain/staff.ts'
import { attempt, comparing } from './attempts.ts'
import type { StaffParts } from './parts.ts'
import { findFactors, findStaff, type StaffRow } from './queries.ts'

/** Finds a person who must exist: their session was read a moment ago. */
export async function requirePerson(
  { db }: Pick<StaffParts, 'db'>,
  { staff_uuid }: Pick<Session, 'staff_uuid'>,
): Promise<StaffRow> {
  const person = await db.one(findStaff(staff_uuid))
  if (person === undefined) throw new DomainError({ kind: 'not_signed_in' })
  return person
}

export async function factorsOf({ db }: Pick<StaffParts, 'db'>, staff_uuid: Uuid): Promise<Factors> {
  return (await db.one(findFactors(staff_uuid))) ?? { totp: false, passkeys: 0, recovery_codes: 0 }
}

/** @throws DomainError `confirm_password`, or `too_many_sign_ins` after too many wrong ones */
export function confirmPassword(
  { limits, passwords }: StaffParts,
  { staff_uuid, password_hash }: StaffRow,
  password: string,
): Promise<void> {
  return attempt(limits, [{ limit: signInLimits.confirm, whom: [staff_uuid] }], async () => {
    const { right } = await comparing(limits, ['person', staff_uuid], () => passwords.verify(password, password_hash))
    if (!right) throw new DomainError({ kind: 'confirm_password' })
  })
}

const problemRules = {
  too_short: { rule: 'min_string', limit: min_password_characters },
  too_long: { rule: 'max_string', limit: max_password_characters },
  common: { rule: 'password_common' },
  personal: { rule: 'password_personal' },
} as const satisfies Readonly<Record<PasswordProblem, object>>

/** @throws DomainError `validation` of the field `password` */
export function checkPassword(password: string, whose: Personal): void {
  const problem = passwordProblem(password, whose)
  if (problem === null) return
  refuseFields({ field: 'password', ...problemRules[problem] })
}
