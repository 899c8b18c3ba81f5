import { parseCookie, stringifySetCookie } from 'cookie'
import { newSecretText } from '../../lib/ids.ts'
import type { Locale } from '../api/locale.ts'
import type { Cookie } from './page.ts'

/** Cookies of our pages: for this host alone, over HTTPS, out of reach of scripts, not sent with requests of other sites. */

/** Names a browser, so that what was proven in it is believed in no other, and forms can be known as ours. */
const browserCookie = '__Host-nuqta-browser'
const localeCookie = '__Host-nuqta-lang'

/** What the browser brings of the phones that were proven in it; it raises limits and opens nothing. */
const knownCookie = '__Host-nuqta-known'

const browser_age_s = 30 * 86_400
const locale_age_s = 365 * 86_400

/** What `newSecretText` makes. */
const browserName = /^[0-9a-hjkmnp-tv-z]{26}$/

export function readCookies(header: string | undefined): Readonly<Record<string, string>> {
  if (header === undefined) return {}
  const found = Object.entries(parseCookie(header)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(found)
}

/** The name that the browser was given, unless it never was or sends something else. */
export function browserOf(cookies: Readonly<Record<string, string>>): string | undefined {
  const name = cookies[browserCookie]
  return name !== undefined && browserName.test(name) ? name : undefined
}

export function newBrowser(): string {
  return newSecretText()
}

/** Sent with every page that has a form, so that the name does not end in the middle of a visit. */
export function rememberBrowser(browser: string): Cookie {
  return { name: browserCookie, value: browser, max_age_s: browser_age_s }
}

/** What the browser brings of phones that were proven in it. */
export function knownProofs(cookies: Readonly<Record<string, string>>): string | undefined {
  return cookies[knownCookie]
}

/** Kept for as long as the newest proof is believed. */
export function rememberProofs(proofs: string): Cookie {
  return { name: knownCookie, value: proofs, max_age_s: browser_age_s }
}

export function rememberLocale(locale: Locale): Cookie {
  return { name: localeCookie, value: locale, max_age_s: locale_age_s }
}

export function rememberedLocale(cookies: Readonly<Record<string, string>>): string | undefined {
  return cookies[localeCookie]
}

/** The `Set-Cookie` header of a cookie. Throws for a name that browsers would not bind to this host. */
export function setCookieHeader({ name, value, max_age_s }: Cookie): string {
  if (!name.startsWith('__Host-')) throw new Error(`the cookie ${name} is not bound to this host`)
  const lasts = max_age_s === undefined ? {} : { maxAge: max_age_s }
  return stringifySetCookie({ name, value, ...lasts, path: '/', httpOnly: true, secure: true, sameSite: 'lax' })
}
