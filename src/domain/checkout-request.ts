/**
 * What a request to open a checkout may contain: its return address and its signature.
 * docs/spec/checkout.md#callback-url
 */
import type { FieldError } from './failures.ts'
import type { Halalas } from './money.ts'
import { hour_ms } from './spans.ts'

/** A `callback_url`, parsed as a browser does. */
export interface ReturnAddress {
  readonly protocol: string
  /** In ASCII, with the port unless it is the default one. */
  readonly host: string
  readonly has_user: boolean
  /** The same URL with its host in ASCII; the rest is as sent. */
  readonly href: string
}

/**
 * Authority and rest. Refuses a backslash before the query: browsers read it as a slash, other programs do not. Each part ends
 * where the next begins: with two ways to split a text, the time would grow with the square of its length.
 */
const parts = /^[a-z]+:\/{2,}([^/\\?#]+)((?:\/[^\\?#]*)?(?:[?#].*)?)$/is

/** Takes a `callback_url`; gives it as a browser reads it, or null if it is malformed. */
export function readReturn(callback_url: string): ReturnAddress | null {
  const [, authority, rest = ''] = parts.exec(callback_url) ?? []
  const url = URL.parse(callback_url)
  if (authority === undefined || url === null) return null
  const { protocol, host } = url
  const href = `${protocol}//${host}${rest}`
  // The host that pages show must be the host that the link opens.
  if (URL.parse(href)?.host !== host) return null
  return { protocol, host, has_user: authority.includes('@'), href }
}

/** The network of a host that is an IP address or a reserved name; null for any other name. */
export type ReturnReach = 'public' | 'private' | 'loopback' | 'reserved' | null

export interface ReturnRules {
  readonly production: boolean
  /** The hosts that the merchant allows, from `parseReturnHost`; empty allows every host. */
  readonly return_hosts: readonly string[]
}

/**
 * Takes an address and the network of its host; gives a validation error, or null if customers may be sent there.
 * Production requires https and a public address; a sandbox also allows loopback and private networks.
 */
export function checkReturn(address: ReturnAddress, reach: ReturnReach, rules: ReturnRules): FieldError | null {
  const field = 'callback_url'
  const { production, return_hosts } = rules
  if (address.has_user) return { field, rule: 'url_user' }
  if (production && address.protocol !== 'https:') return { field, rule: 'url', limit: 'https://' }
  if (reach === 'reserved' || (production && (reach === 'private' || reach === 'loopback')))
    return { field, rule: 'address_reserved' }
  if (return_hosts.length > 0 && !return_hosts.includes(address.host)) return { field, rule: 'return_host' }
  return null
}

const asciiHost = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/**
 * Takes a host as typed, with or without a port; gives it as a browser writes it: lower case, Punycode for other
 * scripts, without the port of https. Null for anything else, such as a URL with a path, or `*`.
 */
export function parseReturnHost(text: string): string | null {
  const typed = text.trim()
  if (/[/\\?#@\s]/.test(typed)) return null
  const host = URL.parse(`https://${typed}/`)?.host
  return host !== undefined && asciiHost.test(host) ? host : null
}

/** How many hosts a merchant can allow. */
export const max_return_hosts = 50

/** The longest time until a signature expires, in hours. */
const MAX_AHEAD_H = 24

/** The signed fields. A text that the request does not have is empty. docs/spec/checkout.md#signed */
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

/** Takes the signed fields; gives the text whose UTF-8 bytes are signed. docs/spec/checkout.md#signed */
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

/** Gives an error for each signed text with a line break, which could move text into another field. */
export function findLineBreaks(
  fields: Pick<SignedFields, 'order_number' | 'phone_number' | 'callback_url'>,
): FieldError[] {
  const { order_number, phone_number, callback_url } = fields
  return Object.entries({ order_number, phone_number, callback_url })
    .filter(([, text]) => lineBreak.test(text))
    .map(([field]) => ({ field, rule: 'line_break' }))
}

/** Takes the expiry of a signature in Unix seconds; gives an error if it has passed or is more than 24 hours ahead. */
export function checkExpiry(signature_expires_at: number, now_ms: number): FieldError | null {
  const ahead_ms = signature_expires_at * 1000 - now_ms
  if (ahead_ms < 0) return { field: 'signature', rule: 'signature_expired' }
  if (ahead_ms <= MAX_AHEAD_H * hour_ms) return null
  return { field: 'signature_expires_at', rule: 'hours_ahead', limit: MAX_AHEAD_H }
}
