/** The sandbox's payment provider and its test cards. It takes no money. docs/payments.md lists the cards. */

import { asHalalas, type Halalas } from './money.ts'
import type { PaymentMethod } from './payment-method.ts'
import { after, minute_ms } from './spans.ts'

export const sandboxCards = ['succeeds', 'declined', 'challenge', 'slow', 'vanishes', 'cancel'] as const

/** A test card on the payment page of the sandbox. */
export type SandboxCard = (typeof sandboxCards)[number]

export type SandboxState = 'pending' | 'challenge' | 'authorized' | 'paid' | 'voided' | 'failed'

/** A payment as the sandbox provider stores it. */
export interface SandboxPayment {
  readonly kind: 'sale' | 'auth'
  readonly state: SandboxState
  readonly card: SandboxCard | null
  /** The requested amount, or the captured part of it. */
  readonly amount_halalas: Halalas
  readonly refunded_halalas: Halalas
  /** When a slow card pays. */
  readonly settles_at: Date | null
  /** When the provider forgets the payment. */
  readonly vanishes_at: Date | null
}

/** The fields of a payment that an action changes; null if its state does not allow the action. */
export type SandboxChange = Partial<Omit<SandboxPayment, 'kind'>> | null

const slow_ms = 15_000
const vanishing_ms = minute_ms

/** Takes a stored payment and the business time; gives it as it is then, or null once it has vanished. */
export function sandboxPaymentAt(payment: SandboxPayment, now: Date): SandboxPayment | null {
  const { settles_at, vanishes_at } = payment
  if (vanishes_at !== null && now >= vanishes_at) return null
  const settled = payment.state === 'pending' && settles_at !== null && now >= settles_at
  return settled ? { ...payment, state: successOf(payment), settles_at: null } : payment
}

/** The schemes of the test cards that can pay. */
const schemes: Readonly<Partial<Record<SandboxCard, PaymentMethod>>> = {
  succeeds: 'mada',
  challenge: 'visa',
  slow: 'mastercard',
  vanishes: 'mada',
}

/** The scheme of the card that was chosen; undefined before, and for a choice that pays nothing. */
export function schemeOf({ card }: SandboxPayment): PaymentMethod | undefined {
  return card === null ? undefined : schemes[card]
}

function successOf({ kind }: SandboxPayment): SandboxState {
  return kind === 'auth' ? 'authorized' : 'paid'
}

/** True until a card is chosen: a payment page can be used once. */
export function isUnused({ state, card }: SandboxPayment): boolean {
  return state === 'pending' && card === null
}

/** Takes an unused payment and the chosen card; gives the change, or null if the page is used. */
export function chooseCard(payment: SandboxPayment, card: SandboxCard, now: Date): SandboxChange {
  if (!isUnused(payment)) return null
  switch (card) {
    case 'succeeds':
      return { card, state: successOf(payment) }
    case 'vanishes':
      return { card, state: successOf(payment), vanishes_at: after(now, vanishing_ms) }
    case 'slow':
      return { card, settles_at: after(now, slow_ms) }
    case 'challenge':
      return { card, state: 'challenge' }
    case 'declined':
    case 'cancel':
      return { card, state: 'failed' }
  }
}

/** Answers the bank's challenge (3-D Secure); null if there is none. */
export function answerChallenge(payment: SandboxPayment, passed: boolean): SandboxChange {
  return payment.state === 'challenge' ? { state: passed ? successOf(payment) : 'failed' } : null
}

/** Captures the authorized amount or a part of it; null if that is not possible. */
export function captureSandbox(payment: SandboxPayment, amount: Halalas): SandboxChange {
  const allowed = payment.state === 'authorized' && amount > 0 && amount <= payment.amount_halalas
  return allowed ? { state: 'paid', amount_halalas: amount } : null
}

/** Voids an authorized payment, or ends an unpaid page; null if the payment is done. */
export function voidSandbox(payment: SandboxPayment): SandboxChange {
  if (payment.state === 'authorized') return { state: 'voided' }
  const unpaid = payment.state === 'pending' || payment.state === 'challenge'
  return unpaid ? { state: 'failed', settles_at: null } : null
}

/** Refunds a part of a paid payment; null if that is not possible. */
export function refundSandbox(payment: SandboxPayment, amount: Halalas): SandboxChange {
  const refunded = asHalalas(payment.refunded_halalas + amount)
  const allowed = payment.state === 'paid' && amount > 0 && refunded <= payment.amount_halalas
  return allowed ? { refunded_halalas: refunded } : null
}
