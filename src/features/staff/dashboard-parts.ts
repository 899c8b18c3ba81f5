import { known_for_s } from '../../domain/otp.ts'
import { challenge_ms, sessionTimes } from '../../domain/sign-in.ts'
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

/** How an endpoint can refuse that asks for the password again. */
export const confirmFailures = ['confirm_password', 'too_many_sign_ins', 'sign_in_busy'] as const

/** Who has signed in in this browser. It raises limits and opens nothing. */
const knownCookie = '__Host-nuqta-staff'
/** Names the person whose password was right a moment ago. */
const ticketCookie = '__Host-nuqta-ticket'

export function ticketOf({ cookies }: Pick<OpenRequest, 'cookies'>): string {
  return cookies[ticketCookie] ?? ''
}

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
    const ticket = {
      name: ticketCookie,
      value: result.ticket,
      max_age_s: challenge_ms / 1_000,
      same_site: 'strict',
    } as const
    return new DashboardAnswer({ state: 'second_factor', factors: result.methods }, { cookies: [ticket] })
  }
  const known = { name: knownCookie, value: result.known, max_age_s: known_for_s, same_site: 'strict' } as const
  const cookies = [sessionCookieOf(result.token), ...(result.known === '' ? [] : [known])]
  return new DashboardAnswer({ state: 'signed_in', factors: [] }, { cookies })
}
