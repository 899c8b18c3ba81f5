/** Texts: the languages of the service. docs/spec/api.md#locale */

export type Locale = 'ar' | 'en'

/** A text in both languages. */
export type LocalText = Readonly<Record<Locale, string>>
