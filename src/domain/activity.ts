/** Figures of merchants by day, made from paid orders and refunds. docs/decisions/0032-daily-figures.md */
import { type Day, dayOf } from './day.ts'
import type { OrderSource } from './earning.ts'
import type { Uuid } from './ids.ts'

/** The most days of one question. */
export const longest_period_days = 400

const counts = ['purchases', 'ratings', 'checkouts', 'refunds', 'new_customers', 'returning_customers'] as const

/** Sums of halalas and points over any number of orders, which have no bound. */
export const sums = [
  'sales_halalas',
  'redeemed_halalas',
  'refunded_halalas',
  'issued_points',
  'redeemed_points',
  'reversed_points',
  'returned_points',
] as const

/** The figures that are added up. */
export const figures = [...counts, ...sums] as const

/** The largest sum that is kept; larger ones stay there. Refunded purchases may be made again and again, without a bound. */
export const largest_sum = 2n ** 63n - 1n
const kept = (sum: bigint): bigint => (sum > largest_sum ? largest_sum : sum)

type Counts = Readonly<Record<(typeof counts)[number], number>>
type Sums = Readonly<Record<(typeof sums)[number], bigint>>
export type Figures = Counts & Sums

export const NO_FIGURES = Object.fromEntries([
  ...counts.map((name) => [name, 0]),
  ...sums.map((name) => [name, 0n]),
]) as Figures

/** Adds figures up. */
export function addFigures(all: Iterable<Partial<Figures>>): Figures {
  const [counted, summed]: [Record<string, number>, Record<string, bigint>] = [{}, {}]
  for (const one of all) {
    for (const name of counts) counted[name] = (counted[name] ?? 0) + (one[name] ?? 0)
    for (const name of sums) summed[name] = (summed[name] ?? 0n) + (one[name] ?? 0n)
  }
  return { ...NO_FIGURES, ...counted, ...summed }
}

/** An order that was paid, as it stays from then on. */
export interface PaidOrder {
  readonly merchant_id: number
  /** Null if nobody earned or spent points. */
  readonly customer_id: Uuid | null
  readonly source: OrderSource
  readonly total_halalas: number
  /** The part paid with points. */
  readonly redeemed_halalas: number
  readonly redeemed_points: number
  readonly earned_points: number
  readonly paid_at: Date
}

/** A refund that was made. */
export interface MadeRefund {
  readonly merchant_id: number
  readonly refund_halalas: number
  readonly reversed_points: number
  readonly returned_points: number
  readonly created_at: Date
}

/** A customer's paid orders at one merchant. */
export interface Visits {
  readonly merchant_id: number
  readonly customer_id: Uuid
  readonly orders: number
  readonly first_at: Date
  readonly second_at: Date | null
  readonly last_at: Date
  readonly sales_halalas: bigint
  readonly earned_points: bigint
  readonly redeemed_points: bigint
}

export type DayFigures = Figures & { readonly merchant_id: number; readonly day: Day }

export interface Summary {
  /** What to add to each day of each merchant. */
  readonly days: readonly DayFigures[]
  /** The customers of the orders, with these orders. */
  readonly visits: readonly Visits[]
}

/** The key of a customer of a merchant. */
export const visitsKey = (of: { readonly merchant_id: number; readonly customer_id: Uuid }): string =>
  `${of.merchant_id} ${of.customer_id}`

/**
 * Adds up orders and refunds in any order: the sums are the same however they are cut into parts.
 * @param known what earlier parts have found of the customers of `orders`, by `visitsKey`
 */
export function summarise(
  orders: readonly PaidOrder[],
  refunds: readonly MadeRefund[],
  known: ReadonlyMap<string, Visits>,
): Summary {
  const days = new Map<string, DayFigures>()
  const add = (merchant_id: number, at: Date, more: Partial<Figures>): void => {
    const day = dayOf(at)
    const key = `${merchant_id} ${day}`
    days.set(key, { ...addFigures([figuresOf(days.get(key)), more]), merchant_id, day })
  }
  const visits = new Map<string, Visits>()
  for (const order of orders) {
    add(order.merchant_id, order.paid_at, figuresOfOrder(order))
    if (order.customer_id === null) continue
    const one = visitsOf({ ...order, customer_id: order.customer_id })
    const key = visitsKey(one)
    visits.set(key, joinVisits(visits.get(key) ?? known.get(key), one))
  }
  for (const refund of refunds) add(refund.merchant_id, refund.created_at, figuresOfRefund(refund))
  for (const [key, now] of visits) {
    const before = known.get(key)
    if (before !== undefined) {
      add(now.merchant_id, before.first_at, { new_customers: -1 })
      if (before.second_at !== null) add(now.merchant_id, before.second_at, { returning_customers: -1 })
    }
    add(now.merchant_id, now.first_at, { new_customers: 1 })
    if (now.second_at !== null) add(now.merchant_id, now.second_at, { returning_customers: 1 })
  }
  return { days: [...days.values()].filter(isAnything), visits: [...visits.values()] }
}

function figuresOf(day: DayFigures | undefined): Partial<Figures> {
  if (day === undefined) return {}
  const { merchant_id: _merchant, day: _day, ...rest } = day
  return rest
}

function isAnything(day: DayFigures): boolean {
  return counts.some((name) => day[name] !== 0) || sums.some((name) => day[name] !== 0n)
}

function figuresOfOrder(order: PaidOrder): Partial<Figures> {
  const { source, total_halalas, redeemed_halalas, redeemed_points, earned_points } = order
  return {
    purchases: Number(source === 'purchase'),
    ratings: Number(source === 'product_rating' || source === 'store_rating'),
    checkouts: Number(source === 'checkout'),
    sales_halalas: BigInt(total_halalas),
    redeemed_halalas: BigInt(redeemed_halalas),
    redeemed_points: BigInt(redeemed_points),
    issued_points: BigInt(earned_points),
  }
}

function figuresOfRefund({ refund_halalas, reversed_points, returned_points }: MadeRefund): Partial<Figures> {
  return {
    refunds: 1,
    refunded_halalas: BigInt(refund_halalas),
    reversed_points: BigInt(reversed_points),
    returned_points: BigInt(returned_points),
  }
}

function visitsOf(order: PaidOrder & { readonly customer_id: Uuid }): Visits {
  const { merchant_id, customer_id, paid_at, total_halalas, earned_points, redeemed_points } = order
  const times = { first_at: paid_at, second_at: null, last_at: paid_at }
  return {
    ...{ merchant_id, customer_id, orders: 1, ...times, sales_halalas: BigInt(total_halalas) },
    ...{ earned_points: BigInt(earned_points), redeemed_points: BigInt(redeemed_points) },
  }
}

/** The visits of one customer from two sets of orders. */
function joinVisits(one: Visits | undefined, other: Visits): Visits {
  if (one === undefined) return other
  const times = [one.first_at, one.second_at, other.first_at, other.second_at].filter((at) => at !== null)
  const [first_at = other.first_at, second_at = null] = times.sort((a, b) => a.getTime() - b.getTime())
  return {
    ...other,
    orders: one.orders + other.orders,
    first_at,
    second_at,
    last_at: one.last_at > other.last_at ? one.last_at : other.last_at,
    sales_halalas: kept(one.sales_halalas + other.sales_halalas),
    earned_points: kept(one.earned_points + other.earned_points),
    redeemed_points: kept(one.redeemed_points + other.redeemed_points),
  }
}
