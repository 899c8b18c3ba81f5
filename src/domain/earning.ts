import type { Failure } from './failures.ts'
import type { Uuid } from './ids.ts'
import type { Merchant } from './merchant.ts'
import { asHalalas, type Halalas } from './money.ts'
import type { Phone } from './phone.ts'
import { asPoints, MAX_WALLET_POINTS, NO_POINTS, type Points, pointsEarned, pointsRoom } from './points.ts'

/** What earns: a purchase, or a rating of a product or of the store. Each kind has its own space of order numbers. */
export type EarningSource = 'purchase' | 'product_rating' | 'store_rating'

/** What was said in a rating: kept for audit only (spec, "product-rating"). */
export interface RatingAudit {
  readonly product_id: string | null
  readonly product_name: string | null
  /** 1 to 5. */
  readonly rating: number | null
  readonly comment: string | null
}

/** One request to award points, checked and with everything it needs to be decided, written and recognised again. */
export interface Earning {
  readonly merchant: Merchant
  readonly source: EarningSource
  readonly phone: Phone
  /** The customer's name as the merchant knows it. */
  readonly name: string | null
  /** The merchant's reference; for a rating, its `review_reference`. */
  readonly order_number: string
  readonly total_halalas: Halalas
  readonly points: Points
  readonly shipping_halalas: Halalas | null
  readonly tax_halalas: Halalas | null
  readonly discount_halalas: Halalas | null
  /** JSON texts, stored as they are. */
  readonly shipping_address: string | null
  readonly items: string | null
  readonly metadata: string | null
  /** Null for a purchase. */
  readonly audit: RatingAudit | null
  /** Made when the request arrived: a second try finds what the first has written by them. */
  readonly order_uuid: Uuid
  readonly transfer_id: Uuid
  readonly event_id: Uuid
  readonly customer_id: Uuid
}

/** A customer as found: the wallet is locked until the batch ends. */
export interface KnownCustomer {
  readonly customer_id: Uuid
  readonly phone: Phone
  readonly status: 'invited' | 'active'
  readonly named: boolean
  readonly posted: Points
  readonly held: Points
  readonly version: number
  /** Of the earnings that wait for the customer; 0 for one who is active. */
  readonly waiting: Points
}

/** An earlier acceptance of the same merchant, source and order number. */
export interface Repeat {
  readonly merchant_id: number
  readonly source: EarningSource
  readonly order_number: string
  readonly created_at: Date
  /** The order; null while the earning is pending. */
  readonly order_uuid: Uuid | null
  /** What the earlier request was given as its own identifier: ours, when this is a second try of it. */
  readonly request_uuid: Uuid
}

export interface EarningFacts {
  /** Merchants whose lock this batch holds. */
  readonly locked: ReadonlySet<number>
  readonly customers: ReadonlyMap<Phone, KnownCustomer>
  readonly repeats: readonly Repeat[]
  readonly now: Date
  readonly lock_window_s: number
}

/** What becomes of one earning. */
export type EarningDecision =
  | { readonly kind: 'award' | 'pend'; readonly earning: Earning; readonly customer_id: Uuid }
  | { readonly kind: 'written before'; readonly earning: Earning }
  | { readonly kind: 'refuse'; readonly earning: Earning; readonly failure: Failure }

/** A customer whom the batch meets for the first time. */
export interface NewCustomer {
  readonly customer_id: Uuid
  readonly phone: Phone
  readonly name: string | null
  readonly status: 'invited' | 'active'
}

/** Points of one earning, at the rates of this moment: by the amount for a purchase, flat for a rating (decisions §2, §5). */
export function pointsFor(merchant: Merchant, source: EarningSource, total: Halalas): Points {
  if (source === 'product_rating') return merchant.product_rating_points
  if (source === 'store_rating') return merchant.store_rating_points
  return pointsEarned(total, merchant.points_per_sar_e4)
}

/** What the money part of a replacing order earns: like a purchase of the total less what points paid (decisions §6). */
export function pointsOfMoneyPart(merchant: Merchant, total: Halalas, redeemed: Halalas): Points {
  return pointsEarned(asHalalas(total - redeemed), merchant.points_per_sar_e4)
}

