import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/failures.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { mayDo, type Session, type Standing, standingOf } from '../../domain/staff.ts'
import { readCookies } from '../pages/cookies.ts'
import { sameText } from '../pages/form.ts'
import type { DashboardRoute } from './route.ts'

/** Who is signed in. HttpOnly and SameSite=Strict. */
export const sessionCookie = '__Host-nuqta-session'

/** How the dashboard knows people and merchants. */
export interface DashboardAuth {
  /** The session of a token, with every factor given; null for an unknown, ended or expired one. */
  readonly readSession: (token: string | undefined) => Promise<Session | null>
  /** A merchant, whatever its standing; null if there is none. `program_id` is undefined for an operator's look-up. */
  readonly loadMerchant: (merchant_id: number, program_id: number | undefined) => Promise<Merchant | null>
  /** The scheme, host and port of our own pages. */
  readonly origin: string
}

/** Who asks, and about which merchant. */
export interface Access {
  readonly session: Session | undefined
  readonly merchant: Merchant | undefined
  readonly standing: Standing | undefined
}

/**
 * Checks a request before its body is read: its origin, the session, its token, the merchant of the path, the permission.
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
  if (row.may === 'anyone') return { session, merchant: undefined, standing: undefined }
  if (session === undefined) throw new DomainError({ kind: 'not_signed_in' })
  if (changes && !sameText(String(request.headers['x-csrf-token'] ?? ''), session.csrf))
    throw new DomainError({ kind: 'cross_site' })
  return { session, ...(await checkPermission(row, request, session, auth)) }
}

async function checkPermission<Services>(
  { may }: DashboardRoute<Services>,
  { params }: FastifyRequest,
  session: Session,
  { loadMerchant }: DashboardAuth,
): Promise<Omit<Access, 'session'>> {
  if (may === 'anyone' || may === 'signed_in') return { merchant: undefined, standing: undefined }
  if (may === 'operator') {
    if (!session.is_operator) throw new DomainError({ kind: 'not_permitted' })
    return { merchant: undefined, standing: 'operator' }
  }
  const merchant_id = merchantIdOf(params)
  const standing = merchant_id === undefined ? null : standingOf(session, merchant_id)
  // Whether a merchant of others exists is not told.
  if (merchant_id === undefined || standing === null) throw new DomainError({ kind: 'merchant_not_found' })
  if (!mayDo(standing, may)) throw new DomainError({ kind: 'not_permitted' })
  const membership = session.memberships.find((one) => one.merchant_id === merchant_id)
  const merchant = await loadMerchant(merchant_id, membership?.program_id)
  if (merchant === null) throw new DomainError({ kind: 'merchant_not_found' })
  return { merchant, standing }
}

function merchantIdOf(params: unknown): number | undefined {
  const text = typeof params === 'object' && params !== null && 'merchantId' in params ? params.merchantId : undefined
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Browsers say where a request comes from; one that says nothing is not from a page of ours. */
function isFromOurPages({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === origin : site === 'same-origin'
}
