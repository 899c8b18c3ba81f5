/** Texts that people type. */

const easternDigits = /[\u0660-\u0669\u06f0-\u06f9]/g

/** Replaces Arabic-Indic and Persian digits with ASCII digits. docs/spec/customers.md#phone */
export function foldDigits(text: string): string {
  // U+0660 and U+06F0 end in 0, so the low four bits are the digit.
  return text.replace(easternDigits, (digit) => String(digit.charCodeAt(0) & 0xf))
}

/**
 * Takes an amount as people type it: in any digits, with `,` or `٬` between thousands, `.` or `٫` before the decimals,
 * and spaces. Gives it in ASCII digits with a full stop and nothing between thousands: `١٬٢٣٤٫٥` is `1234.5`. Of any
 * other text only digits and spaces change, so the caller's pattern refuses it.
 */
export function plainAmount(typed: string): string {
  const text = foldDigits(typed.replace(/[\p{Zs}\p{Cf}]/gu, ''))
  const is_grouped = /^\d{1,3}([,٬]\d{3})+([.٫]\d*)?$/.test(text)
  return (is_grouped ? text.replace(/[,٬]/g, '') : text).replace('٫', '.')
}

/** The last character of Unicode. Behind a prefix, it sorts after every text that begins with the prefix. */
export const last_character = '\u{10FFFF}'

/** Spaces, dashes, parentheses, and the invisible direction marks that are copied along with a number. */
export const numberSeparators = /[\p{Zs}\t()\-\u2010-\u2015\u2212\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Gives a text trimmed, on one line, with single spaces, and without invisible characters. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
}

/** True if a text has no line break, tab or other control character. */
export function isOneLine(text: string): boolean {
  return !/\p{Cc}/u.test(text)
}

/** The longest customer's name, in characters. docs/spec/customers.md#onboarding */
export const max_name_characters = 255

/**
 * Takes a customer's name as typed; gives it trimmed, on one line and with single spaces. Null when it is empty or
 * longer than 255 characters.
 */
export function readName(text: string): string | null {
  const name = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return name === '' || [...name].length > max_name_characters ? null : name
}
