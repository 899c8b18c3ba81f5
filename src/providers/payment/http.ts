import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Answer, exchange, valueAt } from '../exchange.ts'
import type { PaymentError } from './port.ts'

/** How adapters speak to their providers: every request ends within this, and none is sent twice. */
const call_timeout_ms = 10_000

/** A payment with all that has happened to it is far smaller. */
const max_answer_bytes = 1_048_576
const max_detail_characters = 200

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly authorization: string
  readonly json?: object
  readonly timeout_ms?: number | undefined
}

/** Sends one request. Without a whole answer in time it is `unknown` whether it was done; nothing of the request is told. */
export async function call({ method, url, authorization, json, timeout_ms }: Call): Promise<Answer | PaymentError> {
  const answer = await exchange({
    ...{ method, url, max_answer_bytes },
    headers: { authorization, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    body: json === undefined ? null : JSON.stringify(json),
    signal: AbortSignal.timeout(timeout_ms ?? call_timeout_ms),
  })
  return answer.kind === 'answer' ? answer : failure('unknown', `no answer (${answer.detail})`)
}

export function failure(kind: PaymentError['kind'], detail: string): PaymentError {
  return { kind, detail }
}

/** What an answer that is not a success means by its HTTP status alone. */
export function refusal({ status, body }: Answer, what: string): PaymentError {
  const detail = `${what} (HTTP ${status})`
  if (status === 401 || status === 403) return failure('credentials', detail)
  // A page of a proxy, too many requests, a failure of its own: it may have been done, and is not known to be missing.
  if (body === undefined || status === 408 || status === 429 || status >= 500 || status < 400)
    return failure('unknown', detail)
  if (status !== 404) return failure('refused', detail)
  return failure(isNamed(body) ? 'not_found' : 'unknown', detail)
}

/** Whether an error is a provider's own, by a `type` or a `code`: a gateway in front of it answers with 404 in JSON too. */
function isNamed(body: unknown): boolean {
  return valueAt(body, 'type') !== undefined || valueAt(body, 'code') !== undefined
}

/** A provider's own words, for operators: short, on one line, and without any of `secrets`. */
export function words(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== 'string') return 'no reason given'
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  return clean.replace(/\s+/g, ' ').trim().slice(0, max_detail_characters)
}

/** A text of an object that was parsed from JSON; undefined where there is none. */
export function textField(value: unknown, name: string): string | undefined {
  const text = valueAt(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Hex HMAC-SHA256. */
export function hmac(key: string, message: string | Buffer): string {
  return createHmac('sha256', key).update(message).digest('hex')
}

/** Compares in constant time; a value that is not one text is never equal. */
export function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  // Hashed, so that the lengths are equal and tell nothing either.
  const [left, right] = [given, expected].map((text) => createHmac('sha256', 'comparison').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** The address of a page that a customer may be sent to, or undefined: by HTTPS, or on this machine, where tests are. */
export function pageUrl(text: unknown): string | undefined {
  const page = typeof text === 'string' ? URL.parse(text) : null
  if (page === null || page.username !== '' || page.password !== '') return undefined
  const isHere = page.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(page.hostname)
  return page.protocol === 'https:' || isHere ? page.href : undefined
}
