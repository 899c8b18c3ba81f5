import type { Transaction } from '../../db/transaction.ts'
import { type Collector, releaseAt } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import { asHalalas } from '../../domain/money.ts'
import { findPayments, type NewPayment } from '../orders/payment-queries.ts'
import { type SessionChanges, type SessionRow, updateSession } from '../orders/session-queries.ts'
import { type NotBegun, notBegun } from '../payments/admission.ts'
import { beginPayment, type PaymentTerms } from '../payments/begin.ts'
import { currentOf, type PaymentOutcome } from '../payments/outcome.ts'
import type { LockedCheckout } from './session.ts'

/** What a confirmation came to; a payment's page is asked for after the commit, `leased` by who has just written it. */
export type Confirmed =
  | Exclude<PaymentOutcome, { readonly kind: 'payment' | 'payment failed' }>
  | { readonly kind: 'to pay'; readonly payment: NewPayment; readonly leased: boolean; readonly order_number: string }

export interface Collecting {
  readonly selling: PaymentTerms
  /** Of the payment that begins: another try of it finds it. */
  readonly payment_uuid: Uuid
  readonly now: Date
}

/** Why the remainder of a locked order cannot be collected; null where it can. Asked before anything of the order is changed. */
export async function notCollected(
  tx: Transaction,
  order: LockedCheckout['order'],
  { payment_provider }: PaymentTerms,
  counted: boolean,
): Promise<NotBegun | null> {
  return payment_provider === 'merchant' ? null : notBegun(tx, order, counted)
}

/** Confirms a locked checkout whose remainder is above 0: the merchant collects it, or a payment is begun. */
export function collectPayment(
  tx: Transaction,
  session: SessionRow,
  order: LockedCheckout['order'],
  { selling, payment_uuid, now }: Collecting,
  changes: SessionChanges = {},
): Confirmed {
  const collector: Collector = selling.payment_provider === 'merchant' ? 'merchant' : 'provider'
  const release_at = releaseAt(collector, session, now)
  void tx.run(updateSession(session, { ...changes, confirmed_at: now, release_at, collector }, now))
  if (collector === 'merchant') return { kind: 'reserved' }
  const remainder_halalas = asHalalas(order.total_halalas - order.redeemed_halalas)
  const payment = beginPayment(tx, { ...order, remainder_halalas }, payment_uuid, selling, now)
  return { kind: 'to pay', payment, leased: true, order_number: order.order_number }
}

/** Where a checkout that is confirmed as it was asked for again goes on. */
export async function goOnAgain(
  tx: Transaction,
  { session, order }: LockedCheckout,
  payment_uuid: Uuid,
): Promise<Confirmed> {
  const { order_number, order_status, program_id, order_uuid } = order
  if (order_status !== 'new') return { kind: 'approved' }
  if (session.collector === 'merchant') return { kind: 'reserved' }
  const payment = currentOf(await tx.run(findPayments(program_id, order_uuid)))
  if (payment === undefined) throw new Error('a confirmed checkout has no payment')
  return { kind: 'to pay', payment, leased: payment.payment_uuid === payment_uuid, order_number }
}
