import type { Position, ToReconcile } from './reconciliation-queries.ts'

/** After so many queries without an answer, a run asks a merchant's provider no more. */
const most_unanswered = 5

/** The providers that do not answer in a run, by a key of theirs. */
export class Silence<Key> {
  readonly #unanswered = new Map<Key, number>()

  includes(key: Key): boolean {
    return this.#unansweredOf(key) >= most_unanswered
  }

  note(key: Key, { answered }: { readonly answered: boolean }): void {
    this.#unanswered.set(key, answered ? 0 : this.#unansweredOf(key) + 1)
  }

  #unansweredOf(key: Key): number {
    return this.#unanswered.get(key) ?? 0
  }
}

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
    const silence = new Silence<string>()
    return {
      mayAsk(payment) {
        const behind = begins_behind.get(providerOf(payment))
        return (behind === undefined || isBehind(payment, behind)) && !silence.includes(providerOf(payment))
      },
      asked(payment, outcome) {
        silence.note(providerOf(payment), outcome)
        if (silence.includes(providerOf(payment))) stops_at.set(providerOf(payment), payment)
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
