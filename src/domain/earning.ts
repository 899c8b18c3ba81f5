import type { Failure } from './failures.ts'
import type { Uuid } from './ids.ts'
import type { Merchant } from './merchant.ts'
import { asHalalas, type Halalas } from './money.ts'
import type { Phone } from './phone.ts'
import { asPoints, NO_POINTS, type Points, pointsEarned, pointsRoom } from './points.ts'

/** What earns points. Order numbers are unique per source. docs/spec/earning.md#duplicates */
export const earningSources = ['purchase', 'product_rating', 'store_rating'] as const
export type EarningSource = (typeof earningSources)[number]

/** What makes orders. */
export const orderSources = [...earningSources, 'checkout'] as const
export type OrderSource = (typeof orderSources)[number]

/** The content of a rating, stored for audit only. docs/spec/earning.md#product-rating */
export interface RatingAudit {
  readonly product_id: string | null
  readonly product_name: string | null
  /** 1 to 5. */
  readonly rating: number | null
  readonly comment: string | null
}

/** A validated request to award points, with all that is needed to decide, write and recognise it. */
export interface Earning {
  readonly merchant: Merchant
  readonly source: EarningSource
  readonly phone: Phone
  /** The customer's name, as the merchant sent it. */
  readonly name: string | null
  /** The merchant's order number; the `review_reference` of a rating. */
  readonly order_number: string
  readonly total_halalas: Halalas
  readonly points: Points
  readonly shipping_halalas: Halalas | null
  readonly tax_halalas: Halalas | null
  readonly discount_halalas: Halalas | null
  /** JSON texts, stored unchanged. */
  readonly shipping_address: string | null
  readonly items: string | null
  readonly metadata: string | null
  /** Null for a purchase. */
  readonly audit: RatingAudit | null
  /** Created when the request arrives: a retry of the transaction finds what an earlier try wrote by these ids. */
  readonly order_uuid: Uuid
  readonly transfer_id: Uuid
  readonly event_id: Uuid
  readonly customer_id: Uuid
}

/**
 * The most earnings that wait for one customer: an activation turns all of them into orders in one transaction.
 * docs/spec/earning.md#pending-activation
 */
export const MAX_PENDING_EARNINGS = 1_000

/** A customer in the database. The wallet is locked until the transaction ends. */
export interface KnownCustomer {
  readonly customer_id: Uuid
  readonly phone: Phone
  readonly status: 'invited' | 'active'
  readonly named: boolean
  readonly posted: Points
  readonly held: Points
  readonly version: number
  /** Points of pending earnings; 0 for an active customer. */
  readonly waiting: Points
  /** The number of pending earnings; 0 for an active customer. */
  readonly waiting_earnings: number
}

/**
 * An earlier earning with the same merchant, source and order number. One that waited and became an order comes twice: as it
 * was accepted, and as that order.
 */
export interface Repeat {
  readonly merchant_id: number
  readonly source: EarningSource
  readonly order_number: string
  readonly created_at: Date
  /** Null while the earning is pending. */
  readonly order_uuid: Uuid | null
  /** The `order_uuid` of the earlier request: equal to ours if this is a retry of the same request. */
  readonly request_uuid: Uuid
}

export interface EarningFacts {
  /** The ids of the merchants whose lock this batch holds. */
  readonly locked: ReadonlySet<number>
  readonly customers: ReadonlyMap<Phone, KnownCustomer>
  readonly repeats: readonly Repeat[]
  readonly now: Date
  readonly lock_window_s: number
}

/** The outcome of one earning. `written_before`: an earlier try of this request has committed it. */
export type EarningDecision =
  | { readonly kind: 'award' | 'pend'; readonly earning: Earning; readonly customer_id: Uuid }
  | { readonly kind: 'written_before'; readonly earning: Earning }
  | { readonly kind: 'refuse'; readonly earning: Earning; readonly failure: Failure }

/** A customer to be created by the batch. */
export interface NewCustomer {
  readonly customer_id: Uuid
  readonly phone: Phone
  readonly name: string | null
  readonly status: 'invited' | 'active'
}

/** What a batch comes to. */
export interface DecidedBatch {
  /** One per earning, in order. */
  readonly decisions: readonly EarningDecision[]
  readonly newCustomers: readonly NewCustomer[]
  /** For known customers without a name, from the first earning that has one; by customer. A name is never replaced. */
  readonly names: readonly { readonly customer_id: Uuid; readonly name: string }[]
  /** New customers whose earnings wait, each with the merchant of the first one. docs/spec/customers.md#invitations */
  readonly invitations: readonly { readonly customer_id: Uuid; readonly merchant_id: number }[]
}

