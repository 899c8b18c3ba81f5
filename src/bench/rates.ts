import { measurePairs } from './pairs.ts'
import type { Customers, ReferenceResult } from './reference.ts'
import type { HttpResult, Sides } from './sides.ts'

/** Connections over HTTPS, of which the fastest counts. */
export const connectionCounts = [1, 32, 128]
const clientCounts = [1, 8, 16, 32, 64, 128]
/** Of the database, left to the service. */
const connectionsOfService = 20
const pairCounts = { 'half new': 12, known: 6 } as const
const latencyTurns = 12

export interface RateOptions {
  /** The length of a measurement: a run takes half of it or less, because there are many. */
  readonly duration_s: number
  readonly progress: (line: string) => void
}

/** A run of each side at each number of clients. */
export interface Found {
  readonly reference: readonly ReferenceResult[]
  readonly http: readonly HttpResult[]
}

/** Earnings a second of both sides, each at the number of clients at which it was the fastest, in pairs of turns. */
export interface RatePairs {
  readonly customers: Customers
  /** Of pgbench. */
  readonly clients: number
  /** Over HTTPS. */
  readonly connections: number
  readonly reference_per_s: readonly number[]
  readonly http_per_s: readonly number[]
}

/** The ratio of each pair, HTTPS to pgbench. */
export function ratiosOf({ reference_per_s, http_per_s }: RatePairs): readonly number[] {
  return http_per_s.map((per_second, pair) => per_second / (reference_per_s[pair] ?? Number.NaN))
}

/**
 * Runs each side once at each number of clients, to find where it is the fastest.
 * @param most_connections that the database takes
 */
export async function searchBest(
  sides: Sides,
  { duration_s, progress, most_connections }: RateOptions & { readonly most_connections: number },
): Promise<Found> {
  const reference: ReferenceResult[] = []
  const http: HttpResult[] = []
  const clients = clientCounts.filter((count) => count + connectionsOfService <= most_connections)
  for (const customers of ['half new', 'known'] as const) {
    // Alternate, so that both see the same state of the machine.
    for (let turn = 0; turn < Math.max(clients.length, connectionCounts.length); turn += 1) {
      const [count, connections] = [clients[turn], connectionCounts[turn]]
      if (sides.reference !== null && count !== undefined) {
        progress(`pgbench, ${count} clients, customers ${customers}`)
        reference.push(await sides.reference(count, customers, shareOf(duration_s, 3 / 8)))
      }
      if (connections === undefined) continue
      progress(`HTTPS, ${connections} connections, customers ${customers}`)
      http.push(await sides.http(connections, customers, shareOf(duration_s, 1 / 2)))
    }
  }
  return { reference, http }
}

/** Measures both sides in pairs where each was the fastest; nothing without pgbench. */
export async function measureRates(
  { reference, http }: Sides,
  found: Found,
  { duration_s, progress }: RateOptions,
): Promise<readonly RatePairs[]> {
  if (reference === null) return []
  const all: RatePairs[] = []
  for (const customers of ['half new', 'known'] as const) {
    const { clients } = fastest(found.reference, customers)
    const { connections } = fastest(found.http, customers)
    const turn_s = shareOf(duration_s, 1 / 2)
    const pairs = await measurePairs(
      pairCounts[customers],
      () => reference(clients, customers, turn_s),
      () => http(connections, customers, turn_s),
      (pair) =>
        progress(`${clients} clients of pgbench and ${connections} connections, customers ${customers}, pair ${pair}`),
    )
    const reference_per_s = pairs.map(([alone]) => alone.per_second)
    const http_per_s = pairs.map(([, served]) => served.per_second)
    all.push({ customers, clients, connections, reference_per_s, http_per_s })
  }
  return all
}

/**
 * The ratio of each turn: one earning at a time over HTTPS, and one call at a time by pgbench. None without pgbench. The
 * turns are short, because a machine that is not quiet changes its speed within seconds.
 */
export async function measureLatencies(
  { http, reference }: Sides,
  { duration_s, progress }: RateOptions,
): Promise<readonly number[]> {
  if (reference === null) return []
  const turn_s = shareOf(duration_s, 1 / 4)
  const pairs = await measurePairs(
    latencyTurns,
    () => reference(1, 'half new', turn_s),
    () => http(1, 'half new', turn_s),
    (turn) => progress(`one at a time, ${turn} of ${latencyTurns}`),
  )
  return pairs.map(([alone, served]) => served.p50_ms / (alone.p50_ms ?? Number.NaN))
}

function fastest<T extends { readonly customers: Customers; readonly per_second: number }>(
  results: readonly T[],
  customers: Customers,
): T {
  const [first, ...rest] = results.filter((one) => one.customers === customers)
  if (first === undefined) throw new Error('no run was measured')
  return rest.reduce((best, one) => (one.per_second > best.per_second ? one : best), first)
}

/** A share of the length of a measurement, in whole seconds, as pgbench and wrk take them. */
const shareOf = (duration_s: number, share: number): number => Math.max(1, Math.round(duration_s * share))
