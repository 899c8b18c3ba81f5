/** The languages of texts and labels. docs/spec/api.md#locale */
export type Locale = 'ar' | 'en'

export function isLocale(value: unknown): value is Locale {
  return value === 'ar' || value === 'en'
}

/** In which direction a text of this language is read. */
export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}

/** A text in both languages. */
export type LocalText = Readonly<Record<Locale, string>>
