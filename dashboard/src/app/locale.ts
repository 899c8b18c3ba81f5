import { useSyncExternalStore } from 'react'
import { askIn } from '../api/client.ts'
import type { Catalogue, Locale } from '../texts/catalogue.ts'
import { loadCatalogue } from '../texts/load.ts'

/** The language of the pages: the one that the person chose, else the one of this browser, else the browser's own. */

interface Chosen {
  readonly locale: Locale
  readonly catalogue: Catalogue
  readonly forOperator: boolean
}

const stored_as = 'nuqta-locale'

let chosen: Chosen | undefined
const listeners = new Set<() => void>()

function firstLocale(): Locale {
  const stored = readStored()
  if (stored === 'en' || stored === 'ar') return stored
  return navigator.languages.some((language) => language.startsWith('ar')) ? 'ar' : 'en'
}

/** Storage can be forbidden; then the choice lasts until the page is closed. */
function readStored(): string | null {
  try {
    return localStorage.getItem(stored_as)
  } catch {
    return null
  }
}

/** Loads the texts of a language, then shows every page in it. What was loaded for an operator stays. */
export async function showIn(locale: Locale, forOperator = chosen?.forOperator ?? false): Promise<void> {
  if (chosen?.locale === locale && chosen.forOperator === forOperator) return
  const catalogue = await loadCatalogue(locale, forOperator)
  chosen = { locale, catalogue, forOperator }
  askIn(locale)
  document.documentElement.lang = locale
  document.documentElement.dir = locale === 'ar' ? 'rtl' : 'ltr'
  try {
    localStorage.setItem(stored_as, locale)
  } catch {
    // Only the next visit asks again.
  }
  for (const listener of listeners) listener()
}

/** To be awaited before a page of an operator is drawn. */
export async function showOperatorsTexts(): Promise<void> {
  if (chosen !== undefined) await showIn(chosen.locale, true)
}

/** To be awaited before the first page is drawn. */
export function prepareLocale(): Promise<void> {
  return showIn(firstLocale())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useChosenLocale(): Chosen {
  const now = useSyncExternalStore(subscribe, () => chosen)
  if (now === undefined) throw new Error('prepareLocale() comes first')
  return now
}
