import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchDatabase, commitsRecorded, makeBacklog, openBenchDatabase, readCommits } from './database.ts'
import { customersSql } from './grow.ts'
import { acceptedPerSecond } from './load.ts'
import { type Earned, type Earnings, earn, makeMerchants, register } from './merchants.ts'
import { type BenchReceiver, type ReceivedDelivery, startBenchReceiver } from './receiver.ts'
import { customerCount } from './requests.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'
import { earnAtFullSpeed } from './sides.ts'

const merchantCount = 1_000
/** Merchants with a webhook in the measurements of latency. */
const listening = 100
/** Of the earnings that P4 is compared with, as in P1. */
const fullSpeedConnections = 128
const paced_per_s = 200
const warmUp_s = 8
/** Of the earnings at full speed beside deliveries. */
const shares = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
const drain_limit_s = 300
/** Merchants whose receiver never answers, and their events a second. */
const hangingCount = 50
const hanging_per_s = 50

export interface WebhookBenchOptions {
  /** The length of each measurement. */
  readonly duration_s: number
  readonly progress: (line: string) => void
}

/** The time from the commit of an event to the first byte of its delivery at the receiver. */
export interface Latency {
  readonly earnings_per_s: number
  readonly deliveries: number
  readonly p50_ms: number
  readonly p99_ms: number
}

/** Earnings and deliveries at a steady pace that the deliveries keep up with. */
export interface Sustained extends Latency {
  readonly deliveries_per_s: number
  /** The oldest delivery that waited. */
  readonly oldest_ms: number
}

export interface WebhookBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  /** P5: at 200 events/s, with nothing else running, and beside earnings of other merchants at full speed. */
  readonly quiet: Latency
  readonly beside_load: Latency
  /**
   * Fairness: at 200 events/s beside 50 earnings a second of one other merchant, first without a webhook, then with a
   * receiver that hangs; then beside 50 such merchants.
   */
  readonly before_hanging: Latency
  readonly beside_one_hanging: Latency
  readonly beside_many_hanging: Latency
  /**
   * Earnings of merchants without a webhook, as P1 measures them: wrk, 128 connections, half of the customers new. In older
   * results by the bench's own load generator, 64 connections, of customers who were soon known.
   */
  readonly earnings_per_s: number
  /** Deliveries of a backlog, with nothing else running. */
  readonly backlog: { readonly deliveries: number; readonly per_s: number }
  /** Earnings at full speed of merchants who all have a webhook; `left` deliveries waited when the load ended. */
  readonly together: { readonly earnings_per_s: number; readonly deliveries_per_s: number; readonly left: number }
  /** The highest rate of earnings at which the queue does not grow; null when it grew at each rate tried. */
  readonly sustained: Sustained | null
  /** P4: deliveries to earnings, each alone, and both at once (by the bench's own load generator): below 1 the queue grows. */
  readonly rate_ratio: number
  readonly together_ratio: number
  readonly lost: number
  /** Deliveries received more than once, which "at least once" allows. */
  readonly repeated: number
  readonly rss_mb: number
}

interface Bench {
  readonly server: BenchServer
  readonly database: BenchDatabase
  readonly receiver: BenchReceiver
  /** On a port of its own, so that hanging calls hold no connection of the others. */
  readonly hanging: BenchReceiver
  /** Events received so far, and how many were received again. */
  readonly known: Set<string>
  readonly repeats: { count: number }
  readonly keys: readonly MerchantKeys[]
  readonly duration_s: number
}

/**
 * Measures P4 and P5 in one run on one server: how fast deliveries reach a local receiver over TLS, alone and beside
 * earnings at full speed, and how soon after the commit the first byte arrives at 200 events/s.
 */
