import type { Environment } from '../../config/config.ts'
import { parseId } from '../../domain/ids.ts'
import { type Operator, operatorOf } from '../../domain/operator.ts'
import type { FindCustomerOf, HasConsented, Onboard } from '../../features/earning/onboarding.ts'
import type { RememberedServices } from '../../features/otp/remembered.ts'
import type { OtpServices } from '../../features/otp/service.ts'
import type { CardServices } from '../../features/wallet/card.ts'
import type {
  ProgramView,
  ReadHistory,
  ReadProgram,
  ReadStatement,
  ReadWaiting,
  ReadWallet,
} from '../../features/wallet/service.ts'
import { longest_session_ms, type WalletSession, type WalletSessions } from '../../features/wallet/session.ts'
import { type Cookie, type Page, type PageRequest, redirect } from '../../http/pages/page.ts'
import type { Clock } from '../../lib/clock.ts'
import { type WalletPlace, walletLink } from './frame.ts'

/** The services that the wallet's pages use. */
export interface WalletServices extends OtpServices, RememberedServices, CardServices {
  readonly environment: Environment
  /** Who runs the deployment. */
  readonly operator: Operator
  /** The business clock. Codes and sessions use the system clock. */
  readonly clock: Clock
  readonly walletSessions: WalletSessions
  readonly findCustomerOf: FindCustomerOf
  readonly hasConsented: HasConsented
  readonly onboard: Onboard
  readonly readProgram: ReadProgram
  readonly readWaiting: ReadWaiting
  readonly readWallet: ReadWallet
  readonly readHistory: ReadHistory
  readonly readStatement: ReadStatement
}

/** Holds the session token of this browser. */
const cookie_name = '__Host-nuqta-wallet'

/** A request for a program's wallet, with the session that it belongs to. */
export interface Visit {
  readonly request: PageRequest
  readonly services: WalletServices
  readonly program: ProgramView
  readonly token: string | undefined
  /** Null without a session, after the session ended, and when it belongs to another program. */
  readonly session: WalletSession | null
  /** Whether the browser sent the token of a session that has ended. */
  readonly session_ended: boolean
}

/** Reads the program and the session of a request. Null when the program does not exist. */
export async function readVisit(request: PageRequest, services: WalletServices): Promise<Visit | null> {
  const token = request.cookies[cookie_name]
  const [program, session] = await Promise.all([
    readProgramOf(request, services),
    token === undefined ? null : services.walletSessions.read(token),
  ])
  if (program === null) return null
  const isOfProgram = session !== null && session.program_id === program.program_id
  return {
    request,
    services,
    program,
    token,
    session: isOfProgram ? session : null,
    session_ended: token !== undefined && session === null,
  }
}

/** The program that the query names, else the deployment's first. */
export async function readProgramOf(
  { query }: PageRequest,
  { readProgram }: Pick<WalletServices, 'readProgram'>,
): Promise<ProgramView | null> {
  if (query['program'] === undefined) return readProgram(null)
  const program_id = parseId(query['program'])
  return program_id === null ? null : readProgram(program_id)
}

/** The name of a deployment's first program until somebody gives it one. */
const unnamed_program = 'Default'

/** What pages say about their service. A program that does not exist has no operator. */
export function placeOf({ environment, operator }: WalletServices, program: ProgramView | null): WalletPlace {
  const own = { name: program?.operator_name ?? null, contact: program?.operator_contact ?? null }
  const program_name = program === null || program.name === unnamed_program ? null : program.name
  return { sandbox: environment === 'sandbox', operator: operatorOf(own, operator), program_name }
}

/** Redirects to the wallet, which shows the next step. */
export function redirectToWallet(
  { request }: Visit,
  extra: Readonly<Record<string, string>> = {},
  cookies: readonly Cookie[] = [],
): Page {
  return redirect(walletLink(request, '/wallet', extra), cookies)
}

/** The cookie of a session that is not proven yet: the browser drops it when it closes. */
export function unprovenCookie(token: string): Cookie {
  return { name: cookie_name, value: token }
}

export function provenCookie(token: string): Cookie {
  return { name: cookie_name, value: token, max_age_s: longest_session_ms / 1_000 }
}

export const clearedCookie: Cookie = { name: cookie_name, value: '', max_age_s: 0 }
