import { type DailyFiguresResult, measureDailyFigures } from './daily-figures.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'
import { customersSql } from './grow.ts'
import { type LoadResult, runLoad } from './load.ts'
import { makeMerchants } from './merchants.ts'
import { measurePair, medianOf, rangeOfMedian } from './pairs.ts'
import { findReads, measureReads } from './reads.ts'
import {
  type Customers,
  hasPgbench,
  pgbenchVersion,
  type ReferenceResult,
  referenceFunction,
  runReference,
} from './reference.ts'
import { customerCount, earningRequest, knownPhone, newPhone, newPhones } from './requests.ts'
import { watchMemory } from './resident.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'
import { hasWrk, runWrk } from './wrk.ts'

const merchantCount = 1_000
const connectionCounts = [1, 32, 128]
const referenceClients = [1, 8, 16]
/** P6 is sampled under these. */
const mostConnections = Math.max(...connectionCounts)
const warmUp_s = 10

export interface EarningBenchOptions {
  /** The length of each measurement. */
  readonly duration_s: number
  readonly progress: (line: string) => void
}

interface HttpResult {
  readonly connections: number
  readonly customers: Customers
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly mean_batch: number
  readonly refused: number
}

export interface ReadsResult {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** To the best of pgbench's earnings, half of the customers new. */
  readonly ratio: number | null
}

export interface EarningBenchResult {
  readonly reference: readonly ReferenceResult[] | null
  readonly reference_version: string | null
  /** What sent the requests. */
  readonly load: 'wrk' | 'the load generator of this bench'
  readonly http: readonly HttpResult[]
  /** P6: the largest sample of the service's resident memory while 128 connections earned; once, after all loads, in older results. */
  readonly rss_mb: number
  /** P8: reads of single orders. */
  readonly reads: ReadsResult
  /** P1: the best rate over HTTP to the best of pgbench, half of the customers new. */
  readonly rate_ratio: number | null
  /** The same with customers who have an account. */
  readonly known_rate_ratio: number | null
  /**
   * P2: p50 over HTTP on one connection to the p50 of pgbench's calls with one client, median of several turns. In older results the
   * mean of pgbench's calls stood for their p50.
   */
  readonly latency_ratio: number | null
  readonly latency_range: readonly [number, number] | null
  readonly daily_figures: DailyFiguresResult
  readonly ledger_differences: number
}

/**
 * Measures P1, P2 and P6 in one run on one server: (a) pgbench alone, one call and one commit an earning, and (b) earnings
 * over HTTPS. Only answers of 200 count.
 */
export async function benchEarning({ duration_s, progress }: EarningBenchOptions): Promise<EarningBenchResult> {
  const server = await startBenchServer()
  const database = await openBenchDatabase(server)
  try {
    const keys = await makeMerchants(server, merchantCount)
    const [first] = keys
    if (first === undefined) throw new Error('the bench has no merchants')
    await database.db.script(customersSql(first.program_id, customerCount))
    const memory = { peak_mb: 0 }
    const sides = watchSides(server, await prepareSides(server, database, { keys, known: customerCount }), memory)
    progress('warming up')
    // Long enough to compile the code and to collect table statistics; both sides gain by it.
    await sides.http(32, 'half new', warmUp_s)
    const reference: ReferenceResult[] = []
    const http: HttpResult[] = []
    const latencies = await inTurns(sides, { duration_s, progress })
    for (const customers of ['half new', 'known'] as const) {
      // Alternate, so that both see the same state of the machine.
      for (const [index, connections] of connectionCounts.entries()) {
        const clients = referenceClients[index]
        if (sides.reference !== null && clients !== undefined) {
          progress(`pgbench, ${clients} clients, customers ${customers}`)
          reference.push(await sides.reference(clients, customers, duration_s))
        }
        progress(`HTTPS, ${connections} connections, customers ${customers}`)
        http.push(await sides.http(connections, customers, duration_s))
      }
    }
    progress('HTTPS, 32 connections, reads of orders')
    const read = await measureReads(server, await findReads(database.db, keys), { connections: 32, duration_s })
    progress('daily figures')
    const daily_figures = await measureDailyFigures(database.db, first.program_id)
    progress('verifying the ledger')
    const [verified] = (await server.command('ledger', 'verify')) as { differences: unknown[] }[]
    return {
      reference: sides.reference === null ? null : reference,
      reference_version: sides.reference === null ? null : await pgbenchVersion(),
      load: sides.load,
      http,
      rss_mb: Math.round(memory.peak_mb),
      reads: readsOf(read, reference),
      rate_ratio: ratioOf(http, reference, 'half new'),
      known_rate_ratio: ratioOf(http, reference, 'known'),
      latency_ratio: latencies.length === 0 ? null : medianOf(latencies),
      latency_range: latencies.length === 0 ? null : rangeOfMedian(latencies),
      daily_figures,
      ledger_differences: verified?.differences.length ?? Number.NaN,
    }
  } finally {
    await database.close()
    await server.stop()
  }
}

/** The same, but the memory of the service is sampled while the most connections earn. */
function watchSides(server: BenchServer, sides: Sides, memory: { peak_mb: number }): Sides {
  return {
    ...sides,
    async http(connections, customers, duration_s) {
      const load = () => sides.http(connections, customers, duration_s)
      if (connections < mostConnections) return load()
      const { result, rss_peak_mb } = await watchMemory(server, load)
      memory.peak_mb = Math.max(memory.peak_mb, rss_peak_mb)
      return result
    },
  }
}

const latencyTurns = 12

