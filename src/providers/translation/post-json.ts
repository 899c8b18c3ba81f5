import { request } from 'undici'
import type { TranslationFailure, TranslationOutcome } from './port.ts'

/** A label has 120 characters: an answer far beyond that is not one. */
const max_answer_bytes = 65_536

export interface JsonAnswer {
  readonly status: number
  /** Undefined when it is not JSON. */
  readonly body: unknown
}

/** What an answer means: the text, or why there is none. */
export type ReadAnswer = (answer: JsonAnswer) => TranslationOutcome

export function failed(reason: TranslationFailure): TranslationOutcome {
  return { kind: 'failed', reason }
}

/** Posts JSON and reads the answer. The URL may hold a key: nothing here puts it into an error or a log. */
export async function postJson(
  url: URL,
  body: object,
  { signal, read }: { readonly signal: AbortSignal; readonly read: ReadAnswer },
): Promise<TranslationOutcome> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    const text = await readText(answer.body)
    return text === null ? failed('malformed') : read({ status: answer.statusCode, body: parse(text) })
  } catch {
    return failed('unreachable')
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

/** A value inside parsed JSON, by its path; undefined where there is none. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Reflect.get(at, step)
  }
  return at
}

/** A translated text that is worth showing. */
export function translated(text: unknown): TranslationOutcome {
  if (typeof text !== 'string' || text.trim() === '') return failed('malformed')
  return { kind: 'translated', text: text.trim() }
}
