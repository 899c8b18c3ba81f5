/** Saudi mobile numbers. docs/spec/customers.md#phone */
import { foldDigits, numberSeparators } from './text.ts'

/** A normalised number: `5` and eight more ASCII digits. */
export type Phone = string & { readonly __unit: 'phone' }

/** A number has 14 characters at most, and some separators. A longer text must not cost the time to go through it. */
const max_characters = 100

const accepted = /^(?:\+966|00966|966|0)?(5[0-9]{8})$/

/**
 * Takes a number in any accepted format (`+966…`, `00966…`, `966…`, `0…`, bare `5…`), with separators, and with
 * Arabic-Indic or Persian digits, in 100 characters at most; gives it normalised, or null for anything else. docs/spec/customers.md#phone
 */
export function parsePhone(text: string): Phone | null {
  // Fast path: most numbers are ASCII without separators.
  const plain = accepted.exec(text)?.[1]
  if (plain !== undefined) return plain as Phone
  if (text.length > max_characters) return null
  const number = accepted.exec(foldDigits(text.replace(numberSeparators, '')))?.[1]
  return number === undefined ? null : (number as Phone)
}

/** Gives the masked number for pages and logs: first digit, six dots, last two digits. */
export function maskPhone(phone: Phone): string {
  return `5••••••${phone.slice(-2)}`
}
