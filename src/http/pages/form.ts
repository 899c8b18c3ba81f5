import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/failures.ts'
import { isSameSecret, type SecretBox } from '../../lib/secrets.ts'
import { holdFor, isEncoded, readBytes } from '../transport/body.ts'
import type { BodyBudget } from '../transport/body-budget.ts'
import { browserOf } from './cookies.ts'

/** Bound for bodies of pages. Forms and reports of payment providers are far smaller. */
const max_page_body_bytes = 65_536

/** Replaces the JSON reader for the pages of `scope`: they take bytes of any type. */
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

/** Gives the bytes of a body. Throws the failure of a body that was refused. */
export function takeBytes({ body }: FastifyRequest): Buffer {
  if (body instanceof DomainError) throw body
  return Buffer.isBuffer(body) ? body : nothing
}

/** Gives the fields of a form, the first value of each name. Throws for another content type and for invalid UTF-8. */
export function readForm(headers: IncomingMessage['headers'], body: Buffer): Readonly<Record<string, string>> {
  if (body.length === 0) return {}
  if (!isForm(headers)) throw new DomainError({ kind: 'unsupported_media_type' })
  if (!isUtf8(unescaped(body))) throw new DomainError({ kind: 'malformed_request' })
  return firstOfEach(new URLSearchParams(body.toString('latin1')))
}

/** Gives the first value of each name. Throws for a NUL, which PostgreSQL cannot store. */
export function firstOfEach(fields: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const first: Record<string, string> = Object.create(null)
  for (const [name, value] of fields) {
    if (value.includes('\0')) throw new DomainError({ kind: 'malformed_request' })
    first[name] ??= value
  }
  return first
}

function isForm(headers: IncomingMessage['headers']): boolean {
  return !isEncoded(headers) && /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

/** Decodes the escapes of a form to bytes. URLSearchParams would replace invalid UTF-8 by U+FFFD. */
function unescaped(body: Buffer): Buffer {
  const text = body.toString('latin1')
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** Recognises our own forms by a token that only this deployment can make, for one browser each. */
export interface FormKeys {
  /** The value of the field `csrf` for a browser's id. */
  tokenOf(browser: string): string
  /** Whether a form carries the token, made with the new or the old secret key while that is being changed. */
  isTokenOf(browser: string, given: string): boolean
  /** The public origin of the pages, which browsers name as the origin of our forms. */
  readonly origin: string
}

export function createFormKeys(secrets: SecretBox, public_url: string): FormKeys {
  return {
    tokenOf: (browser) => masked(secrets.derive(['csrf', browser])),
    isTokenOf(browser, given) {
      const token = unmasked(given)
      return secrets.derivations(['csrf', browser]).some((known) => isSameSecret(token, known.toString('base64url')))
    },
    origin: new URL(public_url).origin,
  }
}

/** Masks the token with other bytes each time: the length of a compressed page could give an unchanging token away. */
function masked(token: Buffer): string {
  const mask = randomBytes(token.length)
  return Buffer.concat([mask, exclusiveOr(token, mask)]).toString('base64url')
}

function unmasked(given: string): string {
  const bytes = Buffer.from(given, 'base64url')
  const half = bytes.length >> 1
  return exclusiveOr(bytes.subarray(half), bytes.subarray(0, half)).toString('base64url')
}

function exclusiveOr(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}

/** Throws unless we gave the form to this browser and it was sent from one of our pages. */
export function checkForm(
  keys: FormKeys,
  headers: IncomingMessage['headers'],
  cookies: Readonly<Record<string, string>>,
  form: Readonly<Record<string, string>>,
): void {
  const browser = browserOf(cookies)
  if (browser === undefined) throw new DomainError({ kind: 'form_refused', cookies: false })
  const matches = keys.isTokenOf(browser, form['csrf'] ?? '')
  if (!matches || isFromElsewhere(keys, headers)) throw new DomainError({ kind: 'form_refused', cookies: true })
}

/** Current browsers send `Sec-Fetch-Site`, older ones only `Origin`, the oldest neither. */
function isFromElsewhere({ origin }: FormKeys, headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const from = headers.origin
  return from !== undefined && from !== origin && from !== `https://${headers.host}`
}
