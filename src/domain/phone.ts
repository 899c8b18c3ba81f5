/** Saudi mobile numbers. Spec, "What the service does" 2; decisions §2, "Phone". */
import { foldDigits, numberSeparators } from './digits.ts'

/** A normalised number: `5` and eight more digits. */
export type Phone = string & { readonly __unit: 'phone' }

const accepted = /^(?:\+966|00966|966|0)?(5[0-9]{8})$/

/**
 * Takes a number in any accepted format (`+966…`, `00966…`, `966…`, `0…`, bare `5…`), with separators, and with
 * Arabic-Indic or Persian digits; gives it normalised. Null for anything else. Decisions §2, "Phone".
 */
export function parsePhone(text: string): Phone | null {
  // Most numbers come without separators and in ASCII.
  const plain = accepted.exec(text)?.[1]
  if (plain !== undefined) return plain as Phone
  const number = accepted.exec(foldDigits(text.replace(numberSeparators, '')))?.[1]
  return number === undefined ? null : (number as Phone)
}

/** Gives the number as it may be shown and logged: first digit, six dots, last two digits. */
export function maskPhone(phone: Phone): string {
  return `5••••••${phone.slice(-2)}`
}
