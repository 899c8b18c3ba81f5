import type { Phone } from '../../domain/phone.ts'
import { type Answer, exchange } from '../exchange.ts'
import type { SmsOutcome } from './port.ts'

const timeout_ms = 10_000
const max_answer_bytes = 65_536

/** Credentials of a provider of text messages; `url` replaces its own, for tests. */
export interface SmsAccount {
  readonly key: string
  readonly sender: string
  readonly url?: string | undefined
  readonly timeout_ms?: number
}

/** The number as these providers take it: the country's code without `+` or `00`. */
export function international(phone: Phone): string {
  return `966${phone}`
}

/** Posts one message. Without a whole answer in time it is `unknown` whether it was sent. */
export async function postSms(
  url: URL,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  { account, read }: { readonly account: SmsAccount; readonly read: (answer: Answer) => SmsOutcome },
): Promise<SmsOutcome> {
  const signal = AbortSignal.timeout(account.timeout_ms ?? timeout_ms)
  const answer = await exchange({ method: 'POST', url, ...sent, signal, max_answer_bytes })
  return answer.kind === 'answer' ? read(answer) : { kind: 'unknown', detail: `no answer (${answer.detail})` }
}

/** What an answer that is not a success means by its HTTP status alone. */
export function failureOf({ status, body }: Answer, code?: string): SmsOutcome {
  const detail = code === undefined ? `HTTP ${status}` : `HTTP ${status}, ${code}`
  if (status === 401 || status === 403) return { kind: 'credentials', detail }
  if (status === 429 || status >= 500 || body === undefined) return { kind: 'unknown', detail }
  return { kind: 'refused', detail }
}
