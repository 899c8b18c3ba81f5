import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { Actor } from '../../domain/audit.ts'
import { bookedLater } from '../../domain/booking.ts'
import { AUTO_REFUND_REASON } from '../../domain/events.ts'
import { toSar } from '../../domain/money.ts'
import { isOtherAccount } from '../../domain/payment.ts'
import { type Judgement, judgePayment, reverses } from '../../domain/payment-result.ts'
import { decideAutoRefund, type Refund } from '../../domain/refund.ts'
import { before } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failures } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import type { PaymentError, PaymentProviders, PaymentRecord, ProviderAccount } from '../../providers/payment/port.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import { recordMissing } from '../orders/money-queries.ts'
import { changePayment, findPayment, markReconciled, markRefundedReconciled } from '../orders/payment-queries.ts'
import { queueTask } from '../orders/payment-tasks.ts'
import { findEarnedValue } from '../orders/queries.ts'
import { refundFacts, writeRefund } from '../orders/refund.ts'
import { changeOrder } from '../orders/service.ts'
import { createAskSparingly, type SparingRun } from './ask-sparingly.ts'
import type { NewFinding } from './finding-queries.ts'
import { keepAll, keepFindingIn, newFinding, resolveAll } from './findings.ts'
import { findProgramsToReconcile, findToReconcile, type Position, type ToReconcile } from './reconciliation-queries.ts'

/** A payment whose provider's record does not agree with ours, or could not be compared. Money in SAR. */
export interface Finding {
  readonly program_id: number
  readonly merchant_id: number
  readonly order_uuid: string
  readonly order_number: string
  readonly reference_number: string
  readonly payment_uuid: string
  readonly provider: string
  readonly provider_reference: string | null
  readonly amount: number
  readonly finding: Exclude<Judgement, 'right'>
  readonly action: 'reversed' | 'none'
  /** What the provider said. */
  readonly detail: string
  /** Only for a reversed order: the points given back, and those earned on its money part and taken back. */
  readonly refund_amount?: number
  readonly refund_points?: number
  readonly reversed_points?: number
}

/**
 * Compares the payments that are due, reports each finding at once, and gives how many were compared. Ends between a few of them
 * once the process is stopping.
 */
export type Reconcile = (onFinding: (finding: Finding) => void, stopping?: AbortSignal) => Promise<number>

export interface ReconcileParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  /** How long after its payment an order is compared, in business time. */
  readonly grace_s: number
  /** Who runs it by hand; a worker that runs it in time leaves no trace in the audit log. */
  readonly by?: Actor | undefined
}

/** Providers asked at once. */
const at_once = 4

/**
 * Compares orders that were paid in the hosted checkout, once the grace period is over. Runs may be repeated and may overlap:
 * a correct payment is queried once, and an order is reversed once (docs/spec/payments.md#automatic-reversal).
 */
export function createReconcile(parts: ReconcileParts): Reconcile {
  const { db, clock, grace_s } = parts
  const beginAsking = createAskSparingly()
  return async (onFinding, stopping) => {
    const paid_before = before(clock.now(), grace_s * 1000)
    const asking = beginAsking()
    const failures = new Failures()
    let compared = 0
    for (const { program_id } of await db.run(findProgramsToReconcile(paid_before))) {
      await db.run(markRefundedReconciled(program_id, paid_before, clock.now()))
      let after: Position | undefined
      do {
        const page = await db.run(findToReconcile(program_id, paid_before, after))
        const one = (payment: ToReconcile) => failures.pass(() => compare(parts, payment, asking), null)
        await keepAll(db, program_id, await comparePage(page, one, { onFinding, stopping }))
        if (stopping?.aborted === true) return compared
        compared += page.length
        after = page.at(-1)
      } while (after !== undefined)
    }
    await resolveAll(db)
    failures.throwFirst()
    return compared
  }
}

interface Round {
  readonly onFinding: (finding: Finding) => void
  readonly stopping: AbortSignal | undefined
}

/** Compares a few at a time, in their order; gives what is to be kept. */
async function comparePage(
  page: readonly ToReconcile[],
  compareOne: (payment: ToReconcile) => Promise<Compared | null>,
  { onFinding, stopping }: Round,
): Promise<NewFinding[]> {
  const kept: NewFinding[] = []
  for (let from = 0; from < page.length && stopping?.aborted !== true; from += at_once) {
    const found = await Promise.all(page.slice(from, from + at_once).map(compareOne))
    for (const { finding, keep } of found.filter((one) => one !== null)) {
      if (keep !== null) kept.push(keep)
      onFinding(finding)
    }
  }
  return kept
}

interface Compared {
  readonly finding: Finding
  /** To be kept; null if the reversal has kept it. */
  readonly keep: NewFinding | null
}

