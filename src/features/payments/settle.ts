import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas } from '../../domain/money.ts'
import type { PaymentState } from '../../domain/payment.ts'
import { decidePaymentResult, type PaymentResult } from '../../domain/payment-result.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentProviders, PaymentRecord } from '../../providers/payment/port.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { withEarner } from '../orders/earner.ts'
import { moveLocked } from '../orders/move.ts'
import type { LockedOrder } from '../orders/order.ts'
import { changePayment, findPayment, type OwnedPayment } from '../orders/payment-queries.ts'
import { queueTask } from '../orders/payment-task.ts'
import { changeOrder } from '../orders/service.ts'
import { findSessionOf, type SessionRow } from '../orders/session-queries.ts'

/**
 * Asks a payment's provider and does what its record says: the order is paid or authorised, the payment has failed, or its
 * money goes back. Gives the payment's state then; null when there is no such payment. Asking again changes nothing.
 */
export type SettlePayment = (program_id: number, payment_uuid: Uuid) => Promise<PaymentState | null>

/** The payment as it stands after its provider was asked, and what the provider said: `nothing` where it could not be asked. */
export interface Settled {
  readonly payment: OwnedPayment
  readonly answer: 'record' | 'not_found' | 'nothing'
}

export type AskProvider = (program_id: number, payment_uuid: Uuid) => Promise<Settled | null>

export interface SettleParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  /** Told of money that was not what had been asked for. */
  readonly onOddPayment?: ((payment: OwnedPayment, record: PaymentRecord) => void) | undefined
}

export function createSettlePayment(askProvider: AskProvider): SettlePayment {
  return async (program_id, payment_uuid) => (await askProvider(program_id, payment_uuid))?.payment.state ?? null
}

/** Decisions §6: the provider is asked outside of any transaction, and what it says is decided under the order's lock. */
export function createAskProvider(parts: SettleParts): AskProvider {
  const { db, payments, onOddPayment } = parts
  return async (program_id, payment_uuid) => {
    const payment = await db.one(findPayment(program_id, payment_uuid))
    if (payment === undefined) return null
    if (payment.state !== 'created' && payment.state !== 'failed') return { payment, answer: 'nothing' }
    const provider = await payments.of(payment, payment.provider)
    const record = await provider?.query(payment)
    if (record?.kind !== 'payment') return { payment, answer: record?.kind === 'not_found' ? 'not_found' : 'nothing' }
    const { arrival, settled } = await settle(parts, payment, record)
    if (arrival.kind === 'surplus' && arrival.why === 'amount') onOddPayment?.(payment, record)
    return { payment: settled, answer: 'record' }
  }
}

async function settle({ db, clock }: SettleParts, known: OwnedPayment, record: PaymentRecord) {
  const { program_id, merchant_id, order_uuid, payment_uuid } = known
  const merchant = await loadMerchant(db, program_id, merchant_id)
  if (merchant === null) throw new Error('a payment without a merchant')
  const decide = async (tx: Transaction, order: LockedOrder) => {
    const [session, payment] = await Promise.all([
      tx.one(findSessionOf(program_id, order_uuid)),
      tx.one(findPayment(program_id, payment_uuid)),
    ])
    if (payment === undefined) throw new Error('a payment is gone')
    const arrival = decidePaymentResult(payment, record, awaiting(order, session))
    const now = clock.now()
    const pays = arrival.kind === 'taken' && arrival.action === 'pay'
    const whole = pays ? await withEarner(tx, merchant, order, now) : order
    const settled = writePaymentResult(tx, { merchant, order: whole, payment, record, arrival }, now)
    return { arrival, settled: { ...payment, ...settled } }
  }
  // Another try finds the payment as the first has left it.
  const retryOn = (error: unknown) => isUniqueViolation(error, 'customer_phone_key')
  return changeOrder(db, merchant, order_uuid, decide, { repeatable: true, retryOn })
}

function awaiting(order: LockedOrder, session: SessionRow | undefined) {
  return {
    order_status: order.order_status,
    awaits_provider: session?.collector === 'provider' && session.release_at !== null,
    remainder_halalas: asHalalas(order.total_halalas - order.redeemed_halalas),
    points_held: order.total_points === (order.hold?.points ?? 0),
  }
}

interface Arriving {
  readonly merchant: Merchant
  readonly order: LockedOrder
  readonly payment: OwnedPayment
  readonly record: PaymentRecord
  readonly arrival: PaymentResult
}

function writePaymentResult(tx: Transaction, arriving: Arriving, now: Date): Partial<OwnedPayment> {
  const { merchant, order, payment, arrival } = arriving
  if (arrival.kind === 'nothing') return {}
  const { provider_reference } = arriving.record
  const changes = { provider_reference, ...changesOf(arrival) }
  void tx.run(changePayment(payment, changes, now))
  if (arrival.kind === 'taken') moveLocked(tx, { merchant, order, now }, { action: arrival.action })
  if (arrival.kind === 'surplus') {
    const { program_id, order_uuid, payment_uuid } = payment
    const { amount_halalas } = arrival
    queueTask(tx, { kind: 'give_back', program_id, order_uuid, payment_uuid, amount_halalas })
  }
  return changes
}

function changesOf(arrival: Exclude<PaymentResult, { readonly kind: 'nothing' }>) {
  if (arrival.kind === 'taken') return { state: arrival.state, error: null } as const
  if (arrival.kind === 'failed') return { state: 'failed', error: arrival.why } as const
  return arrival.why === 'amount' ? ({ state: 'surplus', error: 'amount' } as const) : ({ state: 'surplus' } as const)
}
