/** Checkouts whose fields a merchant's server has signed. docs/decisions/0021-signed-checkouts.md. */
import type { FieldError } from './failures.ts'
import type { Halalas } from './money.ts'

/** How far ahead a signature may expire, in hours. */
const MAX_AHEAD_H = 24

/** What a signature covers. Texts are empty where the request has none. */
export interface SignedFields {
  readonly public_key: string
  /** Unix seconds. */
  readonly signature_expires_at: number
  /** Trimmed, without the leading `#`. */
  readonly order_number: string
  readonly total_halalas: Halalas
  /** As sent. */
  readonly phone_number: string
  /** As sent. */
  readonly callback_url: string
  /** Lower-case hex SHA-256 of the bytes sent. */
  readonly metadata_sha256: string
}

/** Takes what a signature covers; gives the text that is signed, whose UTF-8 bytes count. */
export function signedText(fields: SignedFields): string {
  const lines = [
    'v1',
    fields.public_key,
    String(fields.signature_expires_at),
    fields.order_number,
    withTwoDecimals(fields.total_halalas),
    fields.phone_number,
    fields.callback_url,
    fields.metadata_sha256,
  ]
  return lines.join('\n')
}

/** 15100 is `151.00`. */
function withTwoDecimals(amount: Halalas): string {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}

const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/

/** Takes signed texts by name; gives an error for each with a line break, which could move text into another field. */
export function findLineBreaks(
  fields: Pick<SignedFields, 'order_number' | 'phone_number' | 'callback_url'>,
): FieldError[] {
  const { order_number, phone_number, callback_url } = fields
  return Object.entries({ order_number, phone_number, callback_url })
    .filter(([, text]) => lineBreak.test(text))
    .map(([field]) => ({ field, rule: 'line_break' }))
}

/** Takes the expiry of a signature in Unix seconds; gives an error when it has passed, or is more than 24 hours ahead. */
export function judgeExpiry(signature_expires_at: number, now_ms: number): FieldError | null {
  const ahead_ms = signature_expires_at * 1000 - now_ms
  if (ahead_ms < 0) return { field: 'signature', rule: 'signature_expired' }
  if (ahead_ms <= MAX_AHEAD_H * 3_600_000) return null
  return { field: 'signature_expires_at', rule: 'hours_ahead', limit: MAX_AHEAD_H }
}
