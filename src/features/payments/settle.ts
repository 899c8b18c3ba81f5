import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas } from '../../domain/money.ts'
import type { PaymentState } from '../../domain/payment.ts'
import { decidePaymentResult, type PaymentResult } from '../../domain/payment-result.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentProviders, PaymentRecord, ProviderAccount } from '../../providers/payment/port.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { withEarningCustomer } from '../orders/earning-customer.ts'
import { moveLocked } from '../orders/move.ts'
import type { LockedOrder } from '../orders/order.ts'
import { changePayment, findPayment, type OwnedPayment } from '../orders/payment-queries.ts'
import { queueTask } from '../orders/payment-tasks.ts'
import { changeOrder } from '../orders/service.ts'
import { findSessionOf, type SessionRow } from '../orders/session-queries.ts'

/**
 * Asks a payment's provider and applies its record: the order is paid or authorised, the payment fails, or its money goes
 * back. Gives the payment's state then, or null when there is no such payment. Asking again changes nothing.
 */
export type SettlePayment = (program_id: number, payment_uuid: Uuid) => Promise<PaymentState | null>

/**
 * The payment after its provider was asked. `answer` is `nothing` where the provider was not asked or did not answer. Without a
 * record it is the payment as it was before.
 */
export interface Settled {
  readonly payment: OwnedPayment
  readonly answer: 'record' | 'not_found' | 'nothing'
}

export type AskProvider = (program_id: number, payment_uuid: Uuid) => Promise<Settled | null>

export interface SettleParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  /** Called when the amount paid is not the amount asked for. */
  readonly onOddPayment?: ((payment: OwnedPayment, record: PaymentRecord) => void) | undefined
}

export function createSettlePayment(askProvider: AskProvider): SettlePayment {
  return async (program_id, payment_uuid) => (await askProvider(program_id, payment_uuid))?.payment.state ?? null
}

/** Whether the provider's record can still change a payment. */
export function awaitsRecord({ state }: { readonly state: PaymentState }): boolean {
  return state === 'created' || state === 'failed'
}

/** Asks the provider outside of transactions, and decides under the order's lock (docs/spec/payments.md#provider-record). */
export function createAskProvider(parts: SettleParts): AskProvider {
  const { db, payments, onOddPayment } = parts
  return async (program_id, payment_uuid) => {
    const payment = await db.one(findPayment(program_id, payment_uuid))
    if (payment === undefined) return null
    if (!awaitsRecord(payment)) return { payment, answer: 'nothing' }
    const provider = await payments.of(payment, payment.provider)
    const record = await provider?.query(payment)
    if (record?.kind !== 'payment') return { payment, answer: record?.kind === 'not_found' ? 'not_found' : 'nothing' }
    const { result, settled } = await settle(parts, payment, { record, account: provider?.account })
    if (result.kind === 'surplus' && result.why === 'amount') onOddPayment?.(payment, record)
    return { payment: settled, answer: 'record' }
  }
}

/** A provider's record, and the account that has it. */
interface Known {
  readonly record: PaymentRecord
  readonly account: ProviderAccount | undefined
}

async function settle({ db, clock }: SettleParts, asked: OwnedPayment, known: Known) {
  const { program_id, merchant_id, order_uuid, payment_uuid } = asked
  const merchant = await loadMerchant(db, program_id, merchant_id)
  if (merchant === null) throw new Error('a payment without a merchant')
  const decide = async (tx: Transaction, order: LockedOrder) => {
    const [session, payment] = await Promise.all([
      tx.one(findSessionOf(program_id, order_uuid)),
      tx.one(findPayment(program_id, payment_uuid)),
    ])
    if (payment === undefined) throw new Error('the payment was deleted meanwhile')
    const result = decidePaymentResult(payment, known.record, awaiting(order, session))
    const pays = result.kind === 'taken' && result.action === 'pay'
    const whole = pays ? await withEarningCustomer(tx, merchant, order, clock) : order
    const now = clock.now()
    const settled = writePaymentResult(tx, { merchant, order: whole, payment, known, result }, now)
    return { result, settled: { ...payment, ...settled } }
  }
  // A retry is safe: it finds the payment as the first attempt left it.
  const retryOn = (error: unknown) => isUniqueViolation(error, 'customer_phone_key')
  return changeOrder(db, merchant, order_uuid, decide, { repeatable: true, retryOn })
}

