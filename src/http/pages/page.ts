import type { Failure } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'

/** Pages for people, outside of `/api`. Their failures are pages too. */

export interface PageRequest {
  readonly method: 'GET' | 'POST'
  readonly params: Readonly<Record<string, string>>
  /** The first value of each name. */
  readonly query: Readonly<Record<string, string>>
  /** The fields of our own form, the first value of each name; empty where `anyone` posts. */
  readonly form: Readonly<Record<string, string>>
  /** As it was sent, for signatures. */
  readonly body: Buffer
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly cookies: Readonly<Record<string, string>>
  /** From `lang`, which a cookie remembers, else from that cookie, else from `begins`, else from Accept-Language. */
  readonly locale: Locale
  /** The same, but undefined when only `begins` or Accept-Language, or nothing, names the language. */
  readonly chosen_locale: Locale | undefined
  readonly client_address: string
  /** The browser's id: 130 random bits, in a cookie. A new one when the browser sent none. */
  readonly browser: string
  /** For the hidden field `csrf` of every form. */
  readonly csrf: string
}

export interface Cookie {
  /** Begins with `__Host-`. */
  readonly name: string
  readonly value: string
  /** Without it, the cookie lasts until the browser is closed; 0 deletes it. */
  readonly max_age_s?: number
  /**
   * `strict`: not even sent when a link of another site leads here. `lax` without it. `partitioned`: also sent from a
   * frame in another site's page, and kept apart for each such site (`SameSite=None; Partitioned`).
   */
  readonly same_site?: 'strict' | 'lax' | 'partitioned'
}

export interface Page {
  readonly status: number
  readonly body: string | Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly Cookie[]
}

export interface PageRow<Services> {
  /** With `:names`. */
  readonly path: string
  /** Answers GET and changes nothing. */
  readonly show?: (request: PageRequest, services: Services) => Promise<Page>
  /** Answers POST with a redirect, so that going back or reloading sends nothing twice. */
  readonly submit?: (request: PageRequest, services: Services) => Promise<Page>
  /**
   * `own_forms` (default): a POST must be a form that we gave to this browser. `anyone`: for payment providers and
   * returns from their pages, with a body of any type.
   */
  readonly posts?: 'own_forms' | 'anyone'
  /** Whether to set the cookies for the browser's id and language. By default, pages with own forms do. */
  readonly cookies?: boolean
}

export interface Pages<Services> {
  readonly rows: readonly PageRow<Services>[]
  /** Loads what pages need, so that a missing file is noticed at start. */
  readonly prepare?: () => void
  /** The page for a failure; `again` is where the reader can start again. */
  readonly showFailure: (
    failed: Failure,
    status: number,
    locale: Locale,
    place: { readonly again: string | undefined; readonly services: Services },
  ) => Page
}

/** Sends the browser to another URL by GET. */
export function redirect(to: string, cookies: readonly Cookie[] = []): Page {
  return { status: 303, body: '', headers: { location: to }, cookies }
}