/**
 * Decides the earnings of one batch, at most one a merchant, in their order. Refusals: `earning_in_progress` when the
 * merchant's lock is held elsewhere; for an order number seen before `order_number_repeated` within the lock window and
 * `validation` (taken) after it; a repeated review is always `validation`. Points that the wallet has no room for, earlier
 * ones of the batch counted, are a `validation` of `total_price`, or of a rating's `phone_number`.
 * @returns a decision for each earning, and the customers to be made for them
 */
export function decideEarnings(
  batch: readonly Earning[],
  facts: EarningFacts,
): { readonly decisions: readonly EarningDecision[]; readonly newCustomers: readonly NewCustomer[] } {
  const made = new Map<Phone, NewCustomer>()
  const rooms = new Map<Phone, Points>()
  const repeats = new Map(facts.repeats.map((repeat) => [repeatKey(repeat.merchant_id, repeat), repeat]))
  const decisions = batch.map((earning): EarningDecision => {
    const { merchant, phone } = earning
    const repeat = repeats.get(repeatKey(merchant.merchant_id, earning))
    // What an earlier try has written stands, whoever holds the lock by now.
    if (repeat?.request_uuid === earning.order_uuid) return { kind: 'written before', earning }
    if (!facts.locked.has(merchant.merchant_id))
      return { kind: 'refuse', earning, failure: { kind: 'earning_in_progress' } }
    if (repeat !== undefined) return { kind: 'refuse', earning, failure: refuseRepeat(repeat, facts) }
    const known = facts.customers.get(phone)
    const room = rooms.get(phone) ?? pointsRoom(known ?? { posted: NO_POINTS, waiting: NO_POINTS })
    if (earning.points > room) return { kind: 'refuse', earning, failure: refuseFull(earning) }
    rooms.set(phone, asPoints(room - earning.points))
    const customer = known ?? named(made.get(phone) ?? newCustomer(earning), earning.name)
    if (known === undefined) made.set(phone, customer as NewCustomer)
    return { kind: customer.status === 'active' ? 'award' : 'pend', earning, customer_id: customer.customer_id }
  })
  return { decisions, newCustomers: [...made.values()] }
}

/** An unknown phone becomes an active customer, or an invited one where the program requires activation (decisions §3). */
function newCustomer({ merchant, phone, name, customer_id }: Earning): NewCustomer {
  return { customer_id, phone, name, status: merchant.program.activation === 'automatic' ? 'active' : 'invited' }
}

/** A name fills a name that is missing, also when the earning that made the customer came without one. */
function named(customer: NewCustomer, name: string | null): NewCustomer {
  return customer.name === null ? { ...customer, name } : customer
}

function refuseFull({ source }: Earning): Failure {
  const field = source === 'purchase' ? 'total_price' : 'phone_number'
  const limit = MAX_WALLET_POINTS.toLocaleString('en')
  return { kind: 'validation', errors: [{ field, rule: 'wallet_full', limit }] }
}

function refuseRepeat(repeat: Repeat, facts: EarningFacts): Failure {
  const found = repeat.order_uuid === null ? {} : { order_uuid: repeat.order_uuid }
  if (repeat.source !== 'purchase')
    return { kind: 'validation', errors: [{ field: 'review_reference', rule: 'taken' }], ...found }
  const age_s = (facts.now.getTime() - repeat.created_at.getTime()) / 1000
  // Far in the future too: the sandbox's clock was set back since, and the window would never end.
  if (Math.abs(age_s) >= facts.lock_window_s)
    return { kind: 'validation', errors: [{ field: 'order_number', rule: 'taken' }], ...found }
  const left_s = Math.ceil(facts.lock_window_s - Math.max(age_s, 0))
  return { kind: 'order_number_repeated', retry_after_s: Math.max(left_s, 1), ...found }
}

/** Half a surrogate pair is stored as the replacement character, which is what comes back. */
function repeatKey(merchant_id: number, of: { source: EarningSource; order_number: string }): string {
  return `${merchant_id} ${of.source} ${of.order_number.toWellFormed()}`
}
