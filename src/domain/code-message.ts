/** The text message with a one-time code. docs/spec/customers.md#code-message */
import type { Locale, LocalText } from './locale.ts'
import type { OtpPurpose } from './otp.ts'
import { onOneLine } from './text.ts'

/** What a code is for. */
export interface CodeUse {
  readonly purpose: OtpPurpose
  /** Of the store, or of the program for its wallet. */
  readonly name: string
  /** The host of our pages: browsers fill the code in there and nowhere else. */
  readonly host: string
}

const texts: Readonly<Record<OtpPurpose, LocalText>> = {
  checkout: {
    en: '{code} is your code to use points at {name}.',
    ar: '{code} رمز استخدام نقاطك لدى {name}.',
  },
  wallet: {
    en: '{code} is your code to sign in to {name}.',
    ar: '{code} رمز الدخول إلى {name}.',
  },
}
const warnings: readonly LocalText[] = [
  { en: ' It works for 5 minutes. Never share it.', ar: ' يعمل 5 دقائق. لا تشاركه.' },
  { en: ' Never share it.', ar: ' لا تشاركه.' },
  { en: '', ar: '' },
]

/** One part of a message holds 160 characters of the GSM alphabet, or 70 when it has any others. */
const gsm = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z]*$/
const isOnePart = (text: string): boolean => text.length <= (gsm.test(text) ? 160 : 70)

const max_name_characters = 60
const least_name_characters = 6

/**
 * Takes a code and what it is for; gives its message in a language. The message fits into one part where possible: warnings
 * are dropped first, then the end of the name. The last line binds the code to our host, as browsers read it.
 */
export function codeMessage(code: string, locale: Locale, { purpose, name, host }: CodeUse): string {
  const shown = [...onOneLine(name)].slice(0, max_name_characters)
  const message = (length: number, warning: LocalText | undefined): string => {
    const cut = shown.slice(0, length).join('').trim()
    const text = texts[purpose][locale].replace('{code}', () => code).replace('{name}', () => cut)
    return `${text}${warning?.[locale] ?? ''}\n@${host} #${code}`
  }
  for (const warning of warnings) {
    const whole = message(shown.length, warning)
    if (isOnePart(whole)) return whole
  }
  for (let length = shown.length - 1; length >= least_name_characters; length -= 1) {
    const cut = message(length, undefined)
    if (isOnePart(cut)) return cut
  }
  return message(shown.length, warnings[0])
}