function awaiting(order: LockedOrder, session: SessionRow | undefined) {
  return {
    order_status: order.order_status,
    awaits_provider: session?.collector === 'provider' && session.release_at !== null,
    due_halalas: asHalalas(order.total_halalas - order.redeemed_halalas),
    points_held: order.total_points === (order.hold?.points ?? 0),
  }
}

interface AppliedResult {
  readonly merchant: Merchant
  readonly order: LockedOrder
  readonly payment: OwnedPayment
  readonly known: Known
  readonly result: PaymentResult
}

function writePaymentResult(tx: Transaction, applied: AppliedResult, now: Date): Partial<OwnedPayment> {
  const { merchant, order, payment, known, result } = applied
  if (result.kind === 'nothing') return {}
  const { provider_reference, paid_with = null } = known.record
  const account = known.account && { provider_account: known.account.id, own_account: known.account.own }
  const taken = result.kind === 'taken' ? { paid_with } : {}
  const changes = { provider_reference, ...account, ...taken, ...changesOf(result) }
  void tx.run(changePayment(payment, changes, now))
  if (result.kind === 'taken') moveLocked(tx, { merchant, order, now }, { action: result.action })
  if (result.kind === 'surplus') {
    const { program_id, order_uuid, payment_uuid } = payment
    const { amount_halalas } = result
    queueTask(tx, { kind: 'give_back', program_id, order_uuid, payment_uuid, amount_halalas })
  }
  return changes
}

function changesOf(result: Exclude<PaymentResult, { readonly kind: 'nothing' }>) {
  if (result.kind === 'taken') return { state: result.state, error: null } as const
  if (result.kind === 'failed') return { state: 'failed', error: result.why } as const
  return result.why === 'amount' ? ({ state: 'surplus', error: 'amount' } as const) : ({ state: 'surplus' } as const)
}

/** Shorter than the pause after which the waiting page reloads. */
const throttle_ms = 3_000

type Ask<Answer> = (program_id: number, payment_uuid: Uuid) => Promise<Answer>

interface Answered<Answer> {
  readonly at_ms: number
  readonly answer: Answer
}

/**
 * Asks the provider for a payment at most once at a time and once in a few seconds. Calls in between get the same answer.
 * Each process remembers only its own answers of the last seconds.
 */
export function createThrottledAsk<Answer>(askProvider: Ask<Answer>): Ask<Answer> {
  const asking = new Map<Uuid, Promise<Answer>>()
  /** The oldest first. */
  const answers = new Map<Uuid, Answered<Answer>>()
  return (program_id, payment_uuid) => {
    purgeOld(answers)
    const answered = answers.get(payment_uuid)
    if (answered !== undefined) return Promise.resolve(answered.answer)
    const pending = asking.get(payment_uuid)
    if (pending !== undefined) return pending
    const answer = ask(program_id, payment_uuid).finally(() => asking.delete(payment_uuid))
    asking.set(payment_uuid, answer)
    return answer
  }

  async function ask(program_id: number, payment_uuid: Uuid): Promise<Answer> {
    const answer = await askProvider(program_id, payment_uuid)
    answers.set(payment_uuid, { at_ms: performance.now(), answer })
    return answer
  }
}

function purgeOld(answers: Map<Uuid, Answered<unknown>>): void {
  const now_ms = performance.now()
  for (const [uuid, { at_ms }] of answers) {
    if (now_ms - at_ms < throttle_ms) return
    answers.delete(uuid)
  }
}
