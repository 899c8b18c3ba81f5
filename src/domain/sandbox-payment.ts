/** The sandbox's payment provider: what its cards do. It takes no money; docs/payments.md lists the cards. */
import { asHalalas, type Halalas } from './money.ts'

export const sandboxCards = ['succeeds', 'declined', 'challenge', 'slow', 'vanishes', 'cancel'] as const

/** What a customer of a sandbox can choose on its payment page. */
export type SandboxCard = (typeof sandboxCards)[number]

export type SandboxState = 'pending' | 'challenge' | 'authorized' | 'paid' | 'voided' | 'failed'

/** A payment in the sandbox provider's own books. */
export interface SandboxPayment {
  readonly kind: 'sale' | 'auth'
  readonly state: SandboxState
  readonly card: SandboxCard | null
  /** What was asked for, or what has been captured of it. */
  readonly amount_halalas: Halalas
  readonly refunded_halalas: Halalas
  /** When a slow card has paid. */
  readonly settles_at: Date | null
  /** From when on the provider knows nothing of the payment. */
  readonly vanishes_at: Date | null
}

/** What a customer or a caller changes of a payment; null where its state does not allow it. */
export type SandboxChange = Partial<Omit<SandboxPayment, 'kind'>> | null

const slow_ms = 15_000
const vanishing_ms = 60_000

/** Takes a payment as it is written and an instant of the business clock; gives it as it is then, null once it vanished. */
export function sandboxPaymentAt(payment: SandboxPayment, now: Date): SandboxPayment | null {
  const { settles_at, vanishes_at } = payment
  if (vanishes_at !== null && now >= vanishes_at) return null
  const settled = payment.state === 'pending' && settles_at !== null && now >= settles_at
  return settled ? { ...payment, state: successOf(payment), settles_at: null } : payment
}

function successOf({ kind }: SandboxPayment): SandboxState {
  return kind === 'auth' ? 'authorized' : 'paid'
}

/** A page can be used once: while nothing has been chosen on it. */
export function isUnused({ state, card }: SandboxPayment): boolean {
  return state === 'pending' && card === null
}

/** What choosing a card does, on a page that is unused. */
export function chooseCard(payment: SandboxPayment, card: SandboxCard, now: Date): SandboxChange {
  if (!isUnused(payment)) return null
  switch (card) {
    case 'succeeds':
      return { card, state: successOf(payment) }
    case 'vanishes':
      return { card, state: successOf(payment), vanishes_at: new Date(now.getTime() + vanishing_ms) }
    case 'slow':
      return { card, settles_at: new Date(now.getTime() + slow_ms) }
    case 'challenge':
      return { card, state: 'challenge' }
    case 'declined':
    case 'cancel':
      return { card, state: 'failed' }
  }
}

/** What the answer to a bank's question does. */
export function answerChallenge(payment: SandboxPayment, passed: boolean): SandboxChange {
  return payment.state === 'challenge' ? { state: passed ? successOf(payment) : 'failed' } : null
}

/** Takes what was reserved, or less of it. */
export function captureSandbox(payment: SandboxPayment, amount: Halalas): SandboxChange {
  const allowed = payment.state === 'authorized' && amount > 0 && amount <= payment.amount_halalas
  return allowed ? { state: 'paid', amount_halalas: amount } : null
}

/** Lets go of what was reserved, and ends a page that has not been paid. */
export function voidSandbox(payment: SandboxPayment): SandboxChange {
  if (payment.state === 'authorized') return { state: 'voided' }
  const unpaid = payment.state === 'pending' || payment.state === 'challenge'
  return unpaid ? { state: 'failed', settles_at: null } : null
}

/** Gives back a part of what was paid. */
export function refundSandbox(payment: SandboxPayment, amount: Halalas): SandboxChange {
  const refunded = asHalalas(payment.refunded_halalas + amount)
  const allowed = payment.state === 'paid' && amount > 0 && refunded <= payment.amount_halalas
  return allowed ? { refunded_halalas: refunded } : null
}
