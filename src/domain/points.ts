/** Points are whole numbers; rates are whole numbers of a small unit, so that no rounding hides. Decisions §2, "Points". */
import { asHalalas, type Halalas, scaleDecimal } from './money.ts'

/** A whole number of points. */
export type Points = number & { readonly __unit: 'points' }

/** A merchant's earn rate, in ten-thousandths of a point per SAR: 10 points per SAR is 100,000. */
export type PointsPerSarE4 = number & { readonly __unit: 'points per SAR, e-4' }

/** What a program's point redeems, in millionths of a SAR: 0.005 SAR is 5,000. */
export type MicroSarPerPoint = number & { readonly __unit: 'micro-SAR per point' }

export const NO_POINTS = 0 as Points

/** 10 points per SAR, the rate of a new merchant (decisions §2). */
export const DEFAULT_POINTS_PER_SAR = 100_000 as PointsPerSarE4

/** 100,000 points per SAR: with it the largest order still earns fewer than 2^53 points. */
export const MAX_POINTS_PER_SAR = 1_000_000_000 as PointsPerSarE4

/** 0.005 SAR, what a point of a new program redeems (decisions §2). */
export const DEFAULT_SAR_PER_POINT = 5_000 as MicroSarPerPoint

/** 0.0001 SAR: with it the largest order still needs fewer than 2^53 points. */
export const MIN_SAR_PER_POINT = 100 as MicroSarPerPoint

/** 1,000 SAR. */
export const MAX_SAR_PER_POINT = 1_000_000_000 as MicroSarPerPoint

/**
 * The most points of a wallet, either way: an earning that would pass it is refused, pending ones counted. Returns and
 * reversals are never refused, and stay exact far beyond it.
 */
export const MAX_WALLET_POINTS = 100_000_000_000_000 as Points

/** Halalas × ten-thousandths of a point per SAR, for one point. */
const UNITS_PER_POINT = 1_000_000

/** Micro-SAR in one halala. */
const MICRO_SAR_PER_HALALA = 10_000

/** Takes a number known to be whole points (a column, a sum); throws a RangeError when it is not exact. */
export function asPoints(value: number): Points {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of points: ${value}`)
  return (value + 0) as Points // -0 becomes 0
}

/** What a wallet can still earn; `waiting` are the points of earnings that wait for its customer. */
export function pointsRoom({ posted, waiting }: { readonly posted: Points; readonly waiting: Points }): Points {
  return asPoints(Math.min(Math.max(0, MAX_WALLET_POINTS - posted - waiting), Number.MAX_SAFE_INTEGER))
}

/** Takes an earn rate in points per SAR, up to four decimals, 0 to 100,000. Null for anything else. Decisions §2. */
export function parsePointsPerSar(rate: string | number): PointsPerSarE4 | null {
  return parseSetting(rate, 4, 0, MAX_POINTS_PER_SAR) as PointsPerSarE4 | null
}

/** Takes the SAR that a point redeems, up to six decimals, 0.0001 to 1,000. Null for anything else. Decisions §2. */
export function parseSarPerPoint(value: string | number): MicroSarPerPoint | null {
  return parseSetting(value, 6, MIN_SAR_PER_POINT, MAX_SAR_PER_POINT) as MicroSarPerPoint | null
}

/** Gives an earn rate back as points per SAR, with at most four decimals. */
export function toPointsPerSar(rate: PointsPerSarE4): number {
  return rate / 10_000
}

/** Gives a point's worth back as SAR, with at most six decimals. */
export function toSarPerPoint(value: MicroSarPerPoint): number {
  return value / 1_000_000
}

/** Points that a purchase of `total` earns, rounded down. Decisions §2, "Points". */
export function pointsEarned(total: Halalas, rate: PointsPerSarE4): Points {
  return asPoints(scaleDown(total, rate, UNITS_PER_POINT))
}

/** Points needed to pay `amount` whole, rounded up. Decisions §2, "Points". */
export function pointsNeeded(amount: Halalas, value: MicroSarPerPoint): Points {
  assertNotNegative(amount)
  const micro = BigInt(amount) * BigInt(MICRO_SAR_PER_HALALA)
  const divisor = BigInt(value)
  return asPoints(Number((micro + divisor - 1n) / divisor))
}

/** What `points` redeem, rounded down to the halala. Decisions §2, "Points". */
export function pointsValue(points: Points, value: MicroSarPerPoint): Halalas {
  return asHalalas(scaleDown(points, value, MICRO_SAR_PER_HALALA))
}

/** The same for a whole balance, which no total bounds; null where it is more money than can be counted exactly. */
export function pointsWorth(points: Points, value: MicroSarPerPoint): Halalas | null {
  assertNotNegative(points)
  const worth = (BigInt(points) * BigInt(value)) / BigInt(MICRO_SAR_PER_HALALA)
  return worth > BigInt(Number.MAX_SAFE_INTEGER) ? null : asHalalas(Number(worth))
}

/**
 * The share `part / whole` of points or money, rounded to the nearest, half up. `part` is between 0 and `whole`, and
 * `whole` above 0; anything else throws a RangeError. Decisions §2 and §8.
 */
export function proportion<Unit extends Points | Halalas>(amount: Unit, part: Halalas, whole: Halalas): Unit {
  assertNotNegative(amount)
  if (whole <= 0 || part < 0 || part > whole) throw new RangeError(`not a share: ${part} of ${whole}`)
  const twice = 2n * BigInt(amount) * BigInt(part) + BigInt(whole)
  return Number(twice / (2n * BigInt(whole))) as Unit
}

function parseSetting(setting: string | number, places: number, min: number, max: number): number | null {
  const decimal = scaleDecimal(String(setting).trim(), places)
  if (decimal === null || !decimal.exact || decimal.units < min || decimal.units > max) return null
  return Number(decimal.units)
}

/** `a × b / divisor`, rounded down and exact; plain numbers while the product stays below 2^53. */
function scaleDown(a: number, b: number, divisor: number): number {
  assertNotNegative(a)
  const product = a * b
  if (product <= Number.MAX_SAFE_INTEGER) return (product - (product % divisor)) / divisor
  return Number((BigInt(a) * BigInt(b)) / BigInt(divisor))
}

function assertNotNegative(amount: number): void {
  if (amount < 0) throw new RangeError(`negative amount: ${amount}`)
}