/**
 * The ratio of each turn: one earning at a time over HTTPS, and one call at a time by pgbench. None without pgbench. The
 * turns are short, because a machine that is not quiet changes its speed within seconds.
 */
async function inTurns(
  { http, reference }: Sides,
  { duration_s, progress }: EarningBenchOptions,
): Promise<readonly number[]> {
  const ratios: number[] = []
  const turn_s = Math.max(1, Math.round(duration_s / 4))
  for (let turn = 1; reference !== null && turn <= latencyTurns; turn += 1) {
    progress(`one at a time, ${turn} of ${latencyTurns}`)
    const [alone, served] = await measurePair(
      turn,
      () => reference(1, 'half new', turn_s),
      () => http(1, 'half new', turn_s),
    )
    ratios.push(served.p50_ms / (alone.p50_ms ?? Number.NaN))
  }
  return ratios
}

function readsOf(
  { statuses, seconds, p50_ms, p99_ms }: LoadResult,
  reference: readonly ReferenceResult[],
): ReadsResult {
  const per_second = (statuses['200'] ?? 0) / seconds
  return {
    per_second,
    p50_ms,
    p99_ms,
    ratio: reference.length === 0 ? null : per_second / bestOf(reference, 'half new'),
  }
}

function bestOf(results: readonly { customers: Customers; per_second: number }[], customers: Customers): number {
  return Math.max(...results.filter((one) => one.customers === customers).map((one) => one.per_second))
}

function ratioOf(
  http: readonly HttpResult[],
  reference: readonly ReferenceResult[],
  customers: Customers,
): number | null {
  return reference.length === 0 ? null : bestOf(http, customers) / bestOf(reference, customers)
}

export interface Sides {
  readonly http: (connections: number, customers: Customers, duration_s: number) => Promise<HttpResult>
  readonly load: EarningBenchResult['load']
  /** Null when pgbench is missing. */
  readonly reference: ((clients: number, customers: Customers, duration_s: number) => Promise<ReferenceResult>) | null
}

/** Creates the function of the reference; the `known` customers are there already. */
export async function prepareSides(
  server: BenchServer,
  { connection, asOwner }: BenchDatabase,
  { keys, known }: { readonly keys: readonly MerchantKeys[]; readonly known: number },
): Promise<Sides> {
  await asOwner(referenceFunction)
  let run = 0
  const variables = {
    program: keys[0]?.program_id ?? 0,
    merchants: keys.length,
    first_merchant: Math.min(...keys.map(({ merchant_id }) => merchant_id)),
    customers: known,
  }
  return {
    load: (await hasWrk()) ? 'wrk' : 'the load generator of this bench',
    http: (connections, customers, duration_s) =>
      measureHttp(server, { connections, customers }, () =>
        earnAtFullSpeed(server, { keys, known, connections, customers, duration_s, run: run++ }),
      ),
    reference: (await hasPgbench())
      ? (clients, customers, duration_s) =>
          runReference({
            folder: server.folder,
            ...connection,
            ...{ clients, customers, duration_s, variables, run: run++ },
          })
      : null,
  }
}

export interface Load {
  readonly keys: readonly MerchantKeys[]
  readonly known: number
  readonly connections: number
  readonly customers: Customers
  readonly duration_s: number
  readonly run: number
}

/** Earnings as fast as the service answers, by wrk where there is one. */
export async function earnAtFullSpeed(server: BenchServer, load: Load): Promise<LoadResult> {
  return (await hasWrk()) ? wrkLoad(server, load) : ownLoad(server, load)
}

function wrkLoad({ folder, port }: BenchServer, { keys, ...load }: Load): Promise<LoadResult> {
  const private_keys = keys.map(({ private_key }) => private_key)
  return runWrk({ folder, port, ...load, private_keys })
}

/** Costs more CPU beside the service than wrk, but needs only Node.js. */
function ownLoad(
  server: BenchServer,
  { keys, known, connections, customers, duration_s, run }: Load,
): Promise<LoadResult> {
  const sent = new Array<number>(connections).fill(0)
  const share = Math.floor(newPhones.run / connections)
  return runLoad({
    host: '127.0.0.1',
    port: server.port,
    ca: server.ca,
    connections,
    duration_ms: duration_s * 1000,
    request(connection) {
      const turn = sent[connection] ?? 0
      sent[connection] = turn + 1
      // Merchants connection, connection + n, connection + 2n, …: no two connections share one.
      const own = Math.floor((keys.length - 1 - connection) / connections) + 1
      const key = keys[connection + (turn % own) * connections]?.private_key ?? ''
      const isNew = customers === 'half new' && turn % 2 === 1
      const customer = isNew
        ? newPhone(run, connection * share + (turn % share))
        : knownPhone(Math.floor(Math.random() * known))
      return earningRequest(key, `${run}-${connection}-${turn}`, customer)
    },
  })
}

async function measureHttp(
  server: BenchServer,
  facts: Pick<HttpResult, 'connections' | 'customers'>,
  load: () => Promise<LoadResult>,
): Promise<HttpResult> {
  const before = await batches(server)
  const result = await load()
  const after = await batches(server)
  const accepted = result.statuses['200'] ?? 0
  const answered = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
  return {
    ...facts,
    per_second: accepted / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    mean_batch: (after.items - before.items) / (after.count - before.count),
    refused: answered - accepted,
  }
}

async function batches(server: BenchServer): Promise<{ items: number; count: number }> {
  return {
    items: await server.metric('nuqta_batch_size_sum{kind="earning"}'),
    count: await server.metric('nuqta_batch_size_count{kind="earning"}'),
  }
}
