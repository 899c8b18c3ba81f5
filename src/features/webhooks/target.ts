import type { FieldError } from '../../domain/failures.ts'
import { reachOfHost } from '../../net/addresses.ts'

/** What a URL of a webhook is, before any name is looked up. docs/spec/webhooks.md#targets */

export const max_target = 500

/** Begins the message of a URL that is none. */
export const target_begins = 'https://'

function parse(value: unknown): URL | null {
  return typeof value === 'string' ? URL.parse(value) : null
}

/**
 * Refuses misplaced slashes, backslashes and line breaks: the URL parser forgives them, but they hide the host. Nothing listens
 * on port 0.
 */
export function isTarget(text: string): boolean {
  const url = parse(text)
  if (url === null || url.hostname === '' || url.port === '0' || !/^https?:\/\/[^\s/\\?#]\S*$/i.test(text)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && reachOfHost(url.hostname) === 'loopback')
}

export function hasCredentials(value: unknown): boolean {
  const url = parse(value)
  return url !== null && (url.username !== '' || url.password !== '')
}

export function hostReach(value: unknown) {
  const url = parse(value)
  return url === null || url.hostname === '' ? null : reachOfHost(url.hostname)
}

/** Gives what is wrong with the text of a target; undefined for a good one. */
export function mistakeOf(url: string): Pick<FieldError, 'rule' | 'limit'> | undefined {
  if ([...url].length > max_target) return { rule: 'max_string', limit: max_target }
  if (!isTarget(url)) return { rule: 'url', limit: target_begins }
  return hasCredentials(url) ? { rule: 'url_credentials' } : undefined
}
