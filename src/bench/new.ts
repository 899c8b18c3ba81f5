import { randomBytes } from 'node:crypto'
import { startCluster } from './cluster.ts'
import { earn, makeMerchants } from './merchants.ts'
import { countDifferences, startBenchServer } from './server.ts'

const merchantCount = 1_000

export interface NewBenchResult {
  readonly database: string
  /** Earnings a second in each stretch of time, in order. */
  readonly stretches: readonly number[]
  readonly stretch_s: number
  /** P10: the cost of an earning in the first stretch, divided by its cost a minute later. */
  readonly cost_ratio: number
  readonly ledger_differences: number
}

/**
 * Measures P10: earnings at full speed from the first moment of a new external database, whose planner has no
 * statistics yet, compared with earnings a minute later.
 */
export async function benchNew({
  duration_s,
  progress,
}: {
  readonly duration_s: number
  readonly progress: (line: string) => void
}): Promise<NewBenchResult> {
  const cluster = await startCluster()
  try {
    const secret_key = randomBytes(32).toString('hex')
    const server = await startBenchServer([], { DATABASE_URL: cluster.url, NUQTA_SECRET_KEY: secret_key })
    try {
      const keys = await makeMerchants(server, merchantCount)
      const stretches: number[] = []
      // The last stretch starts a minute after the first has ended.
      const count = 2 + Math.ceil(60 / duration_s)
      for (let n = 0; n < count; n += 1) {
        progress(`${cluster.version}, new ${Math.round(n * duration_s)} s ago`)
        const { accepted, seconds } = await earn(server, { duration_s, keys })
        stretches.push(accepted / seconds)
      }
      progress('verifying the ledger')
      const ledger_differences = await countDifferences(server)
      return {
        database: cluster.version,
        stretches,
        stretch_s: duration_s,
        cost_ratio: (stretches.at(-1) ?? Number.NaN) / (stretches[0] ?? Number.NaN),
        ledger_differences,
      }
    } finally {
      await server.stop()
    }
  } finally {
    await cluster.stop()
  }
}