/**
 * Points of one earning at the merchant's current rates: by amount for a purchase, flat for a rating.
 * docs/spec/earning.md#earn
 */
export function pointsFor(merchant: Merchant, source: EarningSource, total: Halalas): Points {
  if (source === 'product_rating') return merchant.product_rating_points
  if (source === 'store_rating') return merchant.store_rating_points
  return pointsEarned(total, merchant.points_per_sar_e4)
}

/** A replacing order that is paid. */
export interface PaidReplacing {
  readonly total_halalas: Halalas
  /** What the redeemed points pay. */
  readonly redeemed_halalas: Halalas
  readonly redeemed_points: Points
}

/** A wallet before the redeemed points of an order leave it. */
export interface EarningWallet {
  readonly posted: Points
  /** Points of pending earnings. */
  readonly waiting: Points
  /** Closed: its customer is erased. */
  readonly erased: boolean
}

/**
 * Takes a paid replacing order and its customer's wallet, null without one; gives the points that the money part earns, like
 * a purchase of total − redeemed. A paid order is never refused: a nearly full wallet earns what it has room for, the wallet
 * of an erased customer nothing. docs/spec/checkout.md#money-part, docs/spec/customers.md#erased-orders
 */
export function pointsOfMoneyPart(
  { points_per_sar_e4 }: Pick<Merchant, 'points_per_sar_e4'>,
  { total_halalas, redeemed_halalas, redeemed_points }: PaidReplacing,
  wallet: EarningWallet | null,
): Points {
  if (wallet === null || wallet.erased) return NO_POINTS
  const points = pointsEarned(asHalalas(total_halalas - redeemed_halalas), points_per_sar_e4)
  // The redeemed points leave the wallet first.
  const posted = asPoints(wallet.posted - redeemed_points)
  return asPoints(Math.min(points, pointsRoom({ posted, waiting: wallet.waiting })))
}

/**
 * Decides the earnings of one batch, in order; a batch has at most one earning per merchant. Failures:
 * - `earning_in_progress`: another request holds the merchant's lock (docs/spec/earning.md#lock);
 * - `order_number_repeated`: the order number was used within the lock window (docs/spec/earning.md#repeats);
 * - `validation` (`taken`): the order number was used before that, or the review was rated already;
 * - `validation` (`wallet_full`) of `total_price`, or of a rating's `phone_number`: the points exceed the wallet's
 *   bound, counting the earlier earnings of the batch;
 * - `validation` (`pending_full`) of `phone_number`: as many earnings wait for the customer as may.
 */
export function decideEarnings(batch: readonly Earning[], facts: EarningFacts): DecidedBatch {
  const made = new Map<Phone, NewCustomer>()
  const rooms = new Map<Phone, Room>()
  // The lock window counts from the acceptance: of two that are one, the older is set last and stays.
  const oldestLast = facts.repeats.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime())
  const repeats = new Map(oldestLast.map((repeat) => [repeatKey(repeat.merchant_id, repeat), repeat]))
  const decisions = batch.map((earning): EarningDecision => {
    const { merchant, phone } = earning
    const repeat = repeats.get(repeatKey(merchant.merchant_id, earning))
    // What an earlier try has committed stands, even if another request holds the lock now.
    if (repeat?.request_uuid === earning.order_uuid) return { kind: 'written_before', earning }
    if (!facts.locked.has(merchant.merchant_id))
      return { kind: 'refuse', earning, failure: { kind: 'earning_in_progress' } }
    if (repeat !== undefined) return { kind: 'refuse', earning, failure: refuseRepeat(repeat, facts) }
    const known = facts.customers.get(phone)
    const customer = known ?? named(made.get(phone) ?? newCustomer(earning), earning.name)
    const kind = customer.status === 'active' ? 'award' : 'pend'
    const room = rooms.get(phone) ?? roomOf(known)
    const failure = refuseFull(earning, kind, room)
    if (failure !== null) return { kind: 'refuse', earning, failure }
    rooms.set(phone, { points: asPoints(room.points - earning.points), pending: room.pending - 1 })
    if (known === undefined) made.set(phone, customer as NewCustomer)
    return { kind, earning, customer_id: customer.customer_id }
  })
  const newCustomers = [...made.values()]
  return {
    decisions,
    newCustomers,
    names: namesOf(acceptedIn(decisions, 'award', 'pend'), facts),
    invitations: invitationsOf(newCustomers, acceptedIn(decisions, 'pend')),
  }
}

