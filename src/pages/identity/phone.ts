import type { Locale, LocalText } from '../../domain/locale.ts'
import { type Phone, parsePhone } from '../../domain/phone.ts'
import { foldDigits } from '../../domain/text.ts'
import { heading } from '../design/components.ts'
import { button, field, form } from '../design/controls.ts'
import { type Html, html, type Part } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { phoneTexts } from './texts.ts'

export interface PhoneStep {
  readonly locale: Locale
  /** The page's own path. */
  readonly action: string
  readonly csrf: string
  readonly title?: Part
  readonly lead?: Part
  /** The rejected input, shown again. */
  readonly typed?: string
  readonly error?: LocalText | undefined
  /** Shown between the heading and the form. */
  readonly message?: Html | null
}

/** Asks for a mobile number. Its form sends `do=phone` and `phone`. */
export function phoneStep(step: PhoneStep): Html {
  const { locale, action, csrf, typed, error, message = null } = step
  const number = field({
    name: 'phone',
    label: phoneTexts.label[locale],
    hint: interpolate(phoneTexts.hint, locale, { example: html`<bdi dir="ltr">05XXXXXXXX</bdi>` }),
    type: 'tel',
    inputmode: 'tel',
    enterkeyhint: 'send',
    autocomplete: 'tel',
    dir: 'ltr',
    required: true,
    value: typed,
    error: error?.[locale],
    autofocus: error !== undefined,
  })
  return html`${heading(step.title ?? phoneTexts.title[locale], step.lead ?? phoneTexts.lead[locale])}
${message}
${form({ action, csrf, hidden: { do: 'phone' } }, [number, button(phoneTexts.send[locale])])}`
}

/** `+966 (0)51…`: the country code with the zero that stands in its place at home. */
const bothPrefixes = /^(?:\+|00)?9660(?=5)/

/** Reads the phone field of a form, which people fill in with more punctuation than the API takes. */
export function readPhoneField(typed: string | undefined): { readonly phone: Phone } | { readonly error: LocalText } {
  const text = typed?.trim() ?? ''
  if (text === '') return { error: phoneTexts.missing }
  // In a text from right to left, the plus may stand at the end.
  const compact = text.replace(/[^\p{L}\p{N}+]|(?<!^)\+/gu, '')
  const phone = parsePhone(foldDigits(compact).replace(bothPrefixes, '0'))
  return phone === null ? { error: phoneTexts.invalid } : { phone }
}

/** The number with all but its last three digits hidden, enough for its owner to recognise it. */
export function maskedPhone(phone: Phone): Html {
  return html`<bdi class="figure" dir="ltr">05•• ••• ${phone.slice(-3)}</bdi>`
}
