import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { earningRequest } from './earning.ts'
import { runLoad } from './load.ts'
import { type BenchReceiver, startBenchReceiver, type Tally } from './receiver.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'

const merchantCount = 1_000
/** Of them, those that hear of their earnings in the measurement of latency beside a load. */
const listening = 100
const customerCount = 20_000
const connections = 64
const paced_per_s = 200
const warmUp_s = 8
const drain_limit_s = 300
/** Merchants whose receiver hangs on every call, and how many events a second they have. */
const hanging = 50
const hanging_per_s = 50

export interface WebhookBenchOptions {
  /** Of each measurement. */
  readonly duration_s: number
  readonly progress: (line: string) => void
}

interface Latency {
  readonly earnings_per_s: number
  readonly deliveries: number
  readonly p50_ms: number
  readonly p99_ms: number
}

export interface WebhookBenchResult {
  /** P5: at 200 events/s, with nothing else running, and beside earnings of other merchants at full speed. */
  readonly quiet: Latency
  readonly beside_load: Latency
  /** Fairness: at 200 events/s, beside merchants whose receiver hangs on every call. */
  readonly beside_hanging: Latency
  /** Earnings at full speed, of merchants who all have a webhook. */
  readonly together: {
    readonly earnings_per_s: number
    readonly deliveries_per_s: number
    /** Deliveries that waited when the load ended, and how fast they went then. */
    readonly left: number
    readonly drained_per_s: number | null
  }
  /** P4: deliveries to earnings, both at full speed; below 1 the queue grows. */
  readonly rate_ratio: number
  readonly lost: number
  readonly rss_mb: number
}

interface Bench {
  readonly server: BenchServer
  readonly receiver: BenchReceiver
  readonly keys: readonly MerchantKeys[]
  readonly duration_s: number
}

/**
 * P4 and P5 of the targets, in one run on one server: how fast deliveries reach a local receiver over TLS while earnings
 * run at full speed, and how long after the commit the first byte arrives at 200 events/s.
 */
export async function benchWebhooks({ duration_s, progress }: WebhookBenchOptions): Promise<WebhookBenchResult> {
  const server = await startBenchServer()
  const receiver = await startBenchReceiver({
    cert: await readFile(join(server.data_dir, 'tls', 'server.pem'), 'utf8'),
    key: await readFile(join(server.data_dir, 'tls', 'server.key'), 'utf8'),
  })
  try {
    const keys = (await server.command(
      ...['merchant', 'create', '--name', 'Bench', '--count', String(merchantCount)],
      ...['--verified', '--published', '--program', 'Bench'],
    )) as MerchantKeys[]
    const bench = { server, receiver, keys, duration_s }
    await register(bench, keys.slice(0, listening), '/hook')
    progress('warming up')
    await collect(bench, await earn(bench, { duration_s: warmUp_s, keys: keys.slice(0, listening) }))
    await earn(bench, { duration_s: warmUp_s, keys: keys.slice(listening) })
    progress(`${paced_per_s} events a second, nothing else`)
    const quiet = await measureLatency(bench, {})
    progress(`${paced_per_s} events a second, beside earnings at full speed`)
    const beside_load = await measureLatency(bench, { keys: keys.slice(listening) })
    progress('earnings at full speed, with a webhook for each')
    await register(bench, keys.slice(listening + hanging), '/hook')
    const { lost, ...together } = await measureTogether(bench, [
      ...keys.slice(0, listening),
      ...keys.slice(listening + hanging),
    ])
    progress(`${paced_per_s} events a second, beside receivers that hang`)
    await register(bench, keys.slice(listening, listening + hanging), '/hang')
    const beside_hanging = await measureLatency(bench, {
      keys: keys.slice(listening, listening + hanging),
      pace_per_s: hanging_per_s,
    })
    const rss_mb = Math.round((await server.metric('process_resident_memory_bytes')) / 2 ** 20)
    const rate_ratio = together.deliveries_per_s / together.earnings_per_s
    return { quiet, beside_load, beside_hanging, together, rate_ratio, lost, rss_mb }
  } finally {
    await receiver.stop()
    await server.stop()
  }
}

/** Gives each of these merchants a webhook at the receiver, which never answers on `/hang`. */
async function register({ server, receiver }: Bench, keys: readonly MerchantKeys[], path: string): Promise<void> {
  const lanes = 8
  const remaining = Array.from({ length: lanes }, (_, lane) => keys.filter((_key, index) => index % lanes === lane))
  const { statuses } = await runLoad({
    ...placeOf(server),
    connections: lanes,
    duration_ms: 60_000,
    request: (connection) => {
      const key = remaining[connection]?.pop()
      return key === undefined ? undefined : registration(key.private_key, `https://localhost:${receiver.port}${path}`)
    },
  })
  if (statuses['200'] !== keys.length) throw new Error(`webhooks were not registered: ${JSON.stringify(statuses)}`)
}

