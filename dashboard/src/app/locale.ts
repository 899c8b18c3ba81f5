import { useSyncExternalStore } from 'react'
import type { Locale } from '../../../src/domain/locale.ts'
import { askIn } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import type { Catalogue } from '../texts/catalogue.ts'
import { loadCatalogue } from '../texts/load.ts'

/** The language of the pages: the one that the person chose, else the one of this browser, else the browser's own. */

interface Chosen {
  readonly locale: Locale
  readonly catalogue: Catalogue
}

const stored_as = 'nuqta-locale'

let chosen: Chosen | undefined
let isOperator = false
const listeners = new Set<() => void>()

function firstLocale(): Locale {
  return storedLocale() ?? browserLocale()
}

function storedLocale(): Locale | null {
  const stored = readStored()
  return stored === 'en' || stored === 'ar' ? stored : null
}

function browserLocale(): Locale {
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

/** Loads the texts of a language, then shows every page in it, in this browser from now on. */
export async function showIn(locale: Locale): Promise<void> {
  store(locale)
  await change(locale)
}

/** Shows every page in the browser's own language, and forgets another that was chosen in it. */
export async function showInBrowsers(): Promise<void> {
  store(null)
  await change(browserLocale())
}

async function change(locale: Locale): Promise<void> {
  if (chosen?.locale === locale) return
  const isFirst = chosen === undefined
  await show(locale)
  askIn(locale)
  document.documentElement.lang = locale
  document.documentElement.dir = locale === 'ar' ? 'rtl' : 'ltr'
  // Answers have texts in the language in which they were asked for. The session has none, and knows the choice already.
  if (!isFirst) void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== '/session' })
}

function store(locale: Locale | null): void {
  try {
    if (locale === null) localStorage.removeItem(stored_as)
    else localStorage.setItem(stored_as, locale)
  } catch {
    // Only the next visit asks again.
  }
}

async function show(locale: Locale): Promise<void> {
  chosen = { locale, catalogue: await loadCatalogue(locale, isOperator) }
  for (const listener of listeners) listener()
}

/** Adds the texts of operators' pages from now on. Await this before one of those pages is drawn. */
export async function showToOperator(): Promise<void> {
  if (isOperator || chosen === undefined) return
  isOperator = true
  try {
    await show(chosen.locale)
  } catch (error) {
    isOperator = false
    throw error
  }
}

/** Await this before the first page is drawn. */
export function prepareLocale(): Promise<void> {
  return change(firstLocale())
}

/** Calls `follow` with the language that another tab of this browser chose, or with null for the browser's own. */
export function onChoiceElsewhere(follow: (locale: Locale | null) => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === stored_as) follow(storedLocale())
  })
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
