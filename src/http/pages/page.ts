import type { Failure } from '../../domain/failures.ts'
import type { Locale } from '../api/locale.ts'

/** Pages for people, outside of `/api`: HTML, forms, and HTML for what goes wrong with them too. */

/** What a page is asked. */
export interface PageRequest {
  readonly method: 'GET' | 'POST'
  readonly params: Readonly<Record<string, string>>
  /** The first value of each name. */
  readonly query: Readonly<Record<string, string>>
  /** The fields of a form of ours, the first of each name; none where `anyone` posts. */
  readonly form: Readonly<Record<string, string>>
  /** As it came, for signatures. */
  readonly body: Buffer
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly cookies: Readonly<Record<string, string>>
  /** What the reader asked for: by `lang`, which is remembered, else as remembered, else by Accept-Language. */
  readonly locale: Locale
  /** The same where `lang` or what is remembered says it; undefined where the browser's languages do, or nothing does. */
  readonly chosen_locale: Locale | undefined
  readonly client_address: string
  /** Names the browser: 130 random bits, in a cookie. A new name where the browser sent none. */
  readonly browser: string
  /** For the hidden field `csrf` of every form of ours. */
  readonly csrf: string
}

export interface Cookie {
  /** Begins with `__Host-`. */
  readonly name: string
  readonly value: string
  /** Without it, the cookie lasts as long as the browser is open; 0 forgets it. */
  readonly max_age_s?: number
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
  /** Answers GET, and changes nothing. */
  readonly show?: (request: PageRequest, services: Services) => Promise<Page>
  /** Answers POST: with a redirect, so that nothing is sent twice by going back or loading anew. */
  readonly submit?: (request: PageRequest, services: Services) => Promise<Page>
  /**
   * `own forms`, the default: a POST must be a form of ours, sent by the browser that it was given to. `anyone`: reports of
   * providers and returns from their pages, with a body of any type.
   */
  readonly posts?: 'own forms' | 'anyone'
  /** Whether the browser is named and its language remembered: by default where there are forms of ours. */
  readonly cookies?: boolean
}

export interface Pages<Services> {
  readonly rows: readonly PageRow<Services>[]
  /** Reads what pages are made of, so that what is missing is known at start. */
  readonly prepare?: () => void
  /** The page for a failure; `again` is where the reader can start anew. */
  readonly showFailure: (failed: Failure, status: number, locale: Locale, again?: string) => Page
}

/** Sends the reader on, by GET. */
export function redirect(to: string, cookies: readonly Cookie[] = []): Page {
  return { status: 303, body: '', headers: { location: to }, cookies }
}
