import { randomBytes } from 'node:crypto'
import { Database } from '../db/pool.ts'
import { startCluster } from './cluster.ts'
import { customersSql } from './grow.ts'
import { acceptedPerSecond } from './load.ts'
import { makeMerchants } from './merchants.ts'
import { customerCount } from './requests.ts'
import { measureRolling, type RollingResult } from './rolling.ts'
import { type BenchServer, countDifferences, startBenchServer } from './server.ts'
import { earnAtFullSpeed } from './sides.ts'

const counts = [1, 2, 4]
const merchantCount = 1_000
const connections = 128
const warmUp_s = 6
/** As in production. */
const drain_s = 5

export interface ProcessesBenchResult {
  readonly database: string
  readonly connections: number
  readonly rates: readonly {
    readonly processes: number
    readonly per_second: number
    /** 429s: two processes met at one merchant. */
    readonly refused: number
  }[]
  /** Two processes that are restarted in turn, under full load. Older results have none. */
  readonly rolling?: RollingResult
  readonly ledger_differences: number
}

/**
 * Measures earnings through 1, 2 and 4 processes on one database, then restarts two of them under load; all processes serve
 * all merchants.
 */
export async function benchProcesses({
  duration_s,
  progress,
}: {
  readonly duration_s: number
  readonly progress: (line: string) => void
}): Promise<ProcessesBenchResult> {
  const cluster = await startCluster()
  const settings = {
    ...{ DATABASE_URL: cluster.url, NUQTA_SECRET_KEY: randomBytes(32).toString('hex') },
    NUQTA_DRAIN_S: String(drain_s),
  }
  const servers: BenchServer[] = []
  try {
    const first = await startBenchServer([], settings)
    servers.push(first)
    const keys = await makeMerchants(first, merchantCount)
    const db = new Database(cluster.url, { size: 1 })
    await db.script(customersSql(keys[0]?.program_id ?? 0, customerCount)).finally(() => db.close())
    const rates: ProcessesBenchResult['rates'][number][] = []
    let run = 0
    const measure = async (seconds: number) => {
      const each = Math.floor(connections / servers.length)
      const results = await Promise.all(
        servers.map((server, n) =>
          // Each load begins with another merchant, so that they seldom meet.
          earnAtFullSpeed(server, {
            keys: [...keys.slice(n * 250), ...keys.slice(0, n * 250)],
            ...{ known: customerCount, connections: each, customers: 'half new', duration_s: seconds, run: run++ },
          }),
        ),
      )
      const sum = (of: (one: (typeof results)[number]) => number) => results.reduce((all, one) => all + of(one), 0)
      return {
        processes: servers.length,
        per_second: sum(acceptedPerSecond),
        refused: sum(({ statuses }) =>
          Object.entries(statuses).reduce((all, [status, n]) => all + (status === '200' ? 0 : n), 0),
        ),
      }
    }
    for (const count of counts) {
      while (servers.length < count) servers.push(await startBenchServer([], settings))
      progress(`${count} process${count === 1 ? '' : 'es'}`)
      await measure(warmUp_s)
      rates.push(await measure(duration_s))
    }
    await Promise.all(servers.splice(2).map((server) => server.stop()))
    const rolling = await measureRolling(servers, { keys, drain_s, duration_s, run, progress })
    progress('verifying the ledger')
    const ledger_differences = await countDifferences(first)
    return {
      database: cluster.version,
      connections,
      rates,
      rolling,
      ledger_differences,
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await cluster.stop()
  }
}
