import { sessionTimes } from '../../domain/sign-in.ts'
import { DashboardAnswer } from '../../http/dashboard/answers.ts'
import { sessionCookie } from '../../http/dashboard/auth.ts'
import type { OpenRequest } from '../../http/dashboard/route.ts'
import type { Cookie } from '../../http/pages/page.ts'
import type { StaffParts } from './parts.ts'
import type { Background } from './reset.ts'
import type { Caller, NeedsFactor, SignedIn } from './sign-in.ts'

/** What the dashboard's endpoints about people need. */
export interface StaffServices {
  readonly staff: StaffParts & { readonly background: Background }
}

/** Who has signed in in this browser. It raises limits and opens nothing. */
const knownCookie = '__Host-nuqta-staff'
const known_age_s = 30 * 86_400

export function callerOf({
  client_address,
  headers,
  cookies,
}: Pick<OpenRequest, 'client_address' | 'headers' | 'cookies'>): Caller {
  const agent = headers['user-agent']
  const user_agent = typeof agent === 'string' ? agent : undefined
  return { visitor: { address: client_address, user_agent }, known: cookies[knownCookie] }
}

export function sessionCookieOf(token: string): Cookie {
  const max_age_s = sessionTimes.longest_ms / 1_000
  return { name: sessionCookie, value: token, max_age_s, same_site: 'strict' }
}

export const noSessionCookie: Cookie = { name: sessionCookie, value: '', max_age_s: 0, same_site: 'strict' }

/** The answer to a sign-in: cookies when it is complete, else what is missing. */
export function signInAnswer(result: SignedIn | NeedsFactor): DashboardAnswer {
  if (result.kind === 'second_factor') {
    const { ticket, methods } = result
    return new DashboardAnswer({ signed_in: false, second_factor: { ticket, methods } })
  }
  const known = { name: knownCookie, value: result.known, max_age_s: known_age_s, same_site: 'strict' } as const
  const cookies = [sessionCookieOf(result.token), ...(result.known === '' ? [] : [known])]
  return new DashboardAnswer({ signed_in: true, second_factor: null }, { cookies })
}
