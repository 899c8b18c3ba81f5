import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { mayReach, type Reach, reachOfAddress, reachOfHost } from './addresses.ts'
import type { Resolve } from './resolve.ts'

/** A connection that was not made because of where it would have led (decisions §10). Says what would allow it. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'

  constructor(what: string, reach: Reach) {
    super(
      reach === 'loopback'
        ? `refused: ${what} is this machine; in a sandbox NUQTA_WEBHOOK_ALLOW_LOOPBACK=true allows that`
        : `refused: ${what} is a reserved address, not on the public internet`,
    )
  }
}

/** A name that has no address. */
class NameUnknown extends Error {
  override readonly name = 'NameUnknown'
}

export interface ConnectorOptions {
  readonly allow_loopback: boolean
  readonly resolve: Resolve
  readonly timeout_ms: number
  /** PEM texts of authorities to trust besides the public ones. */
  readonly ca: readonly string[]
}

/**
 * Connects to receivers. The host as it is written is judged first, then every address of its name; the connection is
 * made to the addresses that were judged, so a name that means something else a moment later changes nothing.
 */
export function createConnector({
  allow_loopback,
  resolve,
  timeout_ms,
  ca,
}: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeout_ms,
    allowH2: false,
    rejectUnauthorized: true,
    lookup: checkedLookup(resolve, { allow_loopback }),
    secureContext: trusting(ca),
  })
  return (options, callback) => {
    const refusal = refusalOf(options.hostname, { allow_loopback })
    if (refusal !== null) callback(refusal, null)
    else connect(options, callback)
  }
}

/** Made once: a context of its own for each connection would read some 150 certificates every time (6 ms). */
export function trusting(ca: readonly string[]): SecureContext {
  return createSecureContext(ca.length === 0 ? {} : { ca: [...getCACertificates('default'), ...ca] })
}

/** Why a host as written may not be connected to; null when it may, or when only its addresses can tell. */
export function refusalOf(hostname: string, allowed: { readonly allow_loopback: boolean }): BlockedAddressError | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const reach = isIP(bare.replace(/%.*$/, '')) === 0 ? reachOfHost(hostname) : reachOfAddress(bare)
  return reach === null || mayReach(reach, allowed) ? null : new BlockedAddressError(hostname, reach)
}

/** Looks a name up for a connection: refused when one of its addresses is. */
function checkedLookup(resolve: Resolve, allowed: { readonly allow_loopback: boolean }): LookupFunction {
  return (name, options, callback) => {
    const answer = async (): Promise<{ address: string; family: number }[]> => {
      const addresses = await resolve(name)
      if (addresses.length === 0) throw new NameUnknown(`the name ${name} has no address`)
      for (const address of addresses) {
        const reach = reachOfAddress(address)
        if (!mayReach(reach, allowed)) throw new BlockedAddressError(`${name} (${address})`, reach)
      }
      return addresses.map((address) => ({ address, family: isIP(address) }))
    }
    answer().then(
      (found) => {
        const [first] = found
        if (options.all === true) callback(null, found)
        else callback(null, first?.address ?? '', first?.family)
      },
      (error: Error) => callback(error, options.all === true ? [] : '', 0),
    )
  }
}
