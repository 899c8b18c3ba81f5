import { parseCookie, stringifySetCookie } from 'cookie'
import type { Locale } from '../../domain/locale.ts'
import { known_for_s } from '../../domain/otp.ts'
import { remembered_for_ms } from '../../domain/remembered.ts'
import { day_s } from '../../domain/spans.ts'
import { isSecretText, newSecretText } from '../../lib/ids.ts'
import type { Cookie } from './page.ts'

/** Cookies of our pages: for this host only, over HTTPS, hidden from scripts, not sent with requests of other sites. */

/** The browser's id. It ties proofs and forms to one browser. */
const browserCookie = '__Host-nuqta-browser'
const localeCookie = '__Host-nuqta-lang'

/**
 * Proofs of phones that were verified in this browser. They raise limits and open nothing.
 * docs/spec/customers.md#known-browser
 */
const knownCookie = '__Host-nuqta-known'

/** Tokens of this browser where a customer asked it to be remembered. docs/spec/customers.md#remembered-browser */
const rememberedCookie = '__Host-nuqta-remembered'

const browser_age_s = 30 * day_s
const locale_age_s = 365 * day_s

export function readCookies(header: string | undefined): Readonly<Record<string, string>> {
  if (header === undefined) return {}
  const found = Object.entries(parseCookie(header)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(found)
}

/** The browser's id; undefined when it has none, or sends something else. */
export function browserOf(cookies: Readonly<Record<string, string>>): string | undefined {
  const name = cookies[browserCookie]
  return name !== undefined && isSecretText(name) ? name : undefined
}

export function newBrowser(): string {
  return newSecretText()
}

/** Sent with every page that has a form, so that the id does not expire in the middle of a visit. */
export function rememberBrowser(browser: string): Cookie {
  return { name: browserCookie, value: browser, max_age_s: browser_age_s }
}

/** The proofs of phones that were verified in this browser. */
export function knownProofs(cookies: Readonly<Record<string, string>>): string | undefined {
  return cookies[knownCookie]
}

/** The cookie lives as long as the newest proof. */
export function rememberProofs(proofs: string): Cookie {
  return { name: knownCookie, value: proofs, max_age_s: known_for_s }
}

/** The tokens of a remembered browser, as text. */
export function rememberedTokens(cookies: Readonly<Record<string, string>>): string | undefined {
  return cookies[rememberedCookie]
}

/** Keeps the tokens for as long as the browser is remembered after a use; an empty text ends them. */
export function rememberTokens(tokens: string): Cookie {
  return { name: rememberedCookie, value: tokens, max_age_s: tokens === '' ? 0 : remembered_for_ms / 1_000 }
}

export function rememberLocale(locale: Locale): Cookie {
  return { name: localeCookie, value: locale, max_age_s: locale_age_s }
}

export function rememberedLocale(cookies: Readonly<Record<string, string>>): string | undefined {
  return cookies[localeCookie]
}

/** The `Set-Cookie` header of a cookie. Throws for a name without `__Host-`, which other hosts could set too. */
export function setCookieHeader({ name, value, max_age_s, same_site = 'lax' }: Cookie): string {
  if (!name.startsWith('__Host-')) throw new Error(`the cookie ${name} is not bound to this host`)
  const lasts = max_age_s === undefined ? {} : { maxAge: max_age_s }
  const sites =
    same_site === 'partitioned' ? ({ sameSite: 'none', partitioned: true } as const) : { sameSite: same_site }
  return stringifySetCookie({ name, value, ...lasts, path: '/', httpOnly: true, secure: true, ...sites })
}