export async function benchWebhooks({ duration_s, progress }: WebhookBenchOptions): Promise<WebhookBenchResult> {
  const server = await startBenchServer([commitsRecorded])
  const database = await openBenchDatabase(server)
  const [receiver, hanging] = [await startBenchReceiver(server), await startBenchReceiver(server)]
  try {
    const keys = await makeMerchants(server, merchantCount)
    await database.db.script(customersSql(keys[0]?.program_id ?? 0, customerCount))
    const places = { server, database, receiver, hanging }
    return await measure({ ...places, keys, duration_s, known: new Set(), repeats: { count: 0 } }, progress)
  } finally {
    await Promise.all([receiver.stop(), hanging.stop()])
    await database.close()
    await server.stop()
  }
}

async function measure(bench: Bench, progress: (line: string) => void): Promise<WebhookBenchResult> {
  const { server, receiver, keys, duration_s } = bench
  const [few, hung, rest] = [
    keys.slice(0, listening),
    keys.slice(listening, listening + hangingCount),
    keys.slice(listening + hangingCount),
  ]
  const hook = `https://localhost:${receiver.port}/hook`
  await register(server, few, hook)
  progress('warming up')
  await collect(bench, (await earn(server, { duration_s: warmUp_s, keys: few })).accepted)
  const fullSpeed = {
    keys: rest,
    known: customerCount,
    connections: fullSpeedConnections,
    customers: 'half new',
  } as const
  await earnAtFullSpeed(server, { ...fullSpeed, duration_s: warmUp_s, run: 0 })
  progress('earnings at full speed, without webhooks')
  const earnings_per_s = acceptedPerSecond(await earnAtFullSpeed(server, { ...fullSpeed, duration_s, run: 1 }))
  progress(`${paced_per_s} events a second, nothing else`)
  const quiet = await measureLatency(bench)
  progress(`${paced_per_s} events a second, beside earnings at full speed`)
  const beside_load = await measureLatency(bench, { duration_s, keys: rest })
  progress('a backlog of deliveries, nothing else')
  await register(server, rest, hook)
  const backlog = await measureBacklog(bench)
  progress('earnings at full speed, with a webhook for each')
  const { lost, ...together } = await measureTogether(bench, [...few, ...rest])
  progress('the highest rate at which the queue does not grow')
  const sustained = await findSustained(bench, [...few, ...rest], together.earnings_per_s)
  progress(`${paced_per_s} events a second, before and beside receivers that hang`)
  const hangs = `https://localhost:${bench.hanging.port}/hang`
  const one = { duration_s, keys: hung.slice(0, 1), pace_per_s: hanging_per_s }
  const before_hanging = await measureLatency(bench, one)
  await register(server, one.keys, hangs)
  const beside_one_hanging = await measureLatency(bench, one)
  await register(server, hung.slice(1), hangs)
  const beside_many_hanging = await measureLatency(bench, { ...one, keys: hung })
  const rss_mb = Math.round((await server.metric('process_resident_memory_bytes')) / 2 ** 20)
  const rate_ratio = backlog.per_s / earnings_per_s
  const together_ratio = together.deliveries_per_s / together.earnings_per_s
  const rates = { earnings_per_s, backlog, together, sustained, rate_ratio, together_ratio }
  const latencies = { quiet, beside_load, before_hanging, beside_one_hanging, beside_many_hanging }
  return { database: server.database, ...latencies, ...rates, lost, repeated: bench.repeats.count, rss_mb }
}

const rateOf = ({ accepted, seconds }: Earned): number => accepted / seconds

/** Measures the latency of some merchants' deliveries at a steady pace, beside the earnings of others. */
async function measureLatency(bench: Bench, others?: Earnings): Promise<Latency> {
  const { server, database, duration_s } = bench
  const paced = earn(server, { duration_s, keys: bench.keys.slice(0, listening), pace_per_s: paced_per_s })
  const beside = others === undefined ? undefined : earn(server, others)
  const [own, other] = [await paced, await beside]
  const received = await collect(bench, own.accepted)
  const { oldest_ms: _, ...delays } = await delaysOf(database, received)
  return { earnings_per_s: rateOf(own) + (other === undefined ? 0 : rateOf(other)), ...delays }
}

