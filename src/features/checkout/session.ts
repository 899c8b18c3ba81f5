import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../../db/pool.ts'
import type { Transaction, TransactionOptions } from '../../db/transaction.ts'
import { type CheckoutStep, checkoutStep } from '../../domain/checkout.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { OrderState } from '../../domain/order.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Clock } from '../../lib/clock.ts'
import { hashSecret, readProgramToken } from '../../lib/ids.ts'
import type { OrderOfMerchant } from '../orders/queries.ts'
import { lockOrderAlone, type OrderAlone } from '../orders/service.ts'
import { findSession, findSessionOf, type SessionRow, updateSession } from '../orders/session-queries.ts'

/** Gives the session of a link's token, or null when no session has it. */
export async function sessionOf(db: Database, token: string): Promise<SessionRow | null> {
  const read = readProgramToken(token)
  return read === null ? null : ((await db.one(findSession(read.program_id, hashSecret(token)))) ?? null)
}

/** A remembered browser that a request comes from, and whether it may choose without a code. */
export interface RememberedReader {
  readonly remembered_uuid: Uuid
  readonly phone: Phone
  readonly may_choose: boolean
}

/** Who reads or changes a checkout. */
export interface Reader {
  readonly browser: string
  /** Null in a browser that is not remembered for the phone of the checkout. */
  readonly remembered: RememberedReader | null
}

/**
 * Gives the phone that counts as proven in this browser: by a code, or because the browser is remembered. What a remembered
 * browser has confirmed is its own until it ends. docs/decisions/0036-remembered-browsers.md
 */
export function provenPhone(session: SessionRow, { browser, remembered }: Reader): Phone | null {
  const { browser_hash, proven_phone, remembered_uuid } = session
  const here = browser !== '' && browser_hash !== null && timingSafeEqual(browser_hash, hashSecret(browser))
  if (here && remembered_uuid === null) return proven_phone
  if (remembered === null) return null
  if (here && session.confirmed_at !== null && session.continued_at === null)
    return remembered_uuid === remembered.remembered_uuid ? proven_phone : null
  return session.confirmed_at === null && remembered.may_choose ? remembered.phone : null
}

/** Gives the phone that a code has proven in this browser, or null. A remembered browser proves none. */
export function phoneByCode(session: SessionRow, browser: string): Phone | null {
  return provenPhone(session, { browser, remembered: null })
}

/** Gives the step at which a browser sees a checkout. `active`: the proven phone is an active customer's. */
export function stepOf(
  session: SessionRow,
  order: { readonly order_status: OrderState },
  reader: Reader & { readonly active: boolean },
  now: Date,
): CheckoutStep {
  const proven = provenPhone(session, reader) !== null
  return checkoutStep({ ...session, order_status: order.order_status, proven, active: reader.active }, now)
}

/** A checkout whose order is locked: it cannot change until the transaction ends. No wallet is locked yet. */
export interface LockedCheckout {
  readonly session: SessionRow
  readonly order: OrderAlone
}

/**
 * Runs `work` in one transaction that has locked a checkout's order. When `work` throws, nothing changes.
 * @throws DomainError `order_not_found` when the checkout was deleted since it was read
 */
export function changeCheckout<T>(
  db: Database,
  known: OrderOfMerchant,
  work: (tx: Transaction, checkout: LockedCheckout) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return db.transaction(async (tx) => {
    // Sent together. The session is read once the order is locked: another tab may have changed it since the page was read.
    const [order, session] = await Promise.all([
      lockOrderAlone(tx, known),
      tx.one(findSessionOf(known.program_id, known.order_uuid)),
    ])
    if (session === undefined) throw new DomainError({ kind: 'order_not_found' })
    return work(tx, { session, order })
  }, options)
}

/**
 * Binds a session to the browser in which a phone has just been proven by a code, instead of an earlier browser.
 * `another phone`: the points of another phone are held, and only that one may be proven again. `over`: the checkout ended.
 */
export type ProveSession = (
  token: string,
  browser: string,
  phone: Phone,
) => Promise<'proven' | 'another phone' | 'over'>

export function createProveSession({ db, clock }: { readonly db: Database; readonly clock: Clock }): ProveSession {
  return async (token, browser, phone) => {
    const known = await sessionOf(db, token)
    if (known === null) return 'over'
    return changeCheckout(
      db,
      known,
      async (tx, { session, order }) => {
        const now = clock.now()
        const step = stepOf(session, order, { browser, remembered: null, active: true }, now)
        if (['expired', 'cancelled', 'closed', 'finished'].includes(step)) return 'over'
        // A checkout without points holds nobody's points: any phone may be proven.
        const holds = session.confirmed_at !== null && session.continued_at === null
        if (holds && session.proven_phone !== phone) return 'another phone'
        const proof = { browser_hash: hashSecret(browser), proven_phone: phone, proven_at: now, remembered_uuid: null }
        void tx.run(updateSession(session, proof, now))
        return 'proven'
      },
      { repeatable: true },
    )
  }
}
