import { makeDailyFigures } from './daily-figures.ts'
import { type Filled, fill, type Size } from './filled.ts'
import { acceptedPerSecond } from './load.ts'
import { measureReads, readOf } from './reads.ts'
import type { Customers } from './reference.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { type Compared, inTurns, type Sizes } from './sizes.ts'
import { signIn, timeView, views } from './views.ts'
import { type CopyResult, measureCopies, measureWhole, type WholeResult } from './whole.ts'

const smallSize: Size = { orders: 10_000, customers: 20_000 }
/** Orders of one customer in the grown database. */
const ordersEach = 10
const sizeOf = (orders: number): Size => {
  return { orders, customers: Math.max(smallSize.customers, Math.round(orders / ordersEach)) }
}
/** About as many as are read within a turn. */
const readsOfTurn = 50_000
const warmUp_s = 8
const customers: Customers = 'half new'

export interface GrowthBenchOptions {
  readonly duration_s: number
  readonly orders: number
  readonly progress: (line: string) => void
}

/** Its P11, P13 and P14 are of the grown database. */
export interface GrowthBenchResult extends WholeResult, CopyResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  readonly orders: number
  readonly customers: number
  readonly load_s: number
  /** What the service's own job took to make the daily figures of these orders. In older results there were none. */
  readonly figures_s?: number
  /** Of one earning on one connection, in milliseconds. */
  readonly p50_ms: Compared
  /** P3: the median of the turns' ratios of these; in older results the ratio of the medians. */
  readonly p50_ratio: number
  /** Earnings a second at 32 connections, half of the customers new, and beside them those of pgbench. */
  readonly earnings_per_s: Compared
  readonly reference_per_s: Compared | null
  /** Of any orders; in older results of the newest of each merchant. */
  readonly reads_per_s: Compared
  /** P12: lists, search and pages, p50 in milliseconds. In older results each is of one address, which was asked 40 times. */
  readonly views: readonly (Compared & { readonly name: string })[]
  /** P11, P13 and P14 of the small database; absent in older results. */
  readonly small?: WholeResult & CopyResult
}

/**
 * Measures P3, P8, P11, P12, P13 and P14: a database with so many orders beside one with 10,000, each with its own server
 * without background work, measured in turns.
 */
export async function benchGrowth(options: GrowthBenchOptions): Promise<GrowthBenchResult> {
  const servers: BenchServer[] = []
  const start = async () => {
    const server = await startBenchServer(['max_wal_size = 4GB'], { NUQTA_ROLE: 'api' })
    servers.push(server)
    return server
  }
  try {
    const small = await fill(await start(), smallSize)
    options.progress(`writing ${options.orders.toLocaleString('en')} orders`)
    const grown = await fill(await start(), sizeOf(options.orders))
    const { size, load_s, figures_s } = grown
    options.progress(`written in ${load_s.toFixed(0)} s, their daily figures in ${figures_s.toFixed(0)} s`)
    try {
      const measured = await measureSizes({ small, grown }, options)
      return { database: small.server.database, ...size, load_s, figures_s, ...measured }
    } finally {
      for (const { database } of [small, grown]) await database.close()
    }
  } finally {
    for (const server of servers) await server.stop()
  }
}

type Measured = Omit<GrowthBenchResult, 'database' | 'orders' | 'customers' | 'load_s' | 'figures_s'>

async function measureSizes(sizes: Sizes<Filled>, options: GrowthBenchOptions): Promise<Measured> {
  const { small, grown } = sizes
  const { duration_s, progress } = options
  progress('warming up')
  for (const { sides } of [small, grown]) await sides.http(32, customers, warmUp_s)
  // First what needs a small database: each run of earnings makes it larger.
  progress('one earning at a time')
  const p50_ms = await inTurns(sizes, async ({ sides }) => (await sides.http(1, customers, duration_s)).p50_ms)
  progress('reads of orders')
  const reads_per_s = await inTurns(sizes, (one) => readsPerSecond(one, duration_s))
  const whole = { small: await measureWhole(small, progress), grown: await measureWhole(grown, progress) }
  // After a close, so that there are settlements to list.
  progress('lists, search and pages')
  const shown = await compareViews(sizes)
  progress('earnings on 32 connections')
  const earnings_per_s = await inTurns(
    sizes,
    async ({ sides }) => (await sides.http(32, customers, duration_s)).per_second,
  )
  progress('the same by pgbench')
  const reference_per_s = await compareReference(sizes, duration_s)
  const copies = {
    small: await measureCopies(small.server, progress),
    grown: await measureCopies(grown.server, progress),
  }
  return {
    ...{ p50_ms, p50_ratio: p50_ms.ratio ?? Number.NaN },
    ...{ earnings_per_s, reference_per_s, reads_per_s, views: shown },
    ...{ ...whole.grown, ...copies.grown },
    small: { ...whole.small, ...copies.small },
  }
}

async function readsPerSecond({ server, choose }: Filled, duration_s: number): Promise<number> {
  const reads = Array.from({ length: readsOfTurn }, choose).map((of) => readOf(of.order_uuid, of.private_key))
  return acceptedPerSecond(await measureReads(server, reads, { connections: 32, duration_s }))
}

/** Null without pgbench. */
async function compareReference({ small, grown }: Sizes<Filled>, duration_s: number): Promise<Compared | null> {
  if (small.sides.reference === null || grown.sides.reference === null) return null
  const calls = { small: small.sides.reference, grown: grown.sides.reference }
  return inTurns(calls, async (call) => (await call(8, customers, duration_s)).per_second)
}

async function compareViews({ small, grown }: Sizes<Filled>): Promise<GrowthBenchResult['views']> {
  // The orders of the runs before are in the figures too, as they would be with background work.
  for (const { database } of [small, grown]) await makeDailyFigures(database.connection)
  const signedIn = {
    small: { ...small, cookie: await signIn(small.server) },
    grown: { ...grown, cookie: await signIn(grown.server) },
  }
  const found: (Compared & { readonly name: string })[] = []
  for (const view of views)
    found.push({ name: view.name, ...(await inTurns(signedIn, (one) => timeView(one, view, one.cookie))) })
  return found
}
