import { openBenchDatabase } from './database.ts'
import { customersSql } from './grow.ts'
import { makeMerchants } from './merchants.ts'
import { customerCount } from './requests.ts'
import { watchMemory } from './resident.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { prepareSides } from './sides.ts'

const sizes_mb = [2, 4, 8, 16, 32, 64]
const merchantCount = 1_000
const connections = 128
const warmUp_s = 8

/** A size of the young generation, and what it gives and takes. */
interface Size {
  readonly young_mb: number
  readonly per_second: number
  /** Of the service alone, in microseconds an earning. */
  readonly cpu_us: number
  readonly rss_peak_mb: number
}

export interface MemoryBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  readonly connections: number
  readonly sizes: readonly Size[]
}

/** Measures P6: memory and speed under earnings at full speed, by the size of the young generation. */
export async function benchMemory({
  duration_s,
  progress,
}: {
  readonly duration_s: number
  readonly progress: (line: string) => void
}): Promise<MemoryBenchResult> {
  const sizes: Size[] = []
  let database = ''
  for (const young_mb of sizes_mb) {
    progress(`a young generation of ${young_mb} MB`)
    const server = await startBenchServer([], { NUQTA_YOUNG_GENERATION_MB: String(young_mb) })
    database = server.database
    try {
      sizes.push({ young_mb, ...(await measureSize(server, duration_s)) })
    } finally {
      await server.stop()
    }
  }
  return { database, connections, sizes }
}

async function measureSize(server: BenchServer, duration_s: number): Promise<Omit<Size, 'young_mb'>> {
  const keys = await makeMerchants(server, merchantCount)
  const database = await openBenchDatabase(server)
  try {
    await database.db.script(customersSql(keys[0]?.program_id ?? 0, customerCount))
    const { http } = await prepareSides(server, database, { keys, known: customerCount })
    await http(connections, 'half new', warmUp_s)
    const cpu_s = await server.metric('process_cpu_seconds_total')
    const { result, rss_peak_mb } = await watchMemory(server, () => http(connections, 'half new', duration_s))
    const { per_second } = result
    const used_s = (await server.metric('process_cpu_seconds_total')) - cpu_s
    return { per_second, cpu_us: (used_s * 1e6) / (per_second * duration_s), rss_peak_mb }
  } finally {
    await database.close()
  }
}