async function compare(parts: ReconcileParts, payment: ToReconcile, asking: SparingRun): Promise<Compared | null> {
  const { answer, account } = await ask(parts, payment, asking)
  const account_changed = isOtherAccount(payment.provider_account, account)
  const judgement = judgePayment({ ...payment, account_changed }, answer)
  if (judgement === 'right') {
    await parts.db.run(markReconciled(payment, parts.clock.now()))
    return null
  }
  const is_open = answer.kind === 'payment' && answer.state === 'authorized'
  const found = { kind: judgement, detail: detailOf(answer), is_open }
  const reversal = reverses(judgement) ? await reverseOrder(parts, payment, found) : null
  // Another run or a refund came first; the next run compares again.
  if (reversal?.kind === 'changed') return null
  if (reversal?.kind === 'refund') return { finding: findingOf(payment, found, reversal), keep: null }
  return { finding: findingOf(payment, found, null), keep: newFinding(payment, found, null) }
}

interface Asked {
  readonly answer: PaymentRecord | PaymentError
  /** The account that was asked. */
  readonly account?: ProviderAccount | undefined
}

async function ask({ payments }: ReconcileParts, payment: ToReconcile, asking: SparingRun): Promise<Asked> {
  if (!asking.mayAsk(payment)) return { answer: { kind: 'unknown', detail: 'not asked: others had no answer' } }
  const provider = await payments.of(payment, payment.provider)
  if (provider === undefined) return { answer: { kind: 'credentials', detail: 'there are none for this provider' } }
  const answer = await provider.query(payment)
  asking.asked(payment, { answered: answer.kind !== 'unknown' })
  return { answer, account: provider.account }
}

/** What a comparison has found, and what the provider said. */
interface Found {
  readonly kind: Finding['finding']
  readonly detail: string
  /** The provider still holds the money for a capture that it has refused. */
  readonly is_open: boolean
}

/** `changed`: the payment has changed since it was compared. `kept`: the order's state or its wallet allows no reversal. */
type Reversal = Refund | { readonly kind: 'changed' | 'kept' }

/**
 * Reverses in full an order whose payment its provider does not know or has not collected, and keeps the finding, in one
 * transaction. An authorisation that is still open there is to be voided (docs/spec/payments.md#automatic-reversal).
 */
async function reverseOrder(
  { db, clock, by }: Pick<ReconcileParts, 'db' | 'clock' | 'by'>,
  compared: ToReconcile,
  found: Found,
): Promise<Reversal> {
  const { program_id, merchant_id, order_uuid, payment_uuid, updated_at } = compared
  const merchant = await loadMerchant(db, program_id, merchant_id)
  if (merchant === null) throw new Error('an order without a merchant')
  return changeOrder(db, merchant, order_uuid, async (tx, order) => {
    const [payment, earned] = await Promise.all([
      tx.one(findPayment(program_id, payment_uuid)),
      tx.one(findEarnedValue(order)),
    ])
    const same = payment?.updated_at.getTime() === updated_at.getTime()
    if (payment === undefined || !same || (payment.state !== 'paid' && payment.state !== 'authorized'))
      return { kind: 'changed' }
    const refund = decideAutoRefund(refundFacts(merchant, order, payment, order.wallet))
    if (refund.kind !== 'refund') return { kind: 'kept' }
    const now = clock.now()
    const [refund_uuid, earned_value] = [newUuid(), earned?.value ?? null]
    const decided = { refund_uuid, merchant, order, paid: payment, refund, reason: AUTO_REFUND_REASON, earned_value }
    writeRefund(tx, decided, now)
    void tx.run(recordMissing(order, { money_uuid: refund_uuid, booked_at: bookedLater(now, order.closing_to) }, now))
    const [before, after] = [{ order_status: order.order_status }, { order_status: 'fully_refunded' }]
    const object = `order:${order_uuid}` as const
    audit(tx, by, [{ program_id, merchant_id, action: 'orders.reverse', object, before, after }])
    void tx.run(changePayment(payment, { state: 'failed', error: 'reversed', reconciled_at: now }, now))
    if (found.is_open) queueTask(tx, { ...payment, kind: 'void' })
    keepFindingIn(tx, program_id, newFinding(compared, found, refund))
    return refund
  })
}

function findingOf(payment: ToReconcile, { kind: finding, detail }: Found, refund: Refund | null): Finding {
  const { program_id, merchant_id, order_uuid, order_number, reference_number } = payment
  const { payment_uuid, provider, provider_reference, amount_halalas } = payment
  const named = { program_id, merchant_id, order_uuid, order_number, reference_number }
  const paid = { payment_uuid, provider, provider_reference, amount: toSar(amount_halalas) }
  const said = { finding, action: refund === null ? 'none' : 'reversed', detail } as const
  if (refund === null) return { ...named, ...paid, ...said }
  const { refund_halalas, returned_points: refund_points, reversed_points } = refund
  return { ...named, ...paid, ...said, refund_amount: toSar(refund_halalas), refund_points, reversed_points }
}

function detailOf(answer: PaymentRecord | PaymentError): string {
  if (answer.kind !== 'payment') return `${answer.kind}: ${answer.detail}`
  const { state, amount_halalas, refunded_halalas } = answer
  const back = refunded_halalas === 0 ? '' : `, ${toSar(refunded_halalas).toFixed(2)} SAR paid back`
  return `${state}, ${toSar(amount_halalas).toFixed(2)} SAR${back}`
}
