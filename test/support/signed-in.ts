import type { Uuid } from '../../src/domain/ids.ts'
import type { Role, Session } from '../../src/domain/staff.ts'
import type { DashboardAuth } from '../../src/http/dashboard/auth.ts'

/** The CSRF token of every request that changes something. */
const csrf = 'the token of a session of the tests'

/** A role at a merchant. */
export interface Place {
  readonly program_id: number
  readonly merchant_id: number
  readonly role: Role
}

/** The cookie of somebody's session. */
export const cookieOf = (role: Role | 'operator'): string => `__Host-nuqta-session=${role}.${token_end}`

/** Every token ends with it, so that a test can search a log for tokens. */
const token_end = 'n0b0dy-may-read-this'

/** Accepts tokens that begin with a role: an operator's, or a role at one of the places. */
export function signedInAs(places: readonly Place[]): Pick<DashboardAuth, 'readSession' | 'readStanding'> {
  return {
    readSession: async (token) => (token === undefined ? null : sessionOf(token.split('.', 1)[0] ?? '', places)),
    readStanding: async (_, session) => session,
  }
}

function sessionOf(role: string, places: readonly Place[]): Session | null {
  const held = places.filter((place) => place.role === role)
  if (held.length === 0 && role !== 'operator') return null
  return {
    session_uuid: '0193e7a1-0000-7000-8000-000000000001' as Uuid,
    staff_uuid: '0193e7a1-0000-7000-8000-000000000002' as Uuid,
    email: `${role}@shop.example`,
    name: role,
    locale: 'en',
    is_operator: role === 'operator',
    memberships: held.map((place) => ({ ...place, merchant_name: 'Shop', merchant_name_ar: null })),
    csrf,
    started_at: new Date(),
  }
}
