import type { Position, ToReconcile } from './reconciliation-queries.ts'

/** After so many queries without an answer, a run asks a merchant's provider no more. */
export const most_unanswered = 5

/** For which payments a run asks their providers. It sees them in their order. */
export interface SparingRun {
  readonly mayAsk: (payment: ToReconcile) => boolean
  readonly asked: (payment: ToReconcile, outcome: { readonly answered: boolean }) => void
}

/**
 * Gives a function that begins a run. A run asks a provider that does not answer only a few times. The next one begins behind the
 * payments for which this one asked in vain: a few that never have an answer do not keep the others from being compared.
 */
export function createAskSparingly(): () => SparingRun {
  let stopped_at: ReadonlyMap<string, Position> = new Map()
  return () => {
    const begins_behind = stopped_at
    const stops_at = new Map<string, Position>()
    stopped_at = stops_at
    const unanswered = new Map<string, number>()
    const unansweredOf = (payment: ToReconcile): number => unanswered.get(providerOf(payment)) ?? 0
    return {
      mayAsk(payment) {
        const behind = begins_behind.get(providerOf(payment))
        return (behind === undefined || isBehind(payment, behind)) && unansweredOf(payment) < most_unanswered
      },
      asked(payment, { answered }) {
        unanswered.set(providerOf(payment), answered ? 0 : unansweredOf(payment) + 1)
        if (unansweredOf(payment) >= most_unanswered) stops_at.set(providerOf(payment), payment)
      },
    }
  }
}

function providerOf({ merchant_id, provider }: ToReconcile): string {
  return `${merchant_id} ${provider}`
}

function isBehind(payment: Position, other: Position): boolean {
  const later_ms = payment.updated_at.getTime() - other.updated_at.getTime()
  return later_ms > 0 || (later_ms === 0 && payment.payment_uuid > other.payment_uuid)
}
