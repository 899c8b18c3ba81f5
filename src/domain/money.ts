/**
 * Money is whole halalas (hundredths of a SAR), so that sums and shares are exact. docs/spec/points-and-money.md#money
 */

/** A whole number of halalas. */
export type Halalas = number & { readonly __unit: 'halalas' }

/** The largest accepted amount in halalas: 9,999,999,999.99 SAR. */
export const MAX_HALALAS = 999_999_999_999 as Halalas

/** The largest accepted amount in SAR. */
export const MAX_SAR = 9_999_999_999.99

export const NO_MONEY = 0 as Halalas

/** Takes a whole number of halalas (a database column, a sum). Throws a RangeError if it is not a safe integer. */
export function asHalalas(value: number): Halalas {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of halalas: ${value}`)
  return (value + 0) as Halalas // -0 becomes 0
}

/**
 * Takes a JSON number in SAR; gives halalas, rounded half away from zero by its decimal text: 1.005 is 101. Null if it
 * is not finite or, once rounded, further from zero than MAX_SAR. Negative amounts pass: each field has its own lower
 * bound. docs/spec/points-and-money.md#money
 */
export function parseSar(value: number): Halalas | null {
  // Fast path: with at most two decimals the number is exact, so no text is needed.
  const nearest = Math.round(value * 100)
  if (nearest / 100 === value && Math.abs(nearest) <= MAX_HALALAS) return asHalalas(nearest)
  const decimal = scaleDecimal(String(value), 2)
  if (decimal === null) return null
  const { units } = decimal
  if (units > MAX_HALALAS || units < -MAX_HALALAS) return null
  return asHalalas(Number(units))
}

/** Takes up to 2^46 SAR in halalas; gives the JSON number in SAR, with at most two decimals: 1005 is 10.05. */
export function toSar(amount: Halalas): number {
  return amount / 100 // IEEE division is correctly rounded, so the result prints as the decimal
}

/** Takes an amount of any size and a divisor above 0; gives the quotient, rounded half away from zero. */
export function divideRounded(amount: bigint, divisor: bigint): bigint {
  const magnitude = ((amount < 0n ? -amount : amount) * 2n + divisor) / (divisor * 2n)
  return amount < 0n ? -magnitude : magnitude
}

/** A decimal text times a power of ten, as a whole number. `exact` is false if it was rounded. */
export interface ScaledDecimal {
  readonly units: bigint
  readonly exact: boolean
}

/**
 * Takes the decimal text of a number (`12`, `-1.005`, `1e-7`); gives its value × 10^`places`, rounded half away from
 * zero. Null for any other text. It rounds by the decimal text, never by the double.
 * docs/spec/points-and-money.md#money
 */
export function scaleDecimal(text: string, places: number): ScaledDecimal | null {
  const match = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const shift = Number(exponent) - fraction.length + places
  const divisor = shift < 0 ? 10n ** BigInt(-shift) : 1n
  const magnitude = shift < 0 ? divideRounded(digits, divisor) : digits * 10n ** BigInt(shift)
  return { units: sign === '-' ? -magnitude : magnitude, exact: digits % divisor === 0n }
}

/**
 * Takes a setting as it was typed or sent; gives its value × 10^`places`. Null unless it is a number between the bounds with at
 * most so many decimals.
 */
export function parseSetting(setting: string | number, places: number, min: number, max: number): number | null {
  const decimal = scaleDecimal(String(setting).trim(), places)
  if (decimal === null || !decimal.exact || decimal.units < min || decimal.units > max) return null
  return Number(decimal.units)
}
