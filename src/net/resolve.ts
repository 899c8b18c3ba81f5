import { lookup } from 'node:dns/promises'
import { type Reach, reachOfAddress, reachOfHost, worstReach } from './addresses.ts'

/** Gives every address of a name, or none when they cannot be found in time. Never throws. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface ResolveOptions {
  readonly timeout_ms?: number
  /** Look-ups at once. Each occupies a thread that files and passwords need too, until its server answers. */
  readonly concurrency?: number
  readonly lookUp?: (name: string) => Promise<readonly string[]>
}

/** Resolves names by the operating system, /etc/hosts included. */
export function createSystemResolve(options: ResolveOptions = {}): Resolve {
  const { timeout_ms = 2_000, concurrency = 2, lookUp = lookUpAll } = options
  const waiting = new Set<() => void>()
  let free = concurrency

  async function whenFree(name: string, signal: AbortSignal): Promise<readonly string[]> {
    while (free === 0) await new Promise<void>((wake) => waiting.add(wake))
    if (signal.aborted) {
      wakeNext()
      return []
    }
    free -= 1
    try {
      return await lookUp(name)
    } finally {
      free += 1
      wakeNext()
    }
  }

  function wakeNext(): void {
    const [next] = waiting
    if (next !== undefined) waiting.delete(next)
    next?.()
  }

  return (name) => {
    const signal = AbortSignal.timeout(timeout_ms)
    const late = new Promise<readonly string[]>((resolve) => {
      signal.addEventListener('abort', () => resolve([]), { once: true })
    })
    return Promise.race([whenFree(name, signal).catch(() => []), late])
  }
}

async function lookUpAll(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

/**
 * Where a URL leads now, by its host or by all addresses of its name. A name that does not resolve yet counts as
 * public: every connection is checked again. docs/spec/webhooks.md#targets
 */
export async function reachOfUrl(url: URL, resolve: Resolve): Promise<Reach> {
  const { hostname } = url
  return reachOfHost(hostname) ?? worstReach((await resolve(hostname)).map(reachOfAddress))
}
