const easternDigits = /[\u0660-\u0669\u06f0-\u06f9]/g

/** Gives a text with its Arabic-Indic and Persian digits as ASCII ones; the rest stays (decisions §2, "Phone"). */
export function foldDigits(text: string): string {
  // U+0660 and U+06F0 both end in 0.
  return text.replace(easternDigits, (digit) => String(digit.charCodeAt(0) & 0xf))
}

/** Spaces, dashes, parentheses, and the invisible direction marks that come along when a number is copied. */
export const numberSeparators = /[\p{Zs}\t()\-\u2010-\u2015\u2212\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
