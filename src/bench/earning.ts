import type { Database } from '../db/pool.ts'
import { type DailyFiguresResult, measureDailyFigures } from './daily-figures.ts'
import { openBenchDatabase } from './database.ts'
import { customersSql } from './grow.ts'
import { acceptedPerSecond, type LoadResult } from './load.ts'
import { makeMerchants } from './merchants.ts'
import { medianOf, ratioOf } from './pairs.ts'
import { measurePrograms, type ProgramsResult } from './programs.ts'
import { connectionCounts, measureLatencies, measureRates, type RatePairs, ratiosOf, searchBest } from './rates.ts'
import { findReads, measureReads } from './reads.ts'
import { type Customers, pgbenchVersion, type ReferenceResult } from './reference.ts'
import { customerCount } from './requests.ts'
import { watchMemory } from './resident.ts'
import { type BenchServer, countDifferences, startBenchServer } from './server.ts'
import { type HttpResult, prepareSides, type Sides } from './sides.ts'

const merchantCount = 1_000
/** P6 is sampled under these. */
const mostConnections = Math.max(...connectionCounts)
const warmUp_s = 10

export interface EarningBenchOptions {
  /** The length of each measurement. */
  readonly duration_s: number
  readonly progress: (line: string) => void
}

export interface ReadsResult {
  /** Of any orders; in older results of the newest of each merchant. */
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** To the median of pgbench's earnings in the pairs of P1; in older results to its best run. */
  readonly ratio: number | null
}

export interface EarningBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  /** A run of pgbench at each number of clients, to find where it is the fastest. */
  readonly reference: readonly ReferenceResult[] | null
  readonly reference_version: string | null
  /** What sent the requests. */
  readonly load: Sides['load']
  /** A run over HTTPS at each number of connections, as for pgbench. */
  readonly http: readonly HttpResult[]
  /**
   * P6: the largest sample of the service's resident memory while 128 connections earned; once, after all loads, in older
   * results.
   */
  readonly rss_mb: number
  /** P8: reads of single orders. */
  readonly reads: ReadsResult
  /**
   * P1: the rate over HTTP to that of pgbench, half of the customers new: the median of pairs in turns, each side at the
   * number of clients at which it is the fastest. In older results the best single run of one to that of the other.
   */
  readonly rate_ratio: number | null
  readonly rate_range: readonly [number, number] | null
  /** The same with customers who have an account. */
  readonly known_rate_ratio: number | null
  readonly known_rate_range: readonly [number, number] | null
  readonly rate_pairs: readonly RatePairs[]
  /** Beside P1: many programs with few merchants each. */
  readonly programs: ProgramsResult
  /**
   * P2: p50 over HTTP on one connection to the p50 of pgbench's calls with one client, median of several turns. In older
   * results the mean of pgbench's calls stood for their p50.
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
    const options = { duration_s, progress }
    const latency = ratioOf(await measureLatencies(sides, options))
    const found = await searchBest(sides, { ...options, most_connections: await mostConnectionsOf(database.db) })
    const rate_pairs = await measureRates(sides, found, options)
    progress('HTTPS, 128 connections, 100 programs of 10 merchants')
    const programs = await measurePrograms(server, database, duration_s)
    progress('HTTPS, 32 connections, reads of orders')
    const read = await measureReads(server, await findReads(database.db, keys), { connections: 32, duration_s })
    progress('daily figures')
    const daily_figures = await measureDailyFigures(database.connection, first.program_id)
    progress('verifying the ledger')
    const ledger_differences = await countDifferences(server)
    return {
      database: server.database,
      reference: sides.reference === null ? null : found.reference,
      reference_version: sides.reference === null ? null : await pgbenchVersion(),
      load: sides.load,
      http: found.http,
      rss_mb: Math.round(memory.peak_mb),
      reads: readsOf(read, rate_pairs),
      ...ratesOf(rate_pairs),
      rate_pairs,
      programs,
      ...{ latency_ratio: latency.ratio, latency_range: latency.range },
      daily_figures,
      ledger_differences,
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

function ratesOf(pairs: readonly RatePairs[]) {
  const of = (wanted: Customers) => ratioOf(pairs.filter(({ customers }) => customers === wanted).flatMap(ratiosOf))
  const [rate, known] = [of('half new'), of('known')]
  return {
    ...{ rate_ratio: rate.ratio, rate_range: rate.range },
    ...{ known_rate_ratio: known.ratio, known_rate_range: known.range },
  }
}

function readsOf(read: LoadResult, pairs: readonly RatePairs[]): ReadsResult {
  const { p50_ms, p99_ms } = read
  const per_second = acceptedPerSecond(read)
  const reference = pairs.find(({ customers }) => customers === 'half new')
  const ratio = reference === undefined ? null : per_second / medianOf(reference.reference_per_s)
  return { per_second, p50_ms, p99_ms, ratio }
}

/** The connections that a database takes. */
async function mostConnectionsOf(db: Database): Promise<number> {
  const row = await db.one<{ most: number }>({
    text: "select current_setting('max_connections')::integer as most",
    values: [],
  })
  return row?.most ?? 0
}
