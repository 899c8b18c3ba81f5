export type Locale = 'ar' | 'en'

/** Texts by plural form. `#` is the number. */
const earn: Record<Locale, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = {
  en: { one: 'Earn # point', other: 'Earn # points' },
  ar: { one: 'اكسب نقطة واحدة', two: 'اكسب نقطتين', few: 'اكسب # نقاط', other: 'اكسب # نقطة' },
}

export const textOf = (points: number, locale: Locale): string => {
  const text = earn[locale][new Intl.PluralRules(locale).select(points)] ?? earn[locale].other
  const numbers = new Intl.NumberFormat(locale === 'ar' ? 'ar-u-nu-latn' : 'en')
  return text.replace('#', numbers.format(points))
}

export const texts = {
  points: { en: 'Your points', ar: 'نقاطك' },
  see: { en: 'See your points', ar: 'عرض نقاطك' },
  pay: { en: 'Pay with points', ar: 'الدفع بالنقاط' },
  opening: { en: 'Opening the checkout…', ar: 'جارٍ فتح صفحة الدفع…' },
  failed: {
    en: 'The checkout could not be opened. Please try again.',
    ar: 'تعذّر فتح صفحة الدفع. حاول مرة أخرى.',
  },
} as const
