import type { ShippingStatus } from '../../../domain/order.ts'
import type { Person } from './people.ts'

/** What a sample year is made of. */

/** What a sample year is made from. The same options give the same year. */
export interface YearOptions {
  readonly seed: number
  readonly orders: number
  readonly months: number
  /** Its end: nothing happens later. */
  readonly until_ms: number
  /** Whether earnings of customers who have not joined yet may wait: each such customer is invited by a message. */
  readonly invites: boolean
}

interface Base {
  readonly at_ms: number
  readonly who: Person
}

/** The customer joins by the wallet's pages. */
export interface Join extends Base {
  readonly does: 'join'
}

/** A step of an order. */
interface OfOrder extends Base {
  /** Its place among the shops of the program. */
  readonly shop: number
  /** Unique in its shop. */
  readonly number: string
}

export interface Line {
  readonly product_name: string
  readonly product_price: number
  readonly quantity: number
}

export interface Buy extends OfOrder {
  readonly does: 'buy'
  readonly lines: readonly Line[]
  readonly total_halalas: number
}

export interface Rate extends OfOrder {
  readonly does: 'rate'
  /** Null for a rating of the store. */
  readonly product: string | null
  readonly rating: number
  readonly comment: string | null
}

export interface CheckOut extends OfOrder {
  readonly does: 'check out'
  readonly lines: readonly Line[]
  readonly total_halalas: number
  /** The share of the usable points that the customer uses. */
  readonly uses: number
  /** `left`: the customer leaves before confirming. `declined`: the card is declined, and the customer leaves. */
  readonly ends: 'paid' | 'left' | 'declined'
}

export interface MoveStep extends OfOrder {
  readonly does: 'move'
  readonly action: 'authorize' | 'capture' | 'complete' | 'cancel'
  readonly reason?: string
}

export interface Refund extends OfOrder {
  readonly does: 'refund'
  /** Null for all of it. */
  readonly amount_halalas: number | null
  readonly reason: string
}

export interface Ship extends OfOrder {
  readonly does: 'ship'
  readonly status: ShippingStatus
  /** A label of the shop's own. */
  readonly label?: { readonly ar: string; readonly en: string }
}

export type OrderStep = Buy | Rate | CheckOut | MoveStep | Refund | Ship
export type YearStep = Join | OrderStep

/** Whether a step makes an order, or an earning that waits. */
export function makesOrder({ does }: YearStep): boolean {
  return does === 'buy' || does === 'rate' || does === 'check out'
}

/** What the operator or whole shops do, at a time when all earlier steps are done. Running it again changes nothing. */
export interface BetweenSteps {
  readonly at_ms: number
  readonly run: () => Promise<void>
}
