import Type from 'typebox'
import { DomainError } from '../../domain/failures.ts'
import { adjustmentLimits, permissionNames, permissionsOf, type Role, roles } from '../../domain/staff.ts'
import { instant, nullable, object, oneOf, text } from '../../http/api/fields.ts'
import type { MerchantRequest, StaffRequest } from '../../http/dashboard/route.ts'
import type { StaffServices } from './dashboard-parts.ts'
import { listMails } from './shown-mails.ts'
import { changeRole, type Invited, invite, readTeam, removeMember, type TeamOf, withdraw } from './team.ts'

const tag = 'Team'

const invitationData = {
  link_uuid: Type.String(),
  email: Type.String(),
  role: oneOf(roles),
  expires_at: instant(),
}

const teamOf = ({ merchant, standing, actor }: MerchantRequest<unknown, string>): TeamOf => ({
  merchant,
  standing,
  actor,
})

const roleTable = roles.map((role) => ({
  role,
  permissions: permissionsOf(role),
  adjustment_limit: adjustmentLimits[role],
}))

export const readTeamRoute = {
  tag,
  summary: 'Read the team and its open invitations',
  data: object({
    members: Type.Array(
      object({
        staff_uuid: Type.String(),
        email: Type.String(),
        name: Type.String(),
        role: oneOf(roles),
        disabled: Type.Boolean(),
        second_factor: Type.Boolean(),
        last_seen_at: nullable(instant()),
        joined_at: instant(),
      }),
    ),
    invitations: Type.Array(object({ ...invitationData, invited_by: nullable(Type.String()), created_at: instant() })),
    roles: Type.Array(
      object({
        role: oneOf(roles),
        permissions: Type.Array(oneOf(permissionNames)),
        adjustment_limit: nullable(Type.Integer(), {
          description: 'The most points of one adjustment of a wallet; null for no limit.',
        }),
      }),
      { description: 'What each role may do.' },
    ),
  }),
  async handle({ merchant }: MerchantRequest, { staff }: StaffServices) {
    const { members, invitations } = await readTeam(staff, merchant)
    return {
      members: members.map(({ created_at, last_seen_at, ...member }) => ({
        ...member,
        last_seen_at: last_seen_at?.toISOString() ?? null,
        joined_at: created_at.toISOString(),
      })),
      invitations: invitations.map(({ link_uuid, email, role, invited_by, expires_at, created_at }) => {
        const times = { expires_at: expires_at.toISOString(), created_at: created_at.toISOString() }
        return { link_uuid, email, role, invited_by, ...times }
      }),
      roles: roleTable,
    }
  },
} as const

const viewInvited = ({ expires_at, ...invited }: Invited) => ({ ...invited, expires_at: expires_at.toISOString() })

export const inviteRoute = {
  tag,
  summary: 'Invite somebody to the team',
  description: 'The link is mailed. Where no mail server is set, the answer has it, to be passed on.',
  body: object({ email: text({ max: 254 }), role: oneOf(roles) }),
  data: object({ ...invitationData, link: nullable(Type.String()) }),
  failures: ['already_member', 'too_many_sign_ins', 'mail_not_sent'],
  async handle(request: MerchantRequest<{ email: string; role: Role }>, { staff }: StaffServices) {
    const keep = request.once.keeping(viewInvited)
    return viewInvited(await invite(staff, teamOf(request), { ...request.body, keep }))
  },
} as const

export const withdrawRoute = {
  tag,
  summary: 'Take an invitation back',
  data: object({}),
  failures: ['not_found'],
  async handle(request: MerchantRequest<undefined, 'linkUuid'>, { staff }: StaffServices) {
    await withdraw(staff, teamOf(request), request.params.linkUuid)
    return {}
  },
} as const

export const changeRoleRoute = {
  tag,
  summary: 'Give a member another role',
  description: 'From their next request on. The open invitations of whoever may no longer invite are taken back.',
  body: object({ role: oneOf(roles) }),
  data: object({}),
  failures: ['not_found', 'last_owner'],
  async handle(request: MerchantRequest<{ role: Role }, 'staffUuid'>, { staff }: StaffServices) {
    const { params, body } = request
    const change = { staff_uuid: params.staffUuid, role: body.role }
    await changeRole(staff, teamOf(request), change)
    return {}
  },
} as const

export const removeMemberRoute = {
  tag,
  summary: 'Take somebody out of the team',
  description:
    'The merchant is out of their reach at once, and the open invitations that they made are taken back. Whoever works nowhere else is signed out.',
  data: object({}),
  failures: ['not_found', 'last_owner'],
  async handle(request: MerchantRequest<undefined, 'staffUuid'>, { staff }: StaffServices) {
    const { params, session } = request
    await removeMember(staff, teamOf(request), { staff_uuid: params.staffUuid, session_uuid: session.session_uuid })
    return {}
  },
} as const

export const listMailsRoute = {
  tag: 'Sandbox',
  summary: 'List the mails that a sandbox has not sent',
  description:
    'The newest first, at most a hundred. For operators: the links open accounts. 404 in production, and where the sandbox has a mail server.',
  data: Type.Array(
    object({
      mail_uuid: Type.String(),
      to: Type.String(),
      subject: Type.String(),
      text: Type.String(),
      html: Type.String(),
      created_at: instant(),
    }),
  ),
  failures: ['not_found'],
  async handle(_request: StaffRequest, { staff }: StaffServices) {
    if (staff.mail?.name !== 'sandbox') throw new DomainError({ kind: 'not_found' })
    return (await listMails(staff)).map(({ created_at, ...mail }) => ({
      ...mail,
      created_at: created_at.toISOString(),
    }))
  },
} as const
