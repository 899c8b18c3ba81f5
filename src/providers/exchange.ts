import { request } from 'undici'
import { errorCode } from '../lib/errors.ts'

/** What a provider answered; `body` is undefined where it is not JSON. */
export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly body: unknown
}

/** No whole answer came. `detail` is a code, never a text that might hold what was sent or where to. */
export interface NoAnswer {
  readonly kind: 'no answer'
  readonly detail: string
}

/** The detail where an answer went on beyond what is read of it. */
export const endless = 'the answer has no end'

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal
  readonly max_answer_bytes: number
}

/** Sends one request and reads the answer, whole or not at all. Never throws; nothing of the request is told. */
export async function exchange({ max_answer_bytes, url, headers, ...sent }: Exchange): Promise<Answer | NoAnswer> {
  try {
    const answer = await request(url, { ...sent, headers: { accept: 'application/json', ...headers } })
    const text = await readText(answer.body, max_answer_bytes)
    if (text === null) return { kind: 'no answer', detail: endless }
    return { kind: 'answer', status: answer.statusCode, body: parse(text) }
  } catch (error) {
    return { kind: 'no answer', detail: codeOf(error) }
  }
}

async function readText(body: AsyncIterable<Buffer>, max_bytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > max_bytes) return null
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

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return errorCode(error) ?? error.name
}

/** A value inside parsed JSON, by its path; undefined where there is none. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Reflect.get(at, step)
  }
  return at
}
