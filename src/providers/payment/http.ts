import { createHmac } from 'node:crypto'
import { type Answer, exchange, valueAt } from '../exchange.ts'
import type { PaymentError } from './port.ts'

/** Every request to a provider ends within this, and none is sent twice. */
const call_timeout_ms = 10_000

/** A payment with its whole history is far smaller. */
const max_answer_bytes = 1_048_576
const max_detail_characters = 200

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly authorization: string
  readonly json?: object
  readonly timeout_ms?: number | undefined
}

/** Sends one request. Without a whole answer in time the result is `unknown`; it holds nothing of the request. */
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

/** The error of an answer that is no success, by its HTTP status alone. */
export function refusal({ status, body }: Answer, what: string): PaymentError {
  const detail = `${what} (HTTP ${status})`
  if (status === 401 || status === 403) return failure('credentials', detail)
  // A proxy's page, a time-out, too many requests or a 5xx: the provider may still have done it.
  if (body === undefined || status === 408 || status === 429 || status >= 500 || status < 400)
    return failure('unknown', detail)
  if (status !== 404) return failure('refused', detail)
  return failure(isFromProvider(body) ? 'not_found' : 'unknown', detail)
}

/** Whether a `type` or a `code` shows the provider's own error. A gateway in front of it also answers 404 in JSON. */
function isFromProvider(body: unknown): boolean {
  return valueAt(body, 'type') !== undefined || valueAt(body, 'code') !== undefined
}

/** A provider's message for operators: short, on one line, without any of `secrets`. */
export function cleanMessage(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== 'string') return 'no reason given'
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  return clean.replace(/\s+/g, ' ').trim().slice(0, max_detail_characters)
}

/** The beginning of a text, of at most so many characters. None is cut in half: the provider could not read the request. */
export function beginningOf(text: string, characters: number): string {
  return [...text].slice(0, characters).join('')
}

/** A field of parsed JSON; undefined unless it is a text that is not empty. */
export function textField(value: unknown, name: string): string | undefined {
  const text = valueAt(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Hex HMAC-SHA256. */
export function hmac(key: string, message: string | Buffer): string {
  return createHmac('sha256', key).update(message).digest('hex')
}

/** The URL of a page for customers; undefined unless it is HTTPS, or on this machine for tests. */
export function pageUrl(text: unknown): string | undefined {
  const page = typeof text === 'string' ? URL.parse(text) : null
  if (page === null || page.username !== '' || page.password !== '') return undefined
  const isHere = page.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(page.hostname)
  return page.protocol === 'https:' || isHere ? page.href : undefined
}
