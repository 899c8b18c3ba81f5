import type { Database } from '../../db/pool.ts'
import { toSar } from '../../domain/money.ts'
import { type Judgement, judgePayment, reverses } from '../../domain/payment-result.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentError, PaymentProviders, PaymentRecord } from '../../providers/payment/port.ts'
import { markReconciled, passOverRefunded } from '../orders/payment-queries.ts'
import { findProgramsToReconcile, findToReconcile, type Place, type ToReconcile } from './reconciliation-queries.ts'
import { reverseOrder } from './reconciliation-reverse.ts'

/** Where a provider's record and ours do not agree, or could not be compared. Money in SAR. */
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
  /** Only of an order that was reversed: points given back, and those earned on its money part and taken back. */
  readonly refund_amount?: number
  readonly refund_points?: number
  readonly reversed_points?: number
}

/** Compares what is due to be, tells each finding as it is made, and gives how many payments were compared. */
export type Reconcile = (onFinding: (finding: Finding) => void) => Promise<number>

export interface ReconcileParts {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
  /** How long after its payment an order is compared, by the clock of business. */
  readonly grace_s: number
}

/** Providers asked at once. */
const at_once = 4
/** After so many questions without an answer, a merchant's provider is asked no more in this run. */
const patience = 5

/**
 * Decisions §12: orders whose remainder was paid in the hosted checkout, once the grace period is over. A run may be repeated
 * and may run beside another: what is right is asked once, and an order is taken back once.
 */
export function createReconcile(parts: ReconcileParts): Reconcile {
  const { db, clock, grace_s } = parts
  return async (onFinding) => {
    const before = new Date(clock.now().getTime() - grace_s * 1000)
    const silent = new Map<string, number>()
    let compared = 0
    for (const { program_id } of await db.run(findProgramsToReconcile(before))) {
      await db.run(passOverRefunded(program_id, before, clock.now()))
      let after: Place | undefined
      do {
        const page = await db.run(findToReconcile(program_id, before, after))
        for (let from = 0; from < page.length; from += at_once) {
          const some = page.slice(from, from + at_once)
          const findings = await Promise.all(some.map((payment) => compare(parts, payment, silent)))
          for (const finding of findings) if (finding !== null) onFinding(finding)
        }
        compared += page.length
        after = page.at(-1)
      } while (after !== undefined)
    }
    return compared
  }
}

async function compare(
  parts: ReconcileParts,
  payment: ToReconcile,
  silent: Map<string, number>,
): Promise<Finding | null> {
  const answer = await ask(parts, payment, silent)
  const judgement = judgePayment(payment, answer)
  if (judgement === 'right') {
    await parts.db.run(markReconciled(payment, parts.clock.now()))
    return null
  }
  const reversal = reverses(judgement) ? await reverseOrder(parts, payment) : null
  // Another run was first, or a refund: the next run sees what is left to be done.
  if (reversal?.kind === 'changed') return null
  return findingOf(payment, judgement, answer, reversal?.kind === 'refund' ? reversal : null)
}

async function ask(
  { payments }: ReconcileParts,
  payment: ToReconcile,
  silent: Map<string, number>,
): Promise<PaymentRecord | PaymentError> {
  const asked = `${payment.merchant_id} ${payment.provider}`
  const unanswered = (): number => silent.get(asked) ?? 0
  if (unanswered() >= patience) return { kind: 'unknown', detail: 'not asked: others had no answer' }
  const provider = await payments.of(payment, payment.provider)
  if (provider === undefined) return { kind: 'credentials', detail: 'there are none for this provider' }
  const answer = await provider.query(payment)
  silent.set(asked, answer.kind === 'unknown' ? unanswered() + 1 : 0)
  return answer
}

function findingOf(
  payment: ToReconcile,
  finding: Exclude<Judgement, 'right'>,
  answer: PaymentRecord | PaymentError,
  refund: Refund | null,
): Finding {
  const { program_id, merchant_id, order_uuid, order_number, reference_number } = payment
  const { payment_uuid, provider, provider_reference, amount_halalas } = payment
  const named = { program_id, merchant_id, order_uuid, order_number, reference_number }
  const paid = { payment_uuid, provider, provider_reference, amount: toSar(amount_halalas) }
  const said = { finding, action: refund === null ? 'none' : 'reversed', detail: detailOf(answer) } as const
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
