import type { Phone } from '../../domain/phone.ts'
import { type Answer, exchange } from '../exchange.ts'
import type { SmsOutcome } from './port.ts'

const timeout_ms = 10_000
const max_answer_bytes = 65_536

/** Our account at a provider of text messages; `url` replaces the provider's, for tests. */
export interface SmsAccount {
  readonly key: string
  readonly sender: string
  readonly url?: string | undefined
  readonly timeout_ms?: number
}

/** The address that messages are posted to. A gateway may have the provider's path below one of its own. */
export function endpointOf(base: string, path: string): URL {
  const address = base.replace(/\/+$/, '')
  return new URL(address.endsWith(path) ? address : address + path)
}

/** The number as these providers take it: country code without `+` or `00`. */
export function international(phone: Phone): string {
  return `966${phone}`
}

/** Codes of connections that were never made. */
const never_left = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** Posts one message. Without a whole answer in time the outcome is `unknown`, unless no connection was made. */
export async function postSms(
  url: URL,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  { account, read }: { readonly account: SmsAccount; readonly read: (answer: Answer) => SmsOutcome },
): Promise<SmsOutcome> {
  const signal = AbortSignal.timeout(account.timeout_ms ?? timeout_ms)
  const answer = await exchange({ method: 'POST', url, ...sent, signal, max_answer_bytes })
  if (answer.kind === 'answer') return read(answer)
  if (never_left.test(answer.detail)) return { kind: 'refused', detail: `no connection (${answer.detail})` }
  return { kind: 'unknown', detail: `no answer (${answer.detail})` }
}

/** The outcome of an answer that is no success, by its HTTP status alone. */
export function failureOf({ status, body }: Answer, code?: string): SmsOutcome {
  const detail = code === undefined ? `HTTP ${status}` : `HTTP ${status}, ${code}`
  if (status === 401 || status === 403) return { kind: 'credentials', detail }
  return { kind: status >= 500 || (status < 400 && body === undefined) ? 'unknown' : 'refused', detail }
}
