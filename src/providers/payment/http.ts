import { createHmac, timingSafeEqual } from 'node:crypto'
import { request } from 'undici'
import type { PaymentError } from './port.ts'

/** How adapters speak to their providers: every request ends within this, and none is sent twice. */
export const call_timeout_ms = 10_000

/** A payment with all that has happened to it is far smaller. */
const max_answer_bytes = 1_048_576
const max_detail_characters = 200

/** What a provider answered; `body` is undefined where it is not JSON. */
export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly body: unknown
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly authorization: string
  readonly json?: object
  readonly timeout_ms?: number | undefined
}

/** Sends one request. Without a whole answer in time it is `unknown` whether it was done; nothing of the request is told. */
export async function call({ method, url, authorization, json, timeout_ms }: Call): Promise<Answer | PaymentError> {
  try {
    const answer = await request(url, {
      method,
      headers: {
        accept: 'application/json',
        authorization,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: json === undefined ? null : JSON.stringify(json),
      signal: AbortSignal.timeout(timeout_ms ?? call_timeout_ms),
    })
    const text = await readText(answer.body)
    if (text === null) return failure('unknown', 'the answer has no end')
    return { kind: 'answer', status: answer.statusCode, body: parse(text) }
  } catch (error) {
    return failure('unknown', `no answer (${codeOf(error)})`)
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > max_answer_bytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The code or the name of an error, never its text, which may hold the address that was called. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
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
  return failure(status === 404 ? 'not_found' : 'refused', detail)
}

/** A provider's own words, for operators: short, on one line, and without any of `secrets`. */
export function words(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== 'string') return 'no reason given'
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  return clean.replace(/\s+/g, ' ').trim().slice(0, max_detail_characters)
}

/** A field of an object that was parsed from JSON; undefined where there is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

export function textField(value: unknown, name: string): string | undefined {
  const text = field(value, name)
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

/** An address of a web page, or undefined. */
export function pageUrl(text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined
  return ['https:', 'http:'].includes(new URL(text).protocol) ? text : undefined
}
