import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { availablePoints, type Wallet } from '../../domain/ledger.ts'
import type { Phone } from '../../domain/phone.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import type { RedemptionFacts } from '../../domain/redemption.ts'
import {
  mayChooseWithoutCode,
  remembered_for_ms,
  spendableWithoutCode,
  spending_window_ms,
} from '../../domain/remembered.ts'
import { after, before } from '../../domain/spans.ts'
import { hashSecret } from '../../lib/ids.ts'
import { markSessionKept, type SessionRow, updateSession } from '../orders/session-queries.ts'
import type { RememberedBrowsers } from '../otp/remembered.ts'
import { insertSpend, type RememberedRow, renewRemembered, sumSpent } from '../otp/remembered-queries.ts'
import { type CustomerRow, findCustomer } from './queries.ts'
import { type LockedCheckout, phoneByCode, provenPhone, type Reader, type RememberedReader } from './session.ts'

/** Remembered browsers in a checkout: what one sees and spends without a code (docs/decisions/0036-remembered-browsers.md). */

/**
 * Gives the remembered browser of a request: the one that confirmed the checkout, else one for the proven phone or the phone that
 * the store sent, else the one used last. Never one for another phone than the store sent.
 */
export async function findHere(
  browsers: RememberedBrowsers,
  session: SessionRow,
  { browser, tokens }: { readonly browser: string; readonly tokens: string | undefined },
): Promise<RememberedRow | null> {
  const rows = tokens === undefined ? [] : await browsers.read(tokens, session.program_id)
  const wanted = phoneByCode(session, browser) ?? session.phone
  const { remembered_uuid, confirmed_at } = session
  const confirmed_here = confirmed_at !== null && remembered_uuid !== null
  const found = rows.find((row) =>
    confirmed_here ? row.remembered_uuid === remembered_uuid : wanted === null || row.phone === wanted,
  )
  return found ?? null
}

interface Here {
  readonly browser: string
  readonly here: RememberedRow | null
}

/** The active customer whose browser it may be, and what was spent without a code lately. */
interface Spent {
  readonly phone: Phone | null
  readonly customer: CustomerRow | undefined
  readonly spent: Points
}

export async function readSpending(
  db: Database,
  session: SessionRow,
  { browser, here, now }: Here & { readonly now: Date },
): Promise<Spent> {
  const { program_id } = session
  const phone = phoneByCode(session, browser) ?? here?.phone ?? null
  const [customer, spent] = await Promise.all([
    phone === null ? undefined : db.one(findCustomer(program_id, phone)),
    here === null ? undefined : db.one(sumSpent(program_id, here.customer_id, windowBefore(now))),
  ])
  return { phone, customer, spent: spent?.points ?? NO_POINTS }
}

function windowBefore(now: Date): Date {
  return before(now, spending_window_ms)
}

/** Who reads a checkout. */
export interface IdentifiedReader {
  readonly remembered: RememberedReader | null
  readonly proven_phone: Phone | null
  readonly proven_by: 'code' | 'remembered' | null
  /** The proven phone has an active customer. */
  readonly active: boolean
  /** That customer; not in a remembered browser whose limit the balance exceeds. */
  readonly customer: CustomerRow | undefined
}

export function identifyReader(
  session: SessionRow,
  { browser, here, wallet }: Here & { readonly wallet: Spent },
  order: Omit<RedemptionFacts, 'available_points'> & { readonly limit: Points },
): IdentifiedReader {
  const { phone, customer, spent } = wallet
  const spending = { limit: order.limit, posted: customer?.posted ?? NO_POINTS, spent }
  const available_points = customer === undefined ? NO_POINTS : availablePoints(customer)
  const is_same = here !== null && customer?.customer_id === here.customer_id
  const may_choose = is_same && mayChooseWithoutCode(spending, { ...order, available_points })
  const remembered = here && { remembered_uuid: here.remembered_uuid, phone: here.phone, may_choose }
  const proven_phone = provenPhone(session, { browser, remembered } satisfies Reader)
  if (proven_phone === null) return { remembered, proven_phone, proven_by: null, active: false, customer: undefined }
  const known = proven_phone === phone ? customer : undefined
  const by_code = phoneByCode(session, browser) !== null
  const shown = by_code || spendableWithoutCode(spending) !== null ? known : undefined
  const proven_by = by_code ? 'code' : 'remembered'
  return { remembered, proven_phone, proven_by, active: known !== undefined, customer: shown }
}

/** What is to be confirmed under the lock of the wallet. */
interface Confirming {
  readonly form: {
    readonly browser: string
    readonly view: { readonly remembered: RememberedReader | null; readonly remembered_limit: Points }
  }
  readonly now: Date
}

/**
 * Whether a code was proven, or a remembered browser may spend the points without one: then it is used, and the points are
 * counted. The wallet's lock makes the sum of what was spent exact.
 */
export async function mayConfirm(
  tx: Transaction,
  { session, order }: LockedCheckout,
  { form: { browser, view }, now }: Confirming,
  { wallet, points }: { readonly wallet: Wallet & { readonly account_id: Uuid }; readonly points: Points },
): Promise<boolean> {
  const { remembered } = view
  if (phoneByCode(session, browser) !== null) return true
  if (remembered === null) return false
  const { program_id, order_uuid } = order
  const spent = (await tx.one(sumSpent(program_id, wallet.account_id, windowBefore(now))))?.points ?? NO_POINTS
  const spendable = spendableWithoutCode({ limit: view.remembered_limit, posted: wallet.posted, spent })
  if (spendable === null || points > spendable) return false
  const times = { used_at: now, expires_at: after(now, remembered_for_ms) }
  // The customer may have ended it since the page was read.
  if ((await tx.one(renewRemembered(program_id, remembered.remembered_uuid, times))) === undefined) return false
  const spend = { program_id, customer_id: wallet.account_id, order_uuid, points }
  if (points > 0) void tx.run(insertSpend(spend, now))
  // What follows replaces the proof by a code.
  if (session.proven_phone !== null && session.remembered_uuid === null)
    void tx.run(markSessionKept(program_id, order_uuid, now))
  const proof = { browser_hash: hashSecret(browser), proven_phone: remembered.phone, proven_at: now }
  void tx.run(updateSession(session, { ...proof, remembered_uuid: remembered.remembered_uuid }, now))
  return true
}
