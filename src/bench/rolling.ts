import { setTimeout as sleep } from 'node:timers/promises'
import { hour_ms } from '../domain/spans.ts'
import { type Backend, type Balancer, startBalancer } from './balancer.ts'
import { acceptedPerSecond, type LoadResult, runLoad } from './load.ts'
import { earningRequests } from './merchants.ts'
import { customerCount } from './requests.ts'
import type { BenchServer, MerchantKeys } from './server.ts'

const connections = 128
/** Ends a load whose restarts hang. */
const most_ms = hour_ms
const look_ms = 20

/** Earnings at full speed through a balancer, before two processes are restarted and meanwhile. */
export interface RollingResult {
  readonly connections: number
  /** NUQTA_DRAIN_S of both processes. */
  readonly drain_s: number
  readonly before: Stretch
  readonly during: Stretch
  /** From each SIGTERM until the balancer sends to the process again. */
  readonly restarts_s: readonly number[]
}

interface Stretch {
  readonly seconds: number
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly longest_ms: number
  /** Requests that were not answered with 200, by status; those without an answer are `broken`. */
  readonly failed: Readonly<Record<string, number>>
}

export interface RollingOptions {
  readonly keys: readonly MerchantKeys[]
  readonly drain_s: number
  /** How long earnings are measured before the restarts. */
  readonly duration_s: number
  /** Differs from every run before; the one after it is taken too. */
  readonly run: number
  readonly progress: (line: string) => void
}

/**
 * Stops each server by SIGTERM and starts it again, one after the other, while earnings come as fast as they are answered.
 * Neither the balancer nor a client sends a request again, so that each that fails is counted.
 */
export async function measureRolling(
  servers: readonly BenchServer[],
  { keys, drain_s, duration_s, run, progress }: RollingOptions,
): Promise<RollingResult> {
  const backends = servers.map(backendOf)
  const balancer = await startBalancer(backends)
  try {
    await readiness(balancer, servers.length)
    const load = (number: number, until: Promise<unknown>) =>
      earnThrough(balancer, { keys, ca: servers.map(({ ca }) => ca).join('\n'), run: number, until })
    progress('two processes behind a balancer')
    const before = await load(run, sleep(duration_s * 1000))
    progress('the same, each stopped and started again')
    const restarting = restartEach(servers, { backends, balancer })
    const [restarts_s, during] = await Promise.all([restarting, load(run + 1, restarting)])
    return { connections, drain_s, before: stretchOf(before), during: stretchOf(during), restarts_s }
  } finally {
    await balancer.close()
  }
}

interface Stage {
  readonly backends: readonly Backend[]
  readonly balancer: Balancer
}

async function restartEach(servers: readonly BenchServer[], { backends, balancer }: Stage): Promise<number[]> {
  const restarts_s: number[] = []
  for (const [n, server] of servers.entries()) {
    const began_ms = performance.now()
    await server.restart()
    balancer.replace(backends[n] ?? backendOf(server), backendOf(server))
    await readiness(balancer, servers.length)
    restarts_s.push((performance.now() - began_ms) / 1000)
  }
  return restarts_s
}

function earnThrough(
  { port }: Balancer,
  { keys, ca, run, until }: Pick<RollingOptions, 'keys' | 'run'> & Pick<Backend, 'ca'> & { until: Promise<unknown> },
): Promise<LoadResult> {
  let over = false
  const end = (): void => {
    over = true
  }
  until.then(end, end)
  const next = earningRequests({ keys, connections, customers: 'half new', known: customerCount, run })
  const place = { port, ca, connections, duration_ms: most_ms, reconnects: true }
  return runLoad({ ...place, request: (connection) => (over ? undefined : next(connection)) })
}

/** What a load showed. */
export function stretchOf(load: LoadResult): Stretch {
  const { seconds, statuses, p50_ms, p99_ms, longest_ms } = load
  const { 200: _accepted, ...failed } = statuses
  return { seconds, per_second: acceptedPerSecond(load), p50_ms, p99_ms, longest_ms, failed }
}

const backendOf = ({ port, ca }: BenchServer): Backend => ({ port, ca })

async function readiness(balancer: Balancer, count: number): Promise<void> {
  while (balancer.ready().length < count) await sleep(look_ms)
}
