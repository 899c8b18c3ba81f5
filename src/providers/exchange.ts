import { request } from 'undici'
import { errorCode } from '../lib/errors.ts'

/** A provider's answer; `body` is undefined when it is not JSON. */
export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly body: unknown
}

/** No whole answer came. `detail` is a code, never a text that could hold parts of the request. */
export interface NoAnswer {
  readonly kind: 'no_answer'
  readonly detail: string
}

/** The detail for an answer of more than `max_answer_bytes`. */
export const answer_too_long = 'the answer is too long'

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal
  readonly max_answer_bytes: number
}

/** Sends one request and reads the whole answer. Never throws, and gives away nothing of the request. */
export async function exchange({ max_answer_bytes, url, headers, ...sent }: Exchange): Promise<Answer | NoAnswer> {
  try {
    const answer = await request(url, { ...sent, headers: { accept: 'application/json', ...headers } })
    const text = await readText(answer.body, max_answer_bytes)
    if (text === null) return { kind: 'no_answer', detail: answer_too_long }
    return { kind: 'answer', status: answer.statusCode, body: parse(text) }
  } catch (error) {
    return { kind: 'no_answer', detail: codeOf(error) }
  }
}

async function readText(body: AsyncIterable<Buffer>, max_bytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > max_bytes) return null // leaving the loop ends the connection
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The only way to write the NUL character in JSON. */
const escaped_nul = '\\u0000'

/** Drops NUL characters: the database refuses a text with one, so what the provider has done could never be recorded. */
function parse(text: string): unknown {
  try {
    // Calling a function for each value is slow, and almost never needed.
    return text.includes(escaped_nul) ? JSON.parse(text, withoutNul) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutNul(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return errorCode(error) ?? error.name
}

/** The value at a path inside parsed JSON, or undefined. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Reflect.get(at, step)
  }
  return at
}
