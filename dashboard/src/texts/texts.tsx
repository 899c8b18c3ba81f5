import { createContext, type ReactNode, use, useMemo } from 'react'
import { directionOf, type Locale } from '../../../src/domain/locale.ts'
import type { Catalogue } from './catalogue.ts'
import { type Format, formatIn } from './format.ts'
import { type Translate, translatorOf } from './translate.ts'

export interface Texts {
  readonly locale: Locale
  readonly dir: 'ltr' | 'rtl'
  /** The text of a key: `t('orders.title')`, `t('orders.found', { count: 3 })`. */
  readonly t: Translate
  readonly format: Format
}

const Context = createContext<Texts | null>(null)

export function TextsProvider({
  locale,
  catalogue,
  children,
}: {
  locale: Locale
  catalogue: Catalogue
  children: ReactNode
}) {
  const texts = useMemo(
    () => ({
      locale,
      dir: directionOf(locale),
      t: translatorOf(locale, catalogue),
      format: formatIn(locale),
    }),
    [locale, catalogue],
  )
  return <Context value={texts}>{children}</Context>
}

/** Texts and formats in the language of the reader. */
export function useTexts(): Texts {
  const texts = use(Context)
  if (texts === null) throw new Error('useTexts() needs a TextsProvider')
  return texts
}
