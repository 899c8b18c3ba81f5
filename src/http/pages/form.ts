import { isUtf8 } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/failures.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { holdFor } from '../transport/body.ts'
import type { BodyBudget } from '../transport/body-budget.ts'
import { readBytes } from '../transport/read-bytes.ts'
import { browserOf } from './cookies.ts'

/** What a page may be sent: forms are far smaller, reports of payment providers too. */
const max_page_body_bytes = 65_536

/** Replaces the reader of JSON for the pages of `scope`: a body of any type, as it comes. */
export function installPageReader(
  scope: FastifyInstance,
  { budget, within_ms }: { readonly budget: BodyBudget; readonly within_ms: number },
): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done) => {
    const limits = { max_bytes: max_page_body_bytes, within_ms, hold: holdFor(request, budget) }
    readBytes(payload, limits, (read) => done(null, read))
  })
}

const nothing = Buffer.alloc(0)

/** The body of a request for a page; throws what was wrong with it. */
export function takeBytes({ body }: FastifyRequest): Buffer {
  if (body instanceof DomainError) throw body
  return Buffer.isBuffer(body) ? body : nothing
}

/** The fields of a form, the first of each name. Throws for another content type and for what is not UTF-8. */
export function readForm(headers: IncomingMessage['headers'], body: Buffer): Readonly<Record<string, string>> {
  if (body.length === 0) return {}
  if (!isForm(headers)) throw new DomainError({ kind: 'unsupported_media_type' })
  if (!isUtf8(unescaped(body))) throw new DomainError({ kind: 'malformed_request' })
  return firstOfEach(new URLSearchParams(body.toString('latin1')))
}

/** Texts with a NUL are stored nowhere, so none is let in. */
export function firstOfEach(fields: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const first: Record<string, string> = Object.create(null)
  for (const [name, value] of fields) {
    if (value.includes('\0')) throw new DomainError({ kind: 'malformed_request' })
    first[name] ??= value
  }
  return first
}

function isForm(headers: IncomingMessage['headers']): boolean {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return false
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

/** The bytes that the escapes of a form stand for; URLSearchParams would put U+FFFD for those that are no UTF-8. */
function unescaped(body: Buffer): Buffer {
  const text = body.toString('latin1')
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** How forms of ours are known: by a token that only this deployment makes, and only for one browser. */
export interface FormKeys {
  /** The value of the field `csrf` for the browser of this name. */
  tokenOf(browser: string): string
  /** Whether a form carries it; while the secret key is being changed, pages were made under either key. */
  isTokenOf(browser: string, given: string): boolean
  /** The origin that people reach the pages at; what a browser calls the place that a form comes from. */
  readonly origin: string
}

export function createFormKeys(secrets: SecretBox, public_url: string): FormKeys {
  return {
    tokenOf: (browser) => secrets.derive(['csrf', browser]).toString('base64url'),
    isTokenOf: (browser, given) =>
      secrets.derivations(['csrf', browser]).some((token) => sameText(given, token.toString('base64url'))),
    origin: new URL(public_url).origin,
  }
}

/** Throws unless the form is one that we gave to this browser, sent from a page of ours. */
export function checkForm(
  keys: FormKeys,
  headers: IncomingMessage['headers'],
  cookies: Readonly<Record<string, string>>,
  form: Readonly<Record<string, string>>,
): void {
  const browser = browserOf(cookies)
  if (browser === undefined) throw new DomainError({ kind: 'form_refused', cookies: false })
  const matches = keys.isTokenOf(browser, form['csrf'] ?? '')
  if (!matches || isForeign(keys, headers)) throw new DomainError({ kind: 'form_refused', cookies: true })
}

/** Browsers of our day say where a form comes from; the older ones name its origin, and the oldest nothing. */
function isForeign({ origin }: FormKeys, headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const from = headers.origin
  return from !== undefined && from !== origin && from !== `https://${headers.host}`
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
