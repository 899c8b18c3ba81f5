import type { DataOf } from '../../api/client.ts'
import type { Paging } from '../../parts/paging.ts'

export const team_path = '/merchants/{merchantId}/team'

type Team = DataOf<typeof team_path, 'get'>
export type Member = Team['members'][number]
export type Invitation = Team['invitations'][number]
export type RoleRow = Team['roles'][number]
export type Role = Member['role']

/** The most powerful first. */
export const roles = ['owner', 'manager', 'support', 'read_only'] as const satisfies readonly Role[]

/** A team has one page. */
export const one_page: Paging = {
  query: {},
  toFirst: undefined,
  toPrevious: undefined,
  toNext: () => undefined,
}
