import { useSyncExternalStore } from 'react'
import { directionOf, isLocale, type Locale } from '../../../src/domain/locale.ts'
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
/** The language that was asked for last: the texts of one before it may come later. */
let wanted: Locale | undefined
let isOperator = false
const listeners = new Set<() => void>()

function firstLocale(): Locale {
  return storedLocale() ?? browserLocale()
}

function storedLocale(): Locale | null {
  const stored = readStored()
  return isLocale(stored) ? stored : null
}

/** The first language of the browser that the dashboard has. */
function browserLocale(): Locale {
  return navigator.languages.map((language) => language.slice(0, 2)).find(isLocale) ?? 'en'
}

/** Storage can be forbidden; then the choice lasts until the page is closed. */
function readStored(): string | null {
  try {
    return localStorage.getItem(stored_as)
  } catch {
    return null
  }
}

/**
 * Loads the texts of a language, then shows every page in it, in this browser from now on. Gives whether the reader still
 * wants it by then.
 */
export async function showIn(locale: Locale): Promise<boolean> {
  store(locale)
  return change(locale)
}

/** Shows every page in the language of the account, unless the reader is just choosing another. */
export async function showOfAccount(locale: Locale): Promise<void> {
  if (wanted === chosen?.locale || wanted === locale) await showIn(locale)
}

/** Shows every page in the browser's own language, and forgets another that was chosen in it. */
export async function showInBrowsers(): Promise<void> {
  store(null)
  await change(browserLocale())
}

async function change(locale: Locale): Promise<boolean> {
  wanted = locale
  if (chosen?.locale === locale) return true
  const isFirst = chosen === undefined
  try {
    if (!(await show(locale))) return false
  } catch (error) {
    if (wanted === locale) wanted = chosen?.locale
    throw error
  }
  askIn(locale)
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
  // Answers have texts in the language in which they were asked for. The session has none, and knows the choice already.
  if (!isFirst) void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== '/session' })
  return true
}

function store(locale: Locale | null): void {
  try {
    if (locale === null) localStorage.removeItem(stored_as)
    else localStorage.setItem(stored_as, locale)
  } catch {
    // Only the next visit asks again.
  }
}

async function show(locale: Locale): Promise<boolean> {
  const catalogue = await loadCatalogue(locale, isOperator)
  if (locale !== wanted) return false
  chosen = { locale, catalogue }
  for (const listener of listeners) listener()
  return true
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
export async function prepareLocale(): Promise<void> {
  await change(firstLocale())
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
