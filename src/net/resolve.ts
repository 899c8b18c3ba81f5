import { lookup } from 'node:dns/promises'
import { type Reach, reachOfAddress, reachOfHost, worstReach } from './addresses.ts'

/** Gives every address of a name, none when it cannot be found out in time. Never throws. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface ResolveOptions {
  readonly timeout_ms?: number
  /** Look-ups at once. They occupy threads that files and passwords need too, for as long as a slow server likes. */
  readonly concurrency?: number
  readonly lookUp?: (name: string) => Promise<readonly string[]>
}

/** Resolves names as connections do, the machine's own files included. */
export function createResolve(options: ResolveOptions = {}): Resolve {
  const { timeout_ms = 2_000, concurrency = 2, lookUp = lookUpAll } = options
  const waiting = new Set<() => void>()
  let free = concurrency

  async function whenFree(name: string, signal: AbortSignal): Promise<readonly string[]> {
    while (free === 0) await new Promise<void>((go) => waiting.add(go))
    if (signal.aborted) return passOn([])
    free -= 1
    try {
      return await lookUp(name)
    } finally {
      free += 1
      passOn(undefined)
    }
  }

  /** Wakes the next in the queue. */
  function passOn<T>(result: T): T {
    const [next] = waiting
    if (next !== undefined) waiting.delete(next)
    next?.()
    return result
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
 * How far a URL leads now: by its host, or by all the addresses that its name has. A name that does not resolve yet counts
 * as public, since every connection is checked again (decisions §10).
 */
export async function reachOfUrl(url: URL, resolve: Resolve): Promise<Reach> {
  const { hostname } = url
  return reachOfHost(hostname) ?? worstReach((await resolve(hostname)).map(reachOfAddress))
}
