import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { bareHost } from '../lib/host.ts'
import { mayReach, type Reach, reachOfAddress, reachOfHost } from './addresses.ts'
import type { Resolve } from './resolve.ts'

/** A connection was refused because of its address. The message says what would allow it. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
  readonly code: 'loopback' | 'reserved'

  constructor(what: string, reach: Reach) {
    super(
      reach === 'loopback'
        ? `refused: ${what} is this machine; in a sandbox NUQTA_WEBHOOK_ALLOW_LOOPBACK=true allows that`
        : `refused: ${what} is a reserved address, not on the public internet`,
    )
    this.code = reach === 'loopback' ? 'loopback' : 'reserved'
  }
}

export class UnknownHostError extends Error {
  override readonly name = 'UnknownHostError'
  readonly code = 'unknown_host'
}

export interface ConnectorOptions {
  readonly allow_loopback: boolean
  readonly resolve: Resolve
  readonly timeout_ms: number
  /** PEM texts of authorities to trust, besides the public ones. */
  readonly ca: readonly string[]
}

/**
 * Connects to receivers. Checks the host as written, then every address of its name. The connection goes to the
 * addresses that were checked, so a name that changes its address a moment later gains nothing.
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
    secureContext: contextTrusting(ca),
  })
  return (options, callback) => {
    const refusal = refusalOf(options.hostname, { allow_loopback })
    if (refusal !== null) callback(refusal, null)
    else connect(options, callback)
  }
}

/** Make it once: each context reads some 150 certificates (6 ms). */
export function contextTrusting(ca: readonly string[]): SecureContext {
  return createSecureContext(ca.length === 0 ? {} : { ca: [...getCACertificates('default'), ...ca] })
}

/** Why a host may not be reached, as far as it can be told without a look-up; null when nothing is wrong. */
export function refusalOf(hostname: string, allowed: { readonly allow_loopback: boolean }): BlockedAddressError | null {
  const bare = bareHost(hostname)
  const reach = isIP(bare.replace(/%.*$/, '')) === 0 ? reachOfHost(hostname) : reachOfAddress(bare)
  return reach === null || mayReach(reach, allowed) ? null : new BlockedAddressError(hostname, reach)
}

/** Looks up a name for a connection. Refuses it when one of its addresses is refused. */
function checkedLookup(resolve: Resolve, allowed: { readonly allow_loopback: boolean }): LookupFunction {
  return (name, options, callback) => {
    const answer = async (): Promise<{ address: string; family: number }[]> => {
      const addresses = await resolve(name)
      if (addresses.length === 0) throw new UnknownHostError(`the name ${name} has no address`)
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
