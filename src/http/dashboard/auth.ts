import type { FastifyRequest } from 'fastify'
import type { Transaction } from '../../db/transaction.ts'
import { DomainError } from '../../domain/failures.ts'
import { parseId } from '../../domain/ids.ts'
import type { Merchant, MerchantKey, ProgramFacts } from '../../domain/merchant.ts'
import { mayDo, type Session, type Standing, standingOf } from '../../domain/staff.ts'
import { isSameSecret } from '../../lib/secrets.ts'
import { readCookies } from '../pages/cookies.ts'
import type { DashboardRoute, May } from './route.ts'

/** Who is signed in. HttpOnly and SameSite=Strict. */
export const sessionCookie = '__Host-nuqta-session'

/** How the dashboard knows people and merchants. */
export interface DashboardAuth {
  /** The session of a token, with every factor given; null for an unknown, ended or expired one. */
  readonly readSession: (token: string | undefined) => Promise<Session | null>
  /** A merchant, whatever its standing; null if there is none. `program_id` is undefined for an operator's look-up. */
  readonly loadMerchant: (merchant_id: number, program_id: number | undefined) => Promise<Merchant | null>
  /** A program; null if there is none. */
  readonly loadProgram: (program_id: number) => Promise<ProgramFacts | null>
  /** Refuses a session whose person was not proven lately. */
  readonly requireRecent: (session: Session) => Promise<void>
  /** What a person may still do who began a request; null once their session has ended. */
  readonly readStanding: (
    tx: Transaction,
    session: Session,
    merchant: MerchantKey | undefined,
  ) => Promise<Pick<Session, 'is_operator' | 'memberships'> | null>
  /** The scheme, host and port of our own pages. */
  readonly origin: string
}

/** Who asks, and about which program and merchant. */
export interface Access {
  readonly session: Session | undefined
  readonly program: ProgramFacts | undefined
  readonly merchant: Merchant | undefined
  readonly standing: Standing | undefined
}

/**
 * Checks a request before its body is read: its origin, the session, its token, the permission, what the path names, and
 * whether the person was proven lately, where that matters.
 * @throws DomainError of the first that fails
 */
export async function checkAccess<Services>(
  row: DashboardRoute<Services>,
  request: FastifyRequest,
  auth: DashboardAuth,
): Promise<Access> {
  const changes = row.method !== 'GET'
  if (changes && !isFromOurPages(request, auth.origin)) throw new DomainError({ kind: 'cross_site' })
  const token = readCookies(request.headers.cookie)[sessionCookie]
  const session = (await auth.readSession(token)) ?? undefined
  if (row.may === 'anyone') return { session, ...ofNothing }
  if (session === undefined) throw new DomainError({ kind: 'not_signed_in' })
  if (changes && !isSameSecret(request.headers['x-csrf-token'], session.csrf))
    throw new DomainError({ kind: 'cross_site' })
  const place = await checkPermission(row, request, session, auth)
  if (row.recent) await auth.requireRecent(session)
  return { session, ...place }
}

/**
 * Checks before the commit of a change that the person may still make it: they may have been removed from the team, demoted or
 * disabled since their request began.
 * @throws DomainError `not_signed_in`, `not_permitted`
 */
export async function checkStanding(
  tx: Transaction,
  { may }: { readonly may: May },
  { session, merchant }: Pick<Access, 'session' | 'merchant'>,
  { readStanding }: Pick<DashboardAuth, 'readStanding'>,
): Promise<void> {
  if (session === undefined) return
  const now = await readStanding(tx, session, merchant)
  if (now === null) throw new DomainError({ kind: 'not_signed_in' })
  if (may === 'anyone' || may === 'signed_in') return
  const standing = merchant === undefined ? null : standingOf(now, merchant.merchant_id)
  const is_permitted = may === 'operator' ? now.is_operator : standing !== null && mayDo(standing, may)
  if (!is_permitted) throw new DomainError({ kind: 'not_permitted' })
}

const ofNothing = { program: undefined, merchant: undefined, standing: undefined }

async function checkPermission<Services>(
  { may, path }: DashboardRoute<Services>,
  { params }: FastifyRequest,
  session: Session,
  auth: DashboardAuth,
): Promise<Omit<Access, 'session'>> {
  if (may === 'anyone' || may === 'signed_in') return ofNothing
  if (may === 'operator') {
    if (!session.is_operator) throw new DomainError({ kind: 'not_permitted' })
    const standing = { ...ofNothing, standing: may }
    return path.includes('/:programId') ? { ...standing, ...(await findPlace(path, params, auth)) } : standing
  }
  const merchant_id = numberOf(params, 'merchantId')
  const standing = merchant_id === undefined ? null : standingOf(session, merchant_id)
  // Nobody learns whether a merchant of somebody else exists.
  if (merchant_id === undefined || standing === null) throw new DomainError({ kind: 'merchant_not_found' })
  if (!mayDo(standing, may)) throw new DomainError({ kind: 'not_permitted' })
  const membership = session.memberships.find((one) => one.merchant_id === merchant_id)
  const merchant = await auth.loadMerchant(merchant_id, membership?.program_id)
  if (merchant === null) throw new DomainError({ kind: 'merchant_not_found' })
  return { program: undefined, merchant, standing }
}

/** The program of a path, and the merchant of that program where the path names one. */
async function findPlace(
  path: string,
  params: unknown,
  { loadProgram, loadMerchant }: DashboardAuth,
): Promise<Pick<Access, 'program' | 'merchant'>> {
  const program_id = numberOf(params, 'programId')
  const program = program_id === undefined ? null : await loadProgram(program_id)
  if (program === null) throw new DomainError({ kind: 'program_not_found' })
  if (!path.includes('/:merchantId')) return { program, merchant: undefined }
  const merchant_id = numberOf(params, 'merchantId')
  const merchant = merchant_id === undefined ? null : await loadMerchant(merchant_id, program.program_id)
  if (merchant === null) throw new DomainError({ kind: 'merchant_not_found' })
  return { program, merchant }
}

function numberOf(params: unknown, name: string): number | undefined {
  const text = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  return typeof text === 'string' ? (parseId(text) ?? undefined) : undefined
}

/** Browsers say where a request comes from, so a request that says nothing is not from our pages. */
function isFromOurPages({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === origin : site === 'same-origin'
}
