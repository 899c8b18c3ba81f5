// The service's rules of amounts and points. A property test compares them with the domain's.

const max_halalas = 999_999_999_999

/** The amount in halalas, as the service reads it: rounded half up by its decimal text. Null when it is not an amount. */
export const toHalalas = (text: string): number | null => {
  const plain = text
    .trim()
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace('\u066b', '.')
    .replace(/\u066c/g, ',')
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain)) return null
  const sar = Number(plain.replace(/,/g, ''))
  if (sar < 0.005 || sar > 1e10) return sar < 0.005 ? 0 : null
  const [whole = '', fraction = ''] = String(sar).split('.')
  const halalas = Number(whole + fraction.slice(0, 2).padEnd(2, '0')) + (Number(fraction[2]) >= 5 ? 1 : 0)
  return halalas <= max_halalas ? halalas : null
}

/** The points that the service awards: rounded down, and exact beyond 2^53. */
export const toPoints = (halalas: number, points_per_sar: number): number => {
  const rate = Math.round(points_per_sar * 10_000)
  const product = halalas * rate
  return product <= Number.MAX_SAFE_INTEGER
    ? (product - (product % 1_000_000)) / 1_000_000
    : Number((BigInt(halalas) * BigInt(rate)) / BigInt(1_000_000))
}
