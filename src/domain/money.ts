/** Money is whole halalas (hundredths of a SAR), so that sums and shares are exact. Decisions §2, "Money". */

/** A whole number of halalas. */
export type Halalas = number & { readonly __unit: 'halalas' }

/** The largest amount accepted, in halalas: 9,999,999,999.99 SAR (decisions §2). */
export const MAX_HALALAS = 999_999_999_999 as Halalas

/** The largest amount accepted, in SAR (decisions §2). */
export const MAX_SAR = 9_999_999_999.99

export const NO_MONEY = 0 as Halalas

/** Takes a number known to be whole halalas (a database column, a sum); throws a RangeError when it is not exact. */
export function asHalalas(value: number): Halalas {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of halalas: ${value}`)
  return (value + 0) as Halalas // -0 becomes 0
}

/**
 * Takes a JSON number in SAR and gives halalas, rounded half away from zero by its decimal text: 1.005 is 101.
 * Null when it is not finite or, once rounded, further from zero than MAX_SAR. Negative amounts pass: the lower bound
 * belongs to the field. Decisions §2, "Money".
 */
export function parseSar(value: number): Halalas | null {
  // With two decimals or fewer, the nearest number of halalas is the number itself: no text is needed.
  const nearest = Math.round(value * 100)
  if (nearest / 100 === value && Math.abs(nearest) <= MAX_HALALAS) return asHalalas(nearest)
  const decimal = scaleDecimal(String(value), 2)
  if (decimal === null) return null
  const { units } = decimal
  if (units > MAX_HALALAS || units < -MAX_HALALAS) return null
  return asHalalas(Number(units))
}

/** Takes halalas and gives the JSON number in SAR, with at most two decimals: 1005 is 10.05. Decisions §2, "Money". */
export function toSar(amount: Halalas): number {
  return amount / 100 // one division, correctly rounded: the double nearest to the decimal, which prints as it
}

/** A decimal text times a power of ten, as a whole number; `exact` is false when rounding dropped something. */
export interface ScaledDecimal {
  readonly units: bigint
  readonly exact: boolean
}

/**
 * Takes the decimal text of a number (`12`, `-1.005`, `1e-7`) and gives its value × 10^`places`, rounded half away from
 * zero. Null when the text is not such a number. Decisions §2: rounding goes by the decimal text, never by the double.
 */
export function scaleDecimal(text: string, places: number): ScaledDecimal | null {
  const match = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const shift = Number(exponent) - fraction.length + places
  const divisor = shift < 0 ? 10n ** BigInt(-shift) : 1n
  const magnitude = shift < 0 ? (2n * digits + divisor) / (2n * divisor) : digits * 10n ** BigInt(shift)
  return { units: sign === '-' ? -magnitude : magnitude, exact: digits % divisor === 0n }
}
