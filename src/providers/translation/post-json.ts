import { type Answer, answer_too_long, exchange } from '../exchange.ts'
import type { TranslationFailure, TranslationOutcome } from './port.ts'

/** A label has at most 120 characters, so a longer answer is not a translation. */
const max_answer_bytes = 65_536

/** Reads the text out of an answer, or why there is none. */
export type ReadAnswer = (answer: Answer) => TranslationOutcome

export function failed(reason: TranslationFailure): TranslationOutcome {
  return { kind: 'failed', reason }
}

/** Posts JSON and reads the answer. The URL may hold a key, so it never goes into an error or a log. */
export async function postJson(
  url: URL,
  body: object,
  { signal, read }: { readonly signal: AbortSignal; readonly read: ReadAnswer },
): Promise<TranslationOutcome> {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', url, headers, body: JSON.stringify(body), signal, max_answer_bytes } as const
  const answer = await exchange(request)
  if (answer.kind === 'answer') return read(answer)
  return failed(answer.detail === answer_too_long ? 'malformed' : 'unreachable')
}

/** Accepts a translation unless it is no text, or blank. */
export function translated(text: unknown): TranslationOutcome {
  if (typeof text !== 'string' || text.trim() === '') return failed('malformed')
  return { kind: 'translated', text: text.trim().toWellFormed() }
}
