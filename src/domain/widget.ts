/** Who may frame the card that shows a balance. docs/spec/customers.md#card */

export interface FramingRules {
  readonly production: boolean
  /** The hosts that the merchant has named, from `parseReturnHost`. */
  readonly return_hosts: readonly string[]
  /** Our own origin, whose demo shop may frame the card of any merchant; null in production. */
  readonly own: string | null
}

/**
 * Takes the origin that wants to frame a merchant's card; gives it as browsers write it, or null if the merchant has not
 * named its host. Without named hosts nobody may. Production requires https.
 */
export function framingOrigin(
  origin: string | undefined,
  { production, return_hosts, own }: FramingRules,
): string | null {
  const url = origin === undefined ? null : URL.parse(origin)
  if (url === null || url.origin !== origin) return null
  if (origin === own) return origin
  const isSafe = url.protocol === 'https:' || (!production && url.protocol === 'http:')
  return isSafe && return_hosts.includes(url.host) ? origin : null
}
