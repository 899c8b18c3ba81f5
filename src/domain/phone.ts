/** Saudi mobile numbers. Spec, "What the service does" 2; decisions §2, "Phone". */

/** A normalised number: `5` and eight more digits. */
export type Phone = string & { readonly __unit: 'phone' }

/** Spaces, dashes, parentheses, and the invisible direction marks that come along when a number is copied. */
const separators = /[\p{Zs}\t()\-\u2010-\u2015\u2212\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const accepted = /^(?:\+966|00966|966|0)?(5[0-9]{8})$/

/**
 * Takes a number in any accepted format (`+966…`, `00966…`, `966…`, `0…`, bare `5…`), with separators, and with
 * Arabic-Indic or Persian digits; gives it normalised. Null for anything else. Decisions §2, "Phone".
 */
export function parsePhone(text: string): Phone | null {
  // Most numbers come without separators and in ASCII.
  const plain = accepted.exec(text)?.[1]
  if (plain !== undefined) return plain as Phone
  const compact = text.replace(separators, '').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, foldDigit)
  const number = accepted.exec(compact)?.[1]
  return number === undefined ? null : (number as Phone)
}

/** Gives the number as it may be shown and logged: first digit, six dots, last two digits. */
export function maskPhone(phone: Phone): string {
  return `5••••••${phone.slice(-2)}`
}

function foldDigit(digit: string): string {
  return String(digit.charCodeAt(0) & 0xf) // U+0660 and U+06F0 both end in 0
}