/** The time from the commit to the first byte of deliveries. */
async function delaysOf({ db }: BenchDatabase, received: readonly ReceivedDelivery[]) {
  const commits = await readCommits(
    db,
    received.map(({ event_id }) => event_id),
  )
  const delays_ms = received.map(({ event_id, first_byte_ms }) => first_byte_ms - (commits.get(event_id) ?? 0))
  delays_ms.sort((a, b) => a - b)
  const at = (share: number) =>
    delays_ms[Math.min(delays_ms.length - 1, Math.floor(delays_ms.length * share))] ?? Number.NaN
  return { deliveries: received.length, p50_ms: at(0.5), p99_ms: at(0.99), oldest_ms: at(1) }
}

async function measureBacklog(bench: Bench): Promise<WebhookBenchResult['backlog']> {
  const deliveries = await makeBacklog(bench.database.db)
  const began_ms = performance.now()
  await collect(bench, deliveries)
  return { deliveries, per_s: deliveries / ((performance.now() - began_ms) / 1000) }
}

async function measureTogether(bench: Bench, keys: readonly MerchantKeys[]) {
  const { server, duration_s } = bench
  // After a first while the queue is in a steady state: from then on deliveries keep up or fall behind.
  const before = await earn(server, { duration_s: duration_s / 2, keys })
  const early = await newDeliveries(bench)
  const during = await earn(server, { duration_s, keys })
  const meanwhile = await newDeliveries(bench)
  const left = before.accepted + during.accepted - early.length - meanwhile.length
  const after = await collect(bench, left)
  const deliveries_per_s = meanwhile.length / during.seconds
  return { earnings_per_s: rateOf(during), deliveries_per_s, left, lost: left - after.length }
}

/** Tries lower and lower rates of earnings until deliveries keep up. */
async function findSustained(
  bench: Bench,
  keys: readonly MerchantKeys[],
  most_per_s: number,
): Promise<Sustained | null> {
  const { server, database, duration_s } = bench
  for (const share of shares) {
    const pace_per_s = Math.round(most_per_s * share)
    const before = await earn(server, { duration_s: duration_s / 2, keys, pace_per_s })
    const early = await newDeliveries(bench)
    const during = await earn(server, { duration_s, keys, pace_per_s })
    const meanwhile = await newDeliveries(bench)
    const waited = before.accepted - early.length
    const left = waited + during.accepted - meanwhile.length
    const rest = await collect(bench, left)
    // At any moment, the deliveries of half a second may be under way.
    if (left > Math.max(waited, pace_per_s / 2)) continue
    const delays = await delaysOf(database, [...meanwhile, ...rest])
    return { earnings_per_s: rateOf(during), deliveries_per_s: meanwhile.length / during.seconds, ...delays }
  }
  return null
}

/** Waits for `count` deliveries; throws when they do not come in time. */
async function collect(bench: Bench, count: number): Promise<readonly ReceivedDelivery[]> {
  const until_ms = performance.now() + drain_limit_s * 1000
  const found: ReceivedDelivery[] = []
  for (;;) {
    for (const delivery of await newDeliveries(bench)) found.push(delivery)
    if (found.length >= count) return found
    if (performance.now() > until_ms) throw new Error(`${count - found.length} deliveries did not come`)
    await sleep(20)
  }
}

/** Deliveries since the last call, without those received before. */
async function newDeliveries({ receiver, known, repeats }: Bench): Promise<readonly ReceivedDelivery[]> {
  const fresh: ReceivedDelivery[] = []
  for (const delivery of await receiver.tally()) {
    if (known.has(delivery.event_id)) repeats.count += 1
    else fresh.push(delivery)
    known.add(delivery.event_id)
  }
  return fresh
}
