import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { errorCode } from '../lib/errors.ts'
import { reachOfHost } from './addresses.ts'
import { createSystemResolve, type Resolve } from './resolve.ts'

export interface DnsOptions {
  /** How long the addresses of a name are used again. Connections go to the addresses that were checked, so this is safe. */
  readonly keep_ms?: number
  /** Asks the name servers. */
  readonly query?: (name: string) => Promise<readonly string[]>
  /** Asks the machine, its own files included, as other programs do. */
  readonly machine?: Resolve
}

const query_timeout_ms = 1_500
const query_tries = 2
const max_names = 5_000

/**
 * Looks names up for many receivers at once. The name servers are asked directly, which occupies no thread: a receiver whose
 * name servers are silent holds up nobody. The machine's own look-up occupies one, so only names that they do not know go
 * there.
 */
export function createDnsResolve({
  keep_ms = 5_000,
  query = queryServers(),
  machine = createSystemResolve(),
}: DnsOptions = {}): Resolve {
  const known = new LRUCache<string, { readonly addresses: Promise<readonly string[]>; until_ms: number }>({
    max: max_names,
  })

  async function lookUp(name: string): Promise<readonly string[]> {
    try {
      const found = await query(name)
      return found.length > 0 ? found : await machine(name)
    } catch (error) {
      return isSilence(error) ? [] : machine(name)
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
    known.set(name, entry)
    return entry.addresses
  }
}

/** IPv4 first: of a receiver with both, that is the one that works. */
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

function isSilence(error: unknown): boolean {
  return ['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED'].includes(errorCode(error) ?? '')
}
