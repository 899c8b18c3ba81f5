/** Browsers that a customer asked to be remembered. docs/spec/customers.md#remembered-browser */
import { asPoints, NO_POINTS, type Points } from './points.ts'
import { type RedemptionFacts, redeemablePoints } from './redemption.ts'
import { day_ms } from './spans.ts'

/** How long a browser is remembered after each use, in milliseconds. */
export const remembered_for_ms = 30 * day_ms

/** Once no code has proven its phone for this long, a browser does not count: the number may have a new owner. */
const number_unused_ms = 90 * day_ms

/** How far back the limit counts, in milliseconds. */
export const spending_window_ms = day_ms

/** The most browsers of one customer. One more ends the one used longest ago. */
export const max_remembered = 5

/** The largest limit that a program can set, in points. */
export const max_remembered_limit = 1_000_000_000

/** A remembered browser, by the business clock. */
export interface RememberedFacts {
  readonly expires_at: Date
  /** When the phone was last proven by a code, anywhere in the program. */
  readonly proven_at: Date
}

/** True while a browser counts as remembered. docs/spec/customers.md#remembered-browser */
export function isRemembered({ expires_at, proven_at }: RememberedFacts, now: Date): boolean {
  return now < expires_at && now.getTime() < proven_at.getTime() + number_unused_ms
}

/** The limit of the program (0 switches it off), a wallet's balance, and what was spent without a code within 24 hours. */
export interface Spending {
  readonly limit: Points
  /** Held points count: they are the customer's until the orders that hold them are paid. */
  readonly posted: Points
  readonly spent: Points
}

/** Gives the points that may be spent without a code; null if the balance exceeds the limit, or that is switched off. */
export function spendableWithoutCode({ limit, posted, spent }: Spending): Points | null {
  if (limit <= 0 || posted > limit) return null
  return asPoints(Math.max(NO_POINTS, limit - spent))
}

/**
 * True if a remembered browser may show the wallet for an order and spend all that the order can use. Else a code is needed.
 * docs/spec/customers.md#remembered-browser
 */
export function mayChooseWithoutCode(spending: Spending, order: RedemptionFacts): boolean {
  const most = redeemablePoints(order)
  const spendable = spendableWithoutCode(spending)
  return spendable !== null && most <= spendable
}
