import { type Answer, endless, exchange } from '../exchange.ts'
import type { TranslationFailure, TranslationOutcome } from './port.ts'

/** A label has 120 characters: an answer far beyond that is not one. */
const max_answer_bytes = 65_536

/** What an answer means: the text, or why there is none. */
export type ReadAnswer = (answer: Answer) => TranslationOutcome

export function failed(reason: TranslationFailure): TranslationOutcome {
  return { kind: 'failed', reason }
}

/** Posts JSON and reads the answer. The URL may hold a key: nothing here puts it into an error or a log. */
export async function postJson(
  url: URL,
  body: object,
  { signal, read }: { readonly signal: AbortSignal; readonly read: ReadAnswer },
): Promise<TranslationOutcome> {
  const headers = { 'content-type': 'application/json' }
  const asked = { method: 'POST', url, headers, body: JSON.stringify(body), signal, max_answer_bytes } as const
  const answer = await exchange(asked)
  if (answer.kind === 'answer') return read(answer)
  return failed(answer.detail === endless ? 'malformed' : 'unreachable')
}

/** A translated text that is worth showing. */
export function translated(text: unknown): TranslationOutcome {
  if (typeof text !== 'string' || text.trim() === '') return failed('malformed')
  return { kind: 'translated', text: text.trim() }
}