function placeOf({ port, ca }: BenchServer) {
  return { host: '127.0.0.1', port, ca }
}

function registration(key: string, url: string): Buffer {
  const body = JSON.stringify({ name: 'Bench', url })
  return Buffer.from(
    `POST /api/v1/webhooks HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n` +
      `accept: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

interface Earnings {
  readonly duration_s: number
  readonly keys: readonly MerchantKeys[]
  readonly pace_per_s?: number
}

interface Earned {
  readonly accepted: number
  readonly seconds: number
}

/** Earnings over HTTPS; gives how many were accepted, and in how long. */
async function earn(bench: Bench, { duration_s, keys, pace_per_s }: Earnings): Promise<Earned> {
  const run = Math.random().toString(36).slice(2, 8)
  const count = Math.min(connections, keys.length)
  const sent = new Array<number>(count).fill(0)
  const { statuses, seconds } = await runLoad({
    ...placeOf(bench.server),
    connections: count,
    duration_ms: duration_s * 1000,
    ...(pace_per_s === undefined ? {} : { pace_per_s }),
    request(connection) {
      const turn = sent[connection] ?? 0
      sent[connection] = turn + 1
      // No two connections share a merchant.
      const own = Math.floor((keys.length - 1 - connection) / count) + 1
      const key = keys[connection + (turn % own) * count]?.private_key ?? ''
      return earningRequest(key, `${run}-${connection}-${turn}`, Math.floor(Math.random() * customerCount))
    },
  })
  const accepted = statuses['200'] ?? 0
  const answered = Object.values(statuses).reduce((sum, one) => sum + one, 0)
  if (accepted < answered) throw new Error(`earnings were refused: ${JSON.stringify(statuses)}`)
  return { accepted, seconds }
}

/** How soon the deliveries of some merchants come, at a steady pace, beside the earnings of others. */
async function measureLatency(bench: Bench, others: Partial<Earnings>): Promise<Latency> {
  const { duration_s } = bench
  const { keys } = others
  const paced = earn(bench, { duration_s, keys: bench.keys.slice(0, listening), pace_per_s: paced_per_s })
  const beside = keys === undefined ? undefined : earn(bench, { ...others, duration_s, keys })
  const [{ accepted, seconds }, other] = [await paced, await beside]
  const { deliveries, latencies_ms } = await collect(bench, { accepted })
  const sorted = latencies_ms.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const earnings_per_s = (accepted + (other?.accepted ?? 0)) / seconds
  return { earnings_per_s, deliveries, p50_ms: at(0.5), p99_ms: at(0.99) }
}

async function measureTogether(bench: Bench, keys: readonly MerchantKeys[]) {
  // What waits after a first while is the queue of a steady state: from then on deliveries keep up or do not.
  const before = await earn(bench, { duration_s: bench.duration_s / 2, keys })
  const early = await bench.receiver.tally()
  const { accepted, seconds } = await earn(bench, { duration_s: bench.duration_s, keys })
  const during = await bench.receiver.tally()
  const left = Math.max(0, before.accepted + accepted - early.deliveries - during.deliveries)
  const began_ms = performance.now()
  const after = await collect(bench, { accepted: left })
  const drain_s = (performance.now() - began_ms) / 1000
  return {
    earnings_per_s: accepted / seconds,
    deliveries_per_s: during.deliveries / seconds,
    left,
    drained_per_s: left < 1_000 ? null : after.deliveries / drain_s,
    lost: left - after.deliveries,
  }
}

/** Waits until as many deliveries have come as earnings were accepted. */
async function collect({ receiver }: Bench, { accepted }: Pick<Earned, 'accepted'>): Promise<Tally> {
  const until_ms = performance.now() + drain_limit_s * 1000
  let deliveries = 0
  const latencies_ms: number[] = []
  while (deliveries < accepted) {
    const tally = await receiver.tally()
    deliveries += tally.deliveries
    for (const latency of tally.latencies_ms) latencies_ms.push(latency)
    if (performance.now() > until_ms) throw new Error(`${accepted - deliveries} deliveries did not come`)
    await sleep(20)
  }
  return { deliveries, latencies_ms }
}
