/** Where a checkout may lead its customer back to. docs/decisions/0021-signed-checkouts.md; spec, "Checkout". */
import type { FieldError } from './failures.ts'

/** A `callback_url`, taken apart as a browser does it. */
export interface ReturnAddress {
  readonly protocol: string
  /** In ASCII, with the port where it is not the default one: what a browser asks for. */
  readonly host: string
  readonly has_user: boolean
  /** The same address with its host in ASCII; everything after the host as it was sent. */
  readonly href: string
}

/** Authority and rest. No backslash before the query: browsers read it as a slash, other programs do not. */
const parts = /^[a-z]+:\/{2,}([^/\\?#]*)([^\\?#]*(?:[?#].*)?)$/is

/** Takes a `callback_url`; gives it as a browser reads it, null when it is malformed. */
export function readReturn(callback_url: string): ReturnAddress | null {
  const [, authority = '', rest = ''] = parts.exec(callback_url) ?? []
  const url = URL.parse(callback_url)
  if (authority === '' || url === null) return null
  const { protocol, host } = url
  const href = `${protocol}//${host}${rest}`
  // The host that pages show must be the host that the link leads to.
  if (URL.parse(href)?.host !== host) return null
  return { protocol, host, has_user: authority.includes('@'), href }
}

/** Which network a host is in, where it is an IP address or a reserved name; null for any other name. */
export type ReturnReach = 'public' | 'private' | 'loopback' | 'reserved' | null

export interface ReturnRules {
  readonly production: boolean
  /** The hosts that the merchant has named, as `parseReturnHost` gives them; empty: any host. */
  readonly return_hosts: readonly string[]
}

/**
 * Takes an address and the reach of its host; gives what is wrong with it, null when customers may be sent there. Production
 * requires https and a public address; a sandbox also allows loopback and private networks.
 */
export function judgeReturn(address: ReturnAddress, reach: ReturnReach, rules: ReturnRules): FieldError | null {
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
 * Takes a host as a person types it, with a port or without; gives it as a browser's address has it: lower case, names of
 * other scripts in Punycode, without the port of https. Null for anything else, an address with a path or `*` included.
 */
export function parseReturnHost(text: string): string | null {
  const typed = text.trim()
  if (/[/\\?#@\s]/.test(typed)) return null
  const host = URL.parse(`https://${typed}/`)?.host
  return host !== undefined && asciiHost.test(host) ? host : null
}