/** An earning that is awarded or waits. */
export type AcceptedEarning = Extract<EarningDecision, { readonly customer_id: Uuid }>

/** The accepted earnings of these kinds, in order. */
export function acceptedIn(
  decisions: readonly EarningDecision[],
  ...kinds: readonly AcceptedEarning['kind'][]
): readonly AcceptedEarning[] {
  return decisions.filter(
    (one): one is AcceptedEarning => (one.kind === 'award' || one.kind === 'pend') && kinds.includes(one.kind),
  )
}

function namesOf(accepted: readonly AcceptedEarning[], { customers }: EarningFacts): DecidedBatch['names'] {
  const names = new Map<Uuid, string>()
  for (const { earning, customer_id } of accepted) {
    const is_unnamed = customers.get(earning.phone)?.named === false
    if (is_unnamed && earning.name !== null && !names.has(customer_id)) names.set(customer_id, earning.name)
  }
  const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([customer_id, name]) => ({ customer_id, name }))
}

function invitationsOf(
  newCustomers: readonly NewCustomer[],
  pending: readonly AcceptedEarning[],
): DecidedBatch['invitations'] {
  return newCustomers.flatMap(({ customer_id, status }) => {
    if (status !== 'invited') return []
    const first = pending.find((one) => one.customer_id === customer_id)
    if (first === undefined) throw new Error('an invited customer has no pending earning')
    return [{ customer_id, merchant_id: first.earning.merchant.merchant_id }]
  })
}

/**
 * A new phone becomes an active customer, or an invited one if the program requires activation.
 * docs/spec/customers.md#activation
 */
function newCustomer({ merchant, phone, name, customer_id }: Earning): NewCustomer {
  return { customer_id, phone, name, status: merchant.program.activation === 'automatic' ? 'active' : 'invited' }
}

/** Takes the name of a later earning if the first one had none. */
function named(customer: NewCustomer, name: string | null): NewCustomer {
  return customer.name === null ? { ...customer, name } : customer
}

/** What a customer can still earn: points, and pending earnings. */
interface Room {
  readonly points: Points
  readonly pending: number
}

function roomOf(known: KnownCustomer | undefined): Room {
  return {
    points: pointsRoom(known ?? { posted: NO_POINTS, waiting: NO_POINTS }),
    pending: MAX_PENDING_EARNINGS - (known?.waiting_earnings ?? 0),
  }
}

function refuseFull({ source, points }: Earning, kind: 'award' | 'pend', room: Room): Failure | null {
  if (points > room.points) {
    const field = source === 'purchase' ? 'total_price' : 'phone_number'
    return { kind: 'validation', errors: [{ field, rule: 'wallet_full' }] }
  }
  if (kind === 'award' || room.pending > 0) return null
  const limit = MAX_PENDING_EARNINGS.toLocaleString('en')
  return { kind: 'validation', errors: [{ field: 'phone_number', rule: 'pending_full', limit }] }
}

function refuseRepeat(repeat: Repeat, facts: EarningFacts): Failure {
  const found = repeat.order_uuid === null ? {} : { order_uuid: repeat.order_uuid }
  if (repeat.source !== 'purchase')
    return { kind: 'validation', errors: [{ field: 'review_reference', rule: 'taken' }], ...found }
  const age_s = (facts.now.getTime() - repeat.created_at.getTime()) / 1000
  // Also when it lies far in the future: the sandbox's clock was set back, and the window would never end.
  if (Math.abs(age_s) >= facts.lock_window_s)
    return { kind: 'validation', errors: [{ field: 'order_number', rule: 'taken' }], ...found }
  const left_s = Math.ceil(facts.lock_window_s - Math.max(age_s, 0))
  return { kind: 'order_number_repeated', retry_after_s: Math.max(left_s, 1), ...found }
}

/** Lone surrogates are stored as U+FFFD, so compare the stored form. */
function repeatKey(merchant_id: number, of: { source: EarningSource; order_number: string }): string {
  return `${merchant_id} ${of.source} ${of.order_number.toWellFormed()}`
}
