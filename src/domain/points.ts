/** Points are whole numbers; rates are whole numbers of a small unit. docs/spec/points-and-money.md#points */
import { asHalalas, divideRounded, type Halalas, parseSetting } from './money.ts'

/** A whole number of points. */
export type Points = number & { readonly __unit: 'points' }

/** A merchant's earn rate, in ten-thousandths of a point per SAR: 10 points per SAR is 100,000. */
export type PointsPerSarE4 = number & { readonly __unit: 'points per SAR, e-4' }

/** The value of a program's point, in millionths of a SAR: 0.005 SAR is 5,000. */
export type MicroSarPerPoint = number & { readonly __unit: 'micro-SAR per point' }

export const NO_POINTS = 0 as Points

/** 10 points per SAR, the earn rate of a new merchant. docs/spec/points-and-money.md#default-rates */
export const DEFAULT_POINTS_PER_SAR = 100_000 as PointsPerSarE4

/** 100,000 points per SAR: the largest order earns fewer than 2^53 points. */
export const MAX_POINTS_PER_SAR = 1_000_000_000 as PointsPerSarE4

/** 0.005 SAR, the point value of a new program. docs/spec/points-and-money.md#default-rates */
export const DEFAULT_SAR_PER_POINT = 5_000 as MicroSarPerPoint

/** 0.0001 SAR: the largest order needs fewer than 2^53 points. */
export const MIN_SAR_PER_POINT = 100 as MicroSarPerPoint

/** 1,000 SAR. */
export const MAX_SAR_PER_POINT = 1_000_000_000 as MicroSarPerPoint

/**
 * The most points of a wallet, including pending ones. An earning that exceeds it is refused. Returns and reversals are
 * bounded by `MAX_REFUNDED_POINTS`. docs/spec/points-and-money.md#wallet-bound
 */
export const MAX_WALLET_POINTS = 100_000_000_000_000 as Points

/**
 * The most points, above or below zero, to which returns and reversals bring a wallet. With one more amount it stays below
 * 2^52, so sums of it are exact, in floating-point sums of the database too.
 */
export const MAX_REFUNDED_POINTS = 4_000_000_000_000_000 as Points

/** Halalas × ten-thousandths of a point per SAR, for one point. */
const UNITS_PER_POINT = 1_000_000

/** Micro-SAR in one halala. */
export const MICRO_SAR_PER_HALALA = 10_000

/** Takes a whole number of points (a database column, a sum). Throws a RangeError if it is not a safe integer. */
export function asPoints(value: number): Points {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of points: ${value}`)
  return (value + 0) as Points // -0 becomes 0
}

/** Takes a wallet's posted points and those of its pending earnings; gives how many points it can still earn. */
export function pointsRoom({ posted, waiting }: { readonly posted: Points; readonly waiting: Points }): Points {
  return asPoints(Math.min(Math.max(0, MAX_WALLET_POINTS - posted - waiting), Number.MAX_SAFE_INTEGER))
}

/** Takes an earn rate in points per SAR, 0 to 100,000 with at most four decimals. Null for anything else. */
export function parsePointsPerSar(rate: string | number): PointsPerSarE4 | null {
  return parseSetting(rate, 4, 0, MAX_POINTS_PER_SAR) as PointsPerSarE4 | null
}

/** Takes the value of a point in SAR, 0.0001 to 1,000 with at most six decimals. Null for anything else. */
export function parseSarPerPoint(value: string | number): MicroSarPerPoint | null {
  return parseSetting(value, 6, MIN_SAR_PER_POINT, MAX_SAR_PER_POINT) as MicroSarPerPoint | null
}

/** Takes an earn rate; gives it in points per SAR. */
export function toPointsPerSar(rate: PointsPerSarE4): number {
  return rate / 10_000
}

/** Takes the value of a point; gives it in SAR. */
export function toSarPerPoint(value: MicroSarPerPoint): number {
  return value / 1_000_000
}

/** Gives the points that a purchase of `total` earns, rounded down. docs/spec/points-and-money.md#points */
export function pointsEarned(total: Halalas, rate: PointsPerSarE4): Points {
  return asPoints(scaleDown(total, rate, UNITS_PER_POINT))
}

/** Gives the points needed to pay all of `amount`, rounded up. docs/spec/points-and-money.md#points */
export function pointsNeeded(amount: Halalas, value: MicroSarPerPoint): Points {
  assertNotNegative(amount)
  const micro = BigInt(amount) * BigInt(MICRO_SAR_PER_HALALA)
  const divisor = BigInt(value)
  return asPoints(Number((micro + divisor - 1n) / divisor))
}

/** Gives the money that `points` pay, rounded down to the halala. docs/spec/points-and-money.md#points */
export function pointsValue(points: Points, value: MicroSarPerPoint): Halalas {
  return asHalalas(scaleDown(points, value, MICRO_SAR_PER_HALALA))
}

/** 2^46 SAR. Above it a number of SAR cannot tell one halala from the next. */
const most_worth = 100n * 2n ** 46n

/** Like `pointsValue`, for a balance, which is not bounded by an order; null if no number of SAR is exactly its money. */
export function pointsWorth(points: Points, value: MicroSarPerPoint): Halalas | null {
  assertNotNegative(points)
  const worth = (BigInt(points) * BigInt(value)) / BigInt(MICRO_SAR_PER_HALALA)
  return worth > most_worth ? null : asHalalas(Number(worth))
}

/** Takes an amount of any size in micro-SAR; gives halalas, rounded half away from zero. */
export function halalasOfMicroSar(micro_sar: bigint): bigint {
  return divideRounded(micro_sar, BigInt(MICRO_SAR_PER_HALALA))
}

/**
 * Gives the share `part / whole` of points or money, rounded to nearest, half up. Throws a RangeError unless `whole` is
 * above 0 and `part` between 0 and `whole`. docs/spec/orders.md#refund-shares
 */
export function proportion<Unit extends Points | Halalas>(amount: Unit, part: Halalas, whole: Halalas): Unit {
  assertNotNegative(amount)
  if (whole <= 0 || part < 0 || part > whole) throw new RangeError(`not a share: ${part} of ${whole}`)
  const twice = 2n * BigInt(amount) * BigInt(part) + BigInt(whole)
  return Number(twice / (2n * BigInt(whole))) as Unit
}

/** Gives `a × b / divisor`, exact and rounded down. Uses plain numbers while the product stays below 2^53. */
function scaleDown(a: number, b: number, divisor: number): number {
  assertNotNegative(a)
  const product = a * b
  if (product <= Number.MAX_SAFE_INTEGER) return (product - (product % divisor)) / divisor
  return Number((BigInt(a) * BigInt(b)) / BigInt(divisor))
}

function assertNotNegative(amount: number): void {
  if (amount < 0) throw new RangeError(`negative amount: ${amount}`)
}
