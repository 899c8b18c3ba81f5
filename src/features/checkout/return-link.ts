import { type ReturningOrder, returnTo } from '../../domain/checkout.ts'
import { checkReturn, type ReturnReach, type ReturnRules, readReturn } from '../../domain/checkout-request.ts'
import type { FieldError } from '../../domain/failures.ts'
import { isPrivateHost, reachOfHost } from '../../net/addresses.ts'

/** Gives what is wrong with a `callback_url`, null when nothing is. Names are not resolved: the browser does that. */
export function findReturnMistake(callback_url: string, rules: ReturnRules): FieldError | null {
  const address = readReturn(callback_url)
  if (address === null) return { field: 'callback_url', rule: 'url' }
  return checkReturn(address, reachOf(address.host), rules)
}

/**
 * Gives the link back to the store, with the order in its query and its host in ASCII. Null when the rules do not allow it
 * any more: they may have changed since the checkout was opened.
 */
export function returnLink(callback_url: string, order: ReturningOrder, rules: ReturnRules): string | null {
  const address = readReturn(callback_url)
  if (address === null || findReturnMistake(callback_url, rules) !== null) return null
  return returnTo(address.href, order)
}

function reachOf(host: string): ReturnReach {
  return isPrivateHost(host) ? 'private' : reachOfHost(host)
}
