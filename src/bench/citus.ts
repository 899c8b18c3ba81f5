import { randomBytes } from 'node:crypto'
import { Database } from '../db/pool.ts'
import { type CitusNode, findNodes, watchNodes } from './citus-nodes.ts'
import { customersSql } from './grow.ts'
import { acceptedPerSecond, type LoadResult } from './load.ts'
import { makeMerchants } from './merchants.ts'
import { customerCount } from './requests.ts'
import { type BenchServer, countDifferences, type MerchantKeys, runNuqta, startBenchServer } from './server.ts'
import { earnAtFullSpeed } from './sides.ts'

const merchantCount = 500
const connectionCounts = [1, 32, 128]
const warmUp_s = 6
/** Programs made until two of them are on different workers. */
const most_programs = 12

/** Earnings through one service on a cluster, and what they cost there. */
export interface CitusLoad {
  readonly programs: number
  /** The workers that hold the programs. */
  readonly on: string
  readonly connections: number
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Processor time of the service for an earning, in microseconds. */
  readonly service_us: number
  /** The CPU time of each node; null if the node is on another machine. */
  readonly nodes_us: Readonly<Record<string, number | null>>
  /** Statements that the coordinator sends to one shard, and to several, for an earning. */
  readonly single_shard: number
  readonly multi_shard: number
}

export interface CitusBenchResult {
  /** The coordinator's server, like `PostgreSQL 18.1, Citus 13.2.0`. */
  readonly database: string
  readonly nodes: number
  readonly loads: readonly CitusLoad[]
  readonly ledger_differences: number
}

export interface CitusBenchOptions {
  readonly duration_s: number
  /** An empty database on the coordinator, as a superuser. */
  readonly database_url: string
  readonly progress: (line: string) => void
}

interface Program {
  readonly keys: readonly MerchantKeys[]
  readonly worker: string
}

/**
 * Measures earnings on a Citus cluster: one program, whose rows are all on one worker, and two programs on two workers.
 * With processor time of each node where all are on this machine.
 */
export async function benchCitus({ duration_s, database_url, progress }: CitusBenchOptions): Promise<CitusBenchResult> {
  const settings = { DATABASE_URL: database_url, NUQTA_SECRET_KEY: randomBytes(32).toString('hex') }
  progress('spreading the tables')
  await runNuqta(['migrate', '--citus', '--json'], settings)
  const db = new Database(database_url, { size: 1 })
  try {
    const nodes = await findNodes(db, database_url)
    await db.script(
      "do $$ begin execute format('alter database %I set citus.enable_stat_counters = on', current_database()); end $$",
    )
    // Without background work, what the nodes do is what earnings cost.
    const server = await startBenchServer([], { ...settings, NUQTA_ROLE: 'api' })
    try {
      const programs = await makePrograms(server, db, progress)
      const loads = await measureLoads(server, { db, nodes, programs, duration_s, progress })
      progress('verifying the ledger')
      const ledger_differences = await countDifferences(server)
      const version = await db.one<{ said: string }>({ text: 'select citus_version() as said', values: [] })
      return {
        database: `${server.database}, ${/^\S+ \S+/.exec(version?.said ?? '')?.[0] ?? 'Citus'}`,
        nodes: nodes.length,
        loads,
        ledger_differences,
      }
    } finally {
      await server.stop()
    }
  } finally {
    await db.close()
  }
}

/** Makes programs until two are on different workers, if there are two; gives those. */
async function makePrograms(
  server: BenchServer,
  db: Database,
  progress: (line: string) => void,
): Promise<readonly Program[]> {
  const found = new Map<string, Program>()
  for (let n = 1; n <= most_programs && found.size < 2; n += 1) {
    progress(`making program ${n}`)
    const keys = await makeMerchants(server, merchantCount, `Bench ${n}`)
    const program_id = keys[0]?.program_id ?? 0
    await db.script(customersSql(program_id, customerCount))
    const place = await db.one<{ worker: string }>({
      text: `select nodename || ':' || nodeport as worker from citus_shards
        where table_name = 'orders'::regclass and shardid = get_shard_id_for_distribution_column('orders', $1::integer)`,
      values: [program_id],
    })
    const worker = place?.worker ?? ''
    if (!found.has(worker)) found.set(worker, { keys, worker })
  }
  return [...found.values()]
}

interface Measuring {
  readonly db: Database
  readonly nodes: readonly CitusNode[]
  readonly programs: readonly Program[]
  readonly duration_s: number
  readonly progress: (line: string) => void
}

async function measureLoads(
  server: BenchServer,
  { db, nodes, programs, duration_s, progress }: Measuring,
): Promise<CitusLoad[]> {
  const loads: CitusLoad[] = []
  let run = 0
  for (const count of programs.length < 2 ? [1] : [1, 2]) {
    const used = programs.slice(0, count)
    const earn = (connections: number, seconds: number) =>
      Promise.all(
        used.map(({ keys }) =>
          earnAtFullSpeed(server, {
            ...{ keys, known: customerCount, customers: 'half new', run: run++, duration_s: seconds },
            connections: connections / count,
          }),
        ),
      )
    progress(`warming up ${count === 1 ? 'one program' : 'two programs'}`)
    await earn(32, warmUp_s)
    for (const connections of connectionCounts.filter((number) => number >= count)) {
      progress(`${connections} connections, ${count === 1 ? 'one program' : 'two programs'}`)
      loads.push({
        ...(await measureLoad(server, { db, nodes, used }, () => earn(connections, duration_s))),
        connections,
      })
    }
  }
  return loads
}

async function measureLoad(
  server: BenchServer,
  { db, nodes, used }: Pick<Measuring, 'db' | 'nodes'> & { readonly used: readonly Program[] },
  earn: () => Promise<readonly LoadResult[]>,
): Promise<Omit<CitusLoad, 'connections'>> {
  const watched = await watchNodes(db, nodes)
  const cpu_s = await server.metric('process_cpu_seconds_total')
  const results = await earn()
  const used_s = (await server.metric('process_cpu_seconds_total')) - cpu_s
  const accepted = results.reduce((sum, { statuses }) => sum + (statuses['200'] ?? 0), 0)
  const { cpu_us, single_shard, multi_shard } = await watched()
  return {
    programs: used.length,
    on: used.map(({ worker }) => worker).join(', '),
    per_second: results.reduce((sum, one) => sum + acceptedPerSecond(one), 0),
    p50_ms: Math.max(...results.map(({ p50_ms }) => p50_ms)),
    p99_ms: Math.max(...results.map(({ p99_ms }) => p99_ms)),
    service_us: (used_s * 1e6) / accepted,
    nodes_us: Object.fromEntries(
      Object.entries(cpu_us).map(([name, us]) => [name, us === null ? null : us / accepted]),
    ),
    single_shard: single_shard / accepted,
    multi_shard: multi_shard / accepted,
  }
}
