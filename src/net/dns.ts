import { Resolver } from 'node:dns/promises'
import { errorCode } from '../lib/errors.ts'
import { reachOfHost } from './addresses.ts'
import { createResolve, type Resolve } from './resolve.ts'

export interface DnsOptions {
  /** How long the addresses of a name are reused. */
  readonly keep_ms?: number
  /** Asks the DNS servers. */
  readonly query?: (name: string) => Promise<readonly string[]>
  /** Asks the operating system, which also reads /etc/hosts. */
  readonly machine?: Resolve
}

const query_timeout_ms = 1_500
const query_tries = 2
const remembered = 5_000

/**
 * Looks up names for many receivers at once. It asks the DNS servers directly, which occupies no thread, so a receiver
 * with silent DNS servers delays nobody. Only names that they do not know go to the operating system, which occupies a
 * thread.
 */
export function createDnsResolve({
  keep_ms = 5_000,
  query = queryServers(),
  machine = createResolve(),
}: DnsOptions = {}): Resolve {
  const known = new Map<string, { readonly addresses: Promise<readonly string[]>; until_ms: number }>()

  async function lookUp(name: string): Promise<readonly string[]> {
    try {
      const found = await query(name)
      return found.length > 0 ? found : await machine(name)
    } catch (error) {
      return isTimeout(error) ? [] : machine(name)
    }
  }

  return (name) => {
    if (reachOfHost(name) === 'loopback') return Promise.resolve(['127.0.0.1', '::1'])
    const now_ms = performance.now()
    const kept = known.get(name)
    if (kept !== undefined && kept.until_ms > now_ms) return kept.addresses
    const entry = { addresses: lookUp(name), until_ms: Number.POSITIVE_INFINITY }
    void entry.addresses.finally(() => {
      entry.until_ms = performance.now() + keep_ms
    })
    if (known.size >= remembered) known.clear()
    known.set(name, entry)
    return entry.addresses
  }
}

/** IPv4 first, since it works for most receivers that have both. */
function queryServers(): (name: string) => Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: query_timeout_ms, tries: query_tries })
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (found.length === 0 && first.status === 'rejected') throw first.reason
    return found
  }
}

function isTimeout(error: unknown): boolean {
  return ['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED'].includes(errorCode(error) ?? '')
}
