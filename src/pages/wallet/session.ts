import type { Environment } from '../../config/config.ts'
import type { MeetCustomer, Onboard } from '../../features/customers/onboarding.ts'
import type { OtpServices } from '../../features/otp/service.ts'
import type {
  ProgramView,
  ReadHistory,
  ReadProgram,
  ReadStatement,
  ReadWaiting,
  ReadWallet,
} from '../../features/wallet/service.ts'
import type { WalletSession, WalletSessions } from '../../features/wallet/session.ts'
import { type Cookie, type Page, type PageRequest, redirect } from '../../http/pages/page.ts'
import type { Clock } from '../../lib/clock.ts'
import { walletLink } from './frame.ts'

/** What the pages of the wallet ask. */
export interface WalletServices extends OtpServices {
  readonly environment: Environment
  /** The clock of business; codes and sessions go by the machine's. */
  readonly clock: Clock
  readonly walletSessions: WalletSessions
  readonly meetCustomer: MeetCustomer
  readonly onboard: Onboard
  readonly readProgram: ReadProgram
  readonly readWaiting: ReadWaiting
  readonly readWallet: ReadWallet
  readonly readHistory: ReadHistory
  readonly readStatement: ReadStatement
}

/** Names the sign-in of this browser. */
const sessionCookie = '__Host-nuqta-wallet'

/** Not longer than a sign-in lasts. */
const proven_age_s = 7 * 86_400

/** A request for the wallet of a program, and who it is from. */
export interface Visit {
  readonly request: PageRequest
  readonly services: WalletServices
  readonly program: ProgramView
  readonly token: string | undefined
  /** Null for nobody, for a sign-in that has ended, and for one to another program. */
  readonly session: WalletSession | null
  /** Whether the browser brings a sign-in that has ended. */
  readonly ended: boolean
}

/** Null when there is no program of the name that the reader has given. */
export async function visitOf(request: PageRequest, services: WalletServices): Promise<Visit | null> {
  const token = request.cookies[sessionCookie]
  const [program, session] = await Promise.all([
    programOf(request, services),
    token === undefined ? null : services.walletSessions.read(token),
  ])
  if (program === null) return null
  const isHere = session !== null && session.program_id === program.program_id
  return {
    request,
    services,
    program,
    token,
    session: isHere ? session : null,
    ended: token !== undefined && session === null,
  }
}

/** The program of the address; the deployment's first where it names none. */
async function programOf(
  { query }: PageRequest,
  { readProgram }: Pick<WalletServices, 'readProgram'>,
): Promise<ProgramView | null> {
  const named = query['program']
  if (named === undefined) return readProgram(null)
  return /^[1-9][0-9]{0,14}$/.test(named) ? readProgram(Number(named)) : null
}

/** Back to the wallet, which shows what is next. */
export function toWallet(
  { request }: Visit,
  more: Readonly<Record<string, string>> = {},
  cookies: readonly Cookie[] = [],
): Page {
  return redirect(walletLink(request, '/wallet', more), cookies)
}

/** A sign-in that is not proven ends with the browser's window. */
export function beginCookie(token: string): Cookie {
  return { name: sessionCookie, value: token }
}

export function provenCookie(token: string): Cookie {
  return { name: sessionCookie, value: token, max_age_s: proven_age_s }
}

export const endedCookie: Cookie = { name: sessionCookie, value: '', max_age_s: 0 }
