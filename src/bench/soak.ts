import { setTimeout as sleep } from 'node:timers/promises'
import { mebibyte } from '../lib/sizes.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'
import { countExpired, type ExpiredRows, loadExpired, retentionSettings } from './expired.ts'
import { customersSql } from './grow.ts'
import { acceptedPerSecond, runLoad } from './load.ts'
import { earningRequests, makeMerchants, register } from './merchants.ts'
import { type BenchReceiver, startBenchReceiver } from './receiver.ts'
import { customerCount, newPhones } from './requests.ts'
import { type BenchServer, countDifferences, type MerchantKeys, startBenchServer } from './server.ts'
import { earnAtFullSpeed } from './sides.ts'
import { lookAtTables, type TableState } from './tables.ts'

const merchantCount = 1_000
const fullSpeedConnections = 128
const connections = 64
const warmUp_s = 8
const sample_s = 10
/** Runs of new customers at full speed; the soak has the numbers after them. */
const fullSpeedRuns = 2
/** The tables that requests, deliveries and maintenance change. */
const tables = [
  ...['orders', 'entry', 'transfer', 'account', 'customer', 'event', 'delivery', 'delivery_attempt', 'delivery_queue'],
  ...['request_log', 'idempotency', 'wallet_session'],
]

/** What one stretch of the soak showed. */
export interface Sample {
  /** When it ended, since the beginning; in older results by the plan, without pauses and late answers. */
  readonly at_s: number
  readonly earnings_per_s: number
  /** From when an earning was planned; in older results from when it was sent. */
  readonly p50_ms: number
  readonly p99_ms: number
  readonly deliveries_per_s: number
  /** Deliveries that have not ended. */
  readonly waiting: number
  readonly rss_mb: number
  /** Of all `tables` with their indexes; in older results of events and deliveries alone. */
  readonly database_mb: number
  readonly queue_mb: number
  /** Rows that vacuum has not removed yet, in the tables that change most: the queue and the wallets. */
  readonly dead_rows: number
  /** Each busy table. Older results have none. */
  readonly tables?: Readonly<Record<string, TableState>>
  /** Rows past retention that are still there. Older results have none. */
  readonly expired?: ExpiredRows
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
  /** Rows past retention that were there at the beginning. Older results had none. */
  readonly expired?: ExpiredRows
  readonly samples: readonly Sample[]
  readonly lost: number
  readonly ledger_differences: number
}

interface SoakOptions {
  readonly duration_s: number
  readonly progress: (line: string) => void
}

/** Half of the full speed for a long time, with a webhook for each merchant, sampled every ten seconds. */
export async function benchSoak(options: SoakOptions): Promise<SoakBenchResult> {
  const server = await startBenchServer([], retentionSettings)
  const receiver = await startBenchReceiver(server)
  try {
    const prepared = await prepare(server, `https://localhost:${receiver.port}/hook`, options.progress)
    // The first maintenance comes a minute after a start.
    options.progress('starting the server again')
    await server.restart()
    const database = await openBenchDatabase(server)
    const soaked = await soak({ ...prepared, server, receiver, database }, options).finally(() => database.close())
    const ledger_differences = await countDifferences(server)
    const { full_speed_per_s, pace_per_s, expired } = prepared
    return {
      ...{ database: server.database, full_speed_per_s, pace_per_s, reached_per_s: soaked.reached_per_s, expired },
      ...{ samples: soaked.samples, lost: soaked.lost },
      ledger_differences,
    }
  } finally {
    await receiver.stop()
    await server.stop()
  }
}

interface Prepared {
  readonly keys: readonly MerchantKeys[]
  readonly full_speed_per_s: number
  readonly pace_per_s: number
  readonly expired: ExpiredRows
}

/** Makes merchants with webhooks and customers, measures the full speed, and writes what is past retention. */
async function prepare(server: BenchServer, hook: string, progress: SoakOptions['progress']): Promise<Prepared> {
  const database = await openBenchDatabase(server)
  try {
    const keys = await makeMerchants(server, merchantCount)
    await database.db.script(customersSql(keys[0]?.program_id ?? 0, customerCount))
    const full = { keys, known: customerCount, connections: fullSpeedConnections, customers: 'half new' } as const
    progress('full speed, without webhooks')
    await earnAtFullSpeed(server, { ...full, duration_s: warmUp_s, run: 0 })
    const fastest = await earnAtFullSpeed(server, { ...full, duration_s: warmUp_s, run: 1 })
    const full_speed_per_s = acceptedPerSecond(fastest)
    await register(server, keys, hook)
    progress('writing rows past retention')
    const expired = await database.withOwner((owner) => loadExpired(owner, keys, new Date()))
    return { keys, full_speed_per_s, pace_per_s: Math.floor(full_speed_per_s / 2), expired }
  } finally {
    await database.close()
  }
}

interface Stage extends Prepared {
  readonly server: BenchServer
  readonly receiver: BenchReceiver
  readonly database: BenchDatabase
}

async function soak({ server, receiver, database, keys, pace_per_s }: Stage, { duration_s, progress }: SoakOptions) {
  progress(`${pace_per_s} earnings a second for ${duration_s} s`)
  const received = new Set<string>()
  const drain = async (): Promise<void> => {
    for (const { event_id } of await receiver.tally()) received.add(event_id)
  }
  const pace = paced(server, keys, pace_per_s)
  const samples: Sample[] = []
  const began_ms = performance.now()
  let accepted = 0
  let seconds = 0
  let at_s = 0
  while (at_s < duration_s) {
    const before = received.size
    const earned = await pace()
    accepted += earned.accepted
    seconds += earned.seconds
    at_s = Math.round((performance.now() - began_ms) / 1000)
    await drain()
    const deliveries_per_s = (received.size - before) / earned.seconds
    const { accepted: _all, seconds: _took, ...times } = earned
    const earnings_per_s = earned.accepted / earned.seconds
    const looked = await look(server, database, keys)
    samples.push({ at_s, earnings_per_s, ...times, deliveries_per_s, ...looked })
  }
  progress('waiting for the last deliveries')
  for (let turn = 0; turn < 60 && received.size < accepted; turn += 1) {
    await sleep(1_000)
    await drain()
  }
  return { samples, reached_per_s: accepted / seconds, lost: accepted - received.size }
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
      ...{ port, ca, connections, duration_ms: sample_s * 1000, pace_per_s },
      request: next,
    })
    const { 200: accepted = 0, ...refused } = statuses
    if (Object.keys(refused).length > 0) throw new Error(`earnings were refused: ${JSON.stringify(statuses)}`)
    return { accepted, seconds, p50_ms, p99_ms }
  }
}

async function look(server: BenchServer, { db }: BenchDatabase, keys: readonly MerchantKeys[]) {
  const [row] = await db.run<{ waiting: number; queue: number }>({
    text: `select (select count(*) from delivery_queue) as waiting, pg_total_relation_size('delivery_queue') as queue`,
    values: [],
  })
  const looked = await lookAtTables(db, tables)
  const dead = ['delivery_queue', 'account'].map((name) => looked.tables[name]?.dead_rows ?? Number.NaN)
  return {
    waiting: row?.waiting ?? Number.NaN,
    rss_mb: (await server.metric('process_resident_memory_bytes')) / mebibyte,
    queue_mb: (row?.queue ?? Number.NaN) / mebibyte,
    dead_rows: dead.reduce((sum, rows) => sum + rows, 0),
    ...looked,
    expired: await countExpired(db, keys[0]?.program_id ?? 0, new Date()),
  }
}
