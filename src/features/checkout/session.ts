import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../../db/pool.ts'
import type { Transaction, TransactionOptions } from '../../db/transaction.ts'
import { type CheckoutStep, checkoutStep } from '../../domain/checkout.ts'
import { DomainError } from '../../domain/failures.ts'
import type { OrderState } from '../../domain/order.ts'
import { hashSecret, newSecretText } from '../../lib/ids.ts'
import type { LockedOrder } from '../orders/order.ts'
import { findOpenHold, type LockedRow, lockOrder } from '../orders/queries.ts'
import { findSession, findSessionOf, type SessionRow } from '../orders/session-queries.ts'

/** Unguessable by its 130 bits; the program in front of them says where to look. */
export function newToken(program_id: number): string {
  return `${program_id}-${newSecretText()}`
}

const tokenShape = /^([1-9]\d{0,14})-[0-9a-z]{26}$/

/** Gives the session of a link's token, or null when none has it. */
export async function sessionOf(db: Database, token: string): Promise<SessionRow | null> {
  const program_id = tokenShape.exec(token)?.[1]
  if (program_id === undefined) return null
  return (await db.one(findSession(Number(program_id), hashSecret(token)))) ?? null
}

/** Whether a phone was proven in this very browser. */
export function isProvenIn({ browser_hash }: SessionRow, browser: string): boolean {
  return browser !== '' && browser_hash !== null && timingSafeEqual(browser_hash, hashSecret(browser))
}

/** Whether a browser may pay for what is confirmed, or take it back: where no points are at stake, whoever has the link may. */
export function mayAct(session: SessionRow, browser: string): boolean {
  return session.continued_at !== null || isProvenIn(session, browser)
}

/** Where the customer of a session stands in a browser. */
export function stepOf(
  session: SessionRow,
  order: { readonly order_status: OrderState },
  reader: { readonly browser: string; readonly active: boolean },
  now: Date,
): CheckoutStep {
  const proven = isProvenIn(session, reader.browser)
  return checkoutStep({ ...session, order_status: order.order_status, proven, active: reader.active }, now)
}

/** A checkout whose order is locked: nothing of it changes until the transaction ends. No wallet is locked yet. */
export interface LockedCheckout {
  readonly session: SessionRow
  readonly order: LockedRow
  readonly hold: LockedOrder['hold']
}

/**
 * Runs `work` on a checkout, in one transaction that holds its order. What `work` throws leaves everything as it was.
 * @throws Refused `order_not_found`
 */
export function changeCheckout<T>(
  db: Database,
  known: SessionRow,
  work: (tx: Transaction, checkout: LockedCheckout) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return db.transaction(async (tx) => {
    // Sent together; the second and third run once the first holds the order.
    const [order, session, hold] = await Promise.all([
      tx.one(lockOrder(known)),
      tx.one(findSessionOf(known.program_id, known.order_uuid)),
      tx.one(findOpenHold(known)),
    ])
    // It had come to nothing, and was deleted since it was read.
    if (order === undefined || session === undefined) throw new DomainError({ kind: 'order_not_found' })
    return work(tx, { session, order, hold: hold ?? null })
  }, options)
}
