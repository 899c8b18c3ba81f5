import Type from 'typebox'
import { readEmail } from '../../domain/email.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { instant, nullable, object, text } from '../../http/api/fields.ts'
import type { StaffRequest } from '../../http/dashboard/route.ts'
import type { StaffServices } from './dashboard-parts.ts'
import {
  createOperator,
  type DisabledView,
  disablePerson,
  type OperatorParts,
  type OperatorView,
  recoverOperator,
} from './operators.ts'
import type { StaffParts } from './parts.ts'
import { findOperators, findStaff } from './queries.ts'

/** What operators do about each other: what `nuqta operator` does. */

const tag = 'Operators'
const most = 200
const linkData = object({
  email: Type.String(),
  link: Type.String({ description: 'Works once. It is shown only here.' }),
})
const sameLink = (answer: OperatorView): OperatorView => answer
const same = (answer: DisabledView): DisabledView => answer

export const listOperatorsRoute = {
  tag,
  summary: 'List the operators of the deployment by name',
  description: `The first ${most}.`,
  data: Type.Array(
    object({
      staff_uuid: Type.String(),
      name: Type.String(),
      email: Type.String(),
      you: Type.Boolean(),
      disabled: Type.Boolean(),
      second_factor: Type.Boolean(),
      last_seen_at: nullable(instant()),
    }),
  ),
  async handle({ session }: StaffRequest, { staff }: StaffServices) {
    const rows = await staff.db.run(findOperators(most))
    return rows.map(({ last_seen_at, ...row }) => ({
      ...row,
      you: row.staff_uuid === session.staff_uuid,
      last_seen_at: last_seen_at?.toISOString() ?? null,
    }))
  },
} as const

export const createOperatorRoute = {
  tag,
  summary: 'Make somebody an operator of the deployment',
  description: 'The answer has the link for their first sign-in: pass it on.',
  body: object({ email: text({ max: 254 }) }),
  data: linkData,
  async handle(request: StaffRequest<{ email: string }>, { staff }: StaffServices) {
    const { email } = request.body
    if (readEmail(email) === null) refuseFields({ field: 'email', rule: 'email' })
    return createOperator(
      { ...partsOf(staff, request), keep: request.once.keeping(sameLink) },
      { email, merchant: undefined },
    )
  },
} as const

export const recoverOperatorRoute = {
  tag,
  summary: 'Let an operator in who has lost the second factor',
  description:
    'Removes their factors and ends their sessions. The answer has the link to choose a new password: pass it on.',
  data: linkData,
  failures: ['not_found'],
  async handle(request: StaffRequest<undefined, 'staffUuid'>, { staff }: StaffServices) {
    const email = await emailOfOther(staff, request)
    return recoverOperator({ ...partsOf(staff, request), keep: request.once.keeping(sameLink) }, email)
  },
} as const

const disabledData = object({ email: Type.String(), disabled: Type.Boolean() })

export const disableOperatorRoute = {
  tag,
  summary: 'Keep an operator out',
  description: 'Ends their sessions, links and open invitations. Their roles stay.',
  data: disabledData,
  failures: ['not_found'],
  async handle(request: StaffRequest<undefined, 'staffUuid'>, { staff }: StaffServices) {
    const parts = { ...partsOf(staff, request), keep: request.once.keeping(same) }
    return disablePerson(parts, await emailOfOther(staff, request), true)
  },
} as const

export const enableOperatorRoute = {
  tag,
  summary: 'Let an operator in again who was kept out',
  data: disabledData,
  failures: ['not_found'],
  async handle(request: StaffRequest<undefined, 'staffUuid'>, { staff }: StaffServices) {
    const parts = { ...partsOf(staff, request), keep: request.once.keeping(same) }
    return disablePerson(parts, await emailOfOther(staff, request), false)
  },
} as const

function partsOf({ db, public_url, now }: StaffParts, { actor }: Pick<StaffRequest, 'actor'>): OperatorParts {
  return { db, public_url, now: now(), by: actor }
}

/** The address of an operator. Operators cannot disable themselves, so one always stays. */
async function emailOfOther(
  { db }: StaffParts,
  { params, session }: { readonly params: { readonly staffUuid: Uuid }; readonly session: StaffRequest['session'] },
): Promise<string> {
  const person = await db.one(findStaff(params.staffUuid))
  if (person === undefined || !person.is_operator) throw new DomainError({ kind: 'not_found' })
  if (person.staff_uuid === session.staff_uuid) throw new DomainError({ kind: 'not_permitted' })
  return person.email
}
