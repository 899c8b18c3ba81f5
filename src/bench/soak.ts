import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/pool.ts'
import { mebibyte } from '../lib/sizes.ts'
import { openBenchDatabase } from './database.ts'
import { customersSql } from './grow.ts'
import { acceptedPerSecond, runLoad } from './load.ts'
import { earningRequests, makeMerchants, register } from './merchants.ts'
import { startBenchReceiver } from './receiver.ts'
import { customerCount, newPhones } from './requests.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'
import { earnAtFullSpeed } from './sides.ts'

const merchantCount = 1_000
const fullSpeedConnections = 128
const connections = 64
const warmUp_s = 8
const sample_s = 10
/** Runs of new customers at full speed; the soak has the numbers after them. */
const fullSpeedRuns = 2
const tables = ['orders', 'entry', 'transfer', 'account', 'event', 'delivery', 'delivery_attempt', 'delivery_queue']

/** What one stretch of the soak showed. */
export interface Sample {
  /** Since its beginning. */
  readonly at_s: number
  readonly earnings_per_s: number
  /** From when an earning was planned; in older results from when it was sent. */
  readonly p50_ms: number
  readonly p99_ms: number
  readonly deliveries_per_s: number
  /** Deliveries that have not ended. */
  readonly waiting: number
  readonly rss_mb: number
  /** Of all tables with their indexes. */
  readonly database_mb: number
  readonly queue_mb: number
  /** Rows that vacuum has not removed yet, in the tables that change most: the queue and the wallets. */
  readonly dead_rows: number
}

export interface SoakBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  /** With half of the customers new, as in P1; in older results with known customers. */
  readonly full_speed_per_s: number
  /** Half of the full speed: what was asked for. */
  readonly pace_per_s: number
  /** What was reached, without the moments between two samples in which nothing is sent. Older results do not say. */
  readonly reached_per_s?: number
  readonly samples: readonly Sample[]
  readonly lost: number
  readonly ledger_differences: number
}

/** Half of the full speed for a long time, with a webhook for each merchant, sampled every ten seconds. */
export async function benchSoak({
  duration_s,
  progress,
}: {
  readonly duration_s: number
  readonly progress: (line: string) => void
}): Promise<SoakBenchResult> {
  const server = await startBenchServer()
  const database = await openBenchDatabase(server)
  const receiver = await startBenchReceiver({
    cert: await readFile(join(server.data_dir, 'tls', 'server.pem'), 'utf8'),
    key: await readFile(join(server.data_dir, 'tls', 'server.key'), 'utf8'),
  })
  try {
    const keys = await makeMerchants(server, merchantCount)
    await database.db.script(customersSql(keys[0]?.program_id ?? 0, customerCount))
    const full = { keys, known: customerCount, connections: fullSpeedConnections, customers: 'half new' } as const
    progress('full speed, without webhooks')
    await earnAtFullSpeed(server, { ...full, duration_s: warmUp_s, run: 0 })
    const fastest = await earnAtFullSpeed(server, { ...full, duration_s: warmUp_s, run: 1 })
    const full_speed_per_s = acceptedPerSecond(fastest)
    const pace_per_s = Math.floor(full_speed_per_s / 2)
    await register(server, keys, `https://localhost:${receiver.port}/hook`)
    progress(`${pace_per_s} earnings a second for ${duration_s} s`)
    const received = { ids: new Set<string>() }
    const drain = async (): Promise<void> => {
      for (const { event_id } of await receiver.tally()) received.ids.add(event_id)
    }
    const samples: Sample[] = []
    const pace = paced(server, keys, pace_per_s)
    let accepted = 0
    let seconds = 0
    for (let at_s = sample_s; at_s <= duration_s; at_s += sample_s) {
      const before = received.ids.size
      const earned = await pace()
      accepted += earned.accepted
      seconds += earned.seconds
      await drain()
      const deliveries_per_s = (received.ids.size - before) / earned.seconds
      const { accepted: _all, seconds: _took, ...times } = earned
      const earnings_per_s = earned.accepted / earned.seconds
      samples.push({ at_s, earnings_per_s, ...times, deliveries_per_s, ...(await look(server, database.db)) })
    }
    progress('waiting for the last deliveries')
    for (let turn = 0; turn < 60 && received.ids.size < accepted; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await drain()
    }
    const [verified] = (await server.command('ledger', 'verify')) as { differences: unknown[] }[]
    const ledger_differences = verified?.differences.length ?? Number.NaN
    return {
      database: server.database,
      full_speed_per_s,
      pace_per_s,
      reached_per_s: accepted / seconds,
      samples,
      lost: accepted - received.ids.size,
      ledger_differences,
    }
  } finally {
    await receiver.stop()
    await database.close()
    await server.stop()
  }
}

/** Gives what sends the earnings of one sample after the other, half of the customers new. */
function paced({ port, ca }: BenchServer, keys: readonly MerchantKeys[], pace_per_s: number) {
  const next = earningRequests({
    ...{ keys, connections, customers: 'half new', known: customerCount, run: fullSpeedRuns },
    // Many more than a run takes: all that no other run has.
    new_phones: newPhones.pgbench - newPhones.service - fullSpeedRuns * newPhones.run,
  })
  return async () => {
    const { statuses, seconds, p50_ms, p99_ms } = await runLoad({
      ...{ host: '127.0.0.1', port, ca, connections, duration_ms: sample_s * 1000, pace_per_s },
      request: next,
    })
    const { 200: accepted = 0, ...refused } = statuses
    if (Object.keys(refused).length > 0) throw new Error(`earnings were refused: ${JSON.stringify(statuses)}`)
    return { accepted, seconds, p50_ms, p99_ms }
  }
}

async function look(server: BenchServer, db: Database) {
  const [row] = await db.run<{ waiting: number; database: number; queue: number; dead_rows: number }>({
    text: `select (select count(*) from delivery_queue) as waiting,
        (select sum(pg_total_relation_size(p.relid)) from unnest($1::text[]) as t(name)
          cross join lateral pg_partition_tree(t.name::regclass) as p)::bigint as database,
        pg_total_relation_size('delivery_queue') as queue,
        (select sum(n_dead_tup) from pg_stat_user_tables where relname in ('delivery_queue', 'account'))::bigint as dead_rows`,
    values: [tables],
  })
  return {
    waiting: row?.waiting ?? Number.NaN,
    rss_mb: (await server.metric('process_resident_memory_bytes')) / mebibyte,
    database_mb: (row?.database ?? Number.NaN) / mebibyte,
    queue_mb: (row?.queue ?? Number.NaN) / mebibyte,
    dead_rows: row?.dead_rows ?? Number.NaN,
  }
}
